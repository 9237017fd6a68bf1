// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Failing calls to the file below an encrypted database. No commit is lost.
@Suite struct EncryptedFaultTests {
    private static let commits = 3

    @Test func everyCallFailsOnce() throws {
        var failed: Set<String> = []
        for count in 0..<5000 {
            let call = try withTrace("call \(count) fails") { try EncryptedFaultTests.run(failingAfter: count) }
            guard let call else { break }
            failed.insert(call)
        }
        #expect(failed == ["size", "read", "write", "resize", "sync"])
    }

    private static func run(failingAfter count: Int) throws -> String? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let file = FailingFile(try DiskFile.open(path, readOnly: false, creation: .createIfMissing), after: count)
        var returned: UInt64 = 1
        var attempted: UInt64 = 1
        do {
            let database = try Database(file: try EncryptedFile(file, cipher: QuickCipher()), readOnly: false)
            var workload = Workload(SeededGenerator(seed: 7), size: 10)
            for _ in 0..<commits {
                attempted = database.version + 1
                do {
                    returned = try workload.commit(to: database)
                } catch {
                    try require(error is StorageError && file.failed != nil, "a commit threw \(error)")
                    try requireEqual(database.version, returned, "the version after a failure")
                    // Pages that the failing call read may have to be read again.
                    try Workload.verify(try database.snapshot())
                    do {
                        returned = try workload.commit(to: database)
                    } catch let error as StorageError where error.code == .writeRefused {
                        break
                    }
                }
            }
            try Workload.verify(try database.snapshot())
        } catch {
            try require(file.failed != nil, "opening or reading threw \(error)")
        }
        try verifyReopened(path, returned...max(returned, attempted))
        return file.failed
    }

    /// A write fails at any call, and the next attempt is cut off at any call. The page has one of its contents.
    @Test func everyPairOfFailures() throws {
        for first in 0..<200 {
            var ended = false
            for second in 0..<200 {
                let disk = try DiskFile.anonymous(in: TemporaryFolder.base)
                let inner = FailingFile(disk, after: .max)
                let file = try EncryptedFile(inner, cipher: QuickCipher())
                let header = [UInt8](repeating: 0, count: 16) + FileFormat.mnemonic
                try EncryptedFaultTests.write(header + Array(repeating: 0, count: 4076), to: file, at: 0)
                try EncryptedFaultTests.write([UInt8](repeating: 1, count: 4096), to: file, at: 4096)
                try file.sync()
                inner.fail(after: first)
                let isFirst = (try? EncryptedFaultTests.change(file, to: 2)) == nil
                inner.fail(after: second)
                let isSecond = (try? EncryptedFaultTests.change(file, to: 3)) == nil
                let recovered = try EncryptedFile(disk, cipher: QuickCipher()).contents()
                let contents = Set(recovered[4096..<8192])
                try withTrace("calls \(first) and \(second) fail") {
                    try require(contents.count == 1, "a page with more than one content")
                    try require(contents.isSubset(of: isSecond ? (isFirst ? [1, 2, 3] : [2, 3]) : [3]), "\(contents)")
                }
                ended = !isFirst
                if !isSecond { break }
            }
            if ended { return }
        }
        Issue.record("there is no end")
    }

    private static func change(_ file: EncryptedFile, to value: UInt8) throws {
        try write([UInt8](repeating: value, count: 4096), to: file, at: 4096)
        try file.sync()
    }

    private static func write(_ bytes: [UInt8], to file: any DatabaseFile, at offset: Int) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }

    // MARK: A full disk

    private static func database(on disk: any DatabaseFile) throws -> Database {
        try Database(file: try EncryptedFile(disk, cipher: QuickCipher()), readOnly: false)
    }

    /// The disk is full from each write on in turn. While no needed page was partly written, each commit throws this
    /// error, and the database continues once there is room.
    @Test(arguments: [ENOSPC, EFBIG, EDQUOT]) func aFullDiskDoesNotRefuseLaterWrites(number: Int32) throws {
        var (accepted, refused) = (0, 0)
        for count in 0..<100 {
            let disk = FullFile(try ImageFile(), number)
            let database = try EncryptedFaultTests.database(on: disk)
            var workload = Workload(SeededGenerator(seed: 7), size: 10)
            for _ in 0..<3 { _ = try workload.commit(to: database) }
            disk.fill(after: count)
            let version = database.version
            guard let error = EncryptedFaultTests.error({ _ = try workload.commit(to: database) }) else {
                #expect(accepted > 1 && refused > 0)
                return
            }
            try requireEqual(error.code, .outOfSpace, "the error of a full disk")
            let isRefused = EncryptedFaultTests.error { try database.beginWrite().rollback() }?.code == .writeRefused
            try require(!isRefused || disk.hasSynced, "writes are refused although nothing was synced")
            if isRefused {
                refused += 1
            } else {
                accepted += 1
                let again = EncryptedFaultTests.error { _ = try workload.commit(to: database) }
                try requireEqual(again?.code, .outOfSpace, "the next error of a full disk")
            }
            disk.makeRoom()
            let reopened = isRefused ? try EncryptedFaultTests.database(on: disk) : database
            try require([version, version + 1].contains(reopened.version), "it is version \(reopened.version)")
            for _ in 0..<2 { _ = try workload.commit(to: reopened) }
            try Workload.verify(try reopened.snapshot())
            try EncryptedImage.audit(disk)
        }
        Issue.record("there is no end")
    }

    @Test(arguments: [1, 20]) func aSmallCommitAfterOneThatWasTooLarge(megabytes: Int) throws {
        let disk = FullFile(try ImageFile(), ENOSPC)
        let database = try EncryptedFaultTests.database(on: disk)
        var workload = Workload(SeededGenerator(seed: 7), size: 10)
        for _ in 0..<6 { _ = try workload.commit(to: database) }
        disk.fill(beyond: try disk.size())
        let error = EncryptedFaultTests.error {
            try database.write { transaction in
                let table = try transaction.schema.addTable("class_Big")
                let data = try transaction.schema.addColumn("data", .binary, to: table)
                let bytes = [UInt8](repeating: 1, count: 1 << 20)
                for _ in 0..<megabytes { _ = try transaction.createObject(in: table, [data: .binary(bytes)]) }
            }
        }
        #expect(error?.code == .outOfSpace)
        let version = try workload.commit(to: database)
        #expect(try EncryptedFaultTests.database(on: disk).version == version)
        disk.makeRoom()
        _ = try workload.commit(to: database)
        try Workload.verify(try database.snapshot())
        try EncryptedImage.audit(disk)
    }

    private static func error(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    private static func verifyReopened(_ path: String, _ versions: ClosedRange<UInt64>) throws {
        let database = try Database.open(path, cipher: QuickCipher())
        try require(versions.contains(database.version), "version \(database.version) is not in \(versions)")
        try Workload.verify(try database.snapshot())
        try FileAudit.requireClean(path: path, cipher: QuickCipher())
        var workload = Workload(SeededGenerator(seed: 8), size: 10)
        _ = try workload.commit(to: database)
        try Workload.verify(try database.snapshot())
        try FileAudit.requireClean(path: path, cipher: QuickCipher())
    }
}

/// A file whose n-th call fails once. A failing write writes half of its pages. `lock` guards the counter.
private final class FailingFile: DatabaseFile, @unchecked Sendable {
    private let file: any DatabaseFile
    private let lock = Lock()
    /// The number of calls until the failure, and the call that failed. `lock` guards both.
    private var rest: Int
    private var failure: String?

    init(_ file: any DatabaseFile, after count: Int) {
        self.file = file
        rest = count
    }

    func fail(after count: Int) { lock.locked { rest = count } }

    var failed: String? { lock.locked { failure } }
    var path: String { file.path }

    private func fails(_ call: String) -> Bool {
        lock.locked {
            rest -= 1
            if rest == -1 { failure = call }
            return rest == -1
        }
    }

    private func attempt(_ call: String) throws {
        if fails(call) { throw SystemError(call, path: path, number: EIO) }
    }

    func size() throws -> Int {
        try attempt("size")
        return try file.size()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try attempt("read")
        try file.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        let fails = fails("write")
        let count = fails ? max(0, (offset + bytes.count / 2) / 4096 * 4096 - offset) : bytes.count
        if count > 0 { try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset) }
        if fails { throw SystemError("write", path: path, number: ENOSPC) }
    }

    func resize(to size: Int) throws {
        try attempt("resize")
        try file.resize(to: size)
    }

    func sync() throws {
        try attempt("sync")
        try file.sync()
    }

    func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
    }
}

/// A file on a disk that fills up. Confined to one thread.
private final class FullFile: DatabaseFile, @unchecked Sendable {
    private let file: any DatabaseFile
    private let number: Int32
    private var rest = Int.max
    private var end = Int.max
    private(set) var hasSynced = false

    init(_ file: any DatabaseFile, _ number: Int32) {
        self.file = file
        self.number = number
    }

    func fill(after count: Int) { (rest, hasSynced) = (count, false) }
    func fill(beyond size: Int) { end = size }
    func makeRoom() { (rest, end) = (.max, .max) }

    var path: String { file.path }
    func size() throws -> Int { try file.size() }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try file.read(into: buffer, at: offset)
    }

    /// A failing write writes half of its bytes.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        let isFull = rest == 0 || offset + bytes.count > end
        let half = max(0, (offset + bytes.count / 2) / 512 * 512 - offset)
        let count = !isFull ? bytes.count : rest == 0 ? half : max(0, min(bytes.count, end - offset))
        if count > 0 { try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset) }
        if isFull { throw SystemError("write", path: path, number: number) }
        if rest != .max { rest -= 1 }
    }

    func resize(to size: Int) throws { try file.resize(to: size) }
    func sync() throws {
        hasSynced = true
        try file.sync()
    }
    func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
    }
}
