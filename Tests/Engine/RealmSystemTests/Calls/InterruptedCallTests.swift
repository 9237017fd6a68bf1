// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

/// System calls that are interrupted by a signal, complete in part, or fail.
@Suite struct InterruptedCallTests {
    /// The scripted results of the fake calls, in order; afterwards they behave normally. Guarded by `lock`.
    private final class Script: @unchecked Sendable {
        enum Step {
            case error(Int32)
            case atMost(Int)
        }
        private let lock = NSLock()
        private var steps: [Step]
        private var calls = 0

        init(_ steps: [Step]) { self.steps = steps }

        var callCount: Int { lock.withLock { calls } }

        func next(_ count: Int) -> Int? {
            lock.withLock {
                calls += 1
                guard !steps.isEmpty else { return count }
                switch steps.removeFirst() {
                case .error(let number):
                    errno = number
                    return nil
                case .atMost(let limit): return min(limit, count)
                }
            }
        }
    }

    private func file(_ folder: TemporaryFolder, _ script: Script) throws -> DiskFile {
        let real = SystemCalls()
        var calls = SystemCalls()
        calls.pread = { descriptor, bytes, count, offset in
            script.next(count).map { real.pread(descriptor, bytes, $0, offset) } ?? -1
        }
        calls.pwrite = { descriptor, bytes, count, offset in
            script.next(count).map { real.pwrite(descriptor, bytes, $0, offset) } ?? -1
        }
        calls.ftruncate = { descriptor, size in script.next(0) == nil ? -1 : real.ftruncate(descriptor, size) }
        calls.sync = { descriptor in script.next(0) == nil ? -1 : real.sync(descriptor) }
        return try DiskFile.open(
            folder.path + "/file", readOnly: false, creation: .createIfMissing, calls: calls)
    }

    private static let content = (0..<100).map { UInt8($0) }

    private func write(to file: DiskFile) throws {
        try InterruptedCallTests.content.withUnsafeBytes { try file.write($0, at: 10) }
    }

    private func read(_ file: DiskFile) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: 100)
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 10) }
        return bytes
    }

    @Test func interruptedAndShortWritesGoOn() throws {
        let folder = try TemporaryFolder()
        let script = Script([.error(EINTR), .atMost(1), .error(EINTR), .error(EINTR), .atMost(50), .atMost(30)])
        let file = try file(folder, script)
        try write(to: file)
        #expect(script.callCount == 7)
        #expect(try Images.read(folder.path + "/file") == Array(repeating: 0, count: 10) + InterruptedCallTests.content)
    }

    @Test func interruptedAndShortReadsGoOn() throws {
        let folder = try TemporaryFolder()
        try Images.write(Array(repeating: 0, count: 10) + InterruptedCallTests.content, to: folder.path + "/file")
        let script = Script([.atMost(99), .error(EINTR)])
        let file = try file(folder, script)
        #expect(try read(file) == InterruptedCallTests.content)
        #expect(script.callCount == 3)
    }

    @Test func interruptedResizesAndSyncsAreRepeated() throws {
        let script = Script([.error(EINTR), .error(EINTR), .atMost(0), .error(EINTR)])
        let file = try file(try TemporaryFolder(), script)
        try file.resize(to: 77)
        #expect(try file.size() == 77)
        try file.sync()
        #expect(script.callCount == 5)
    }

    /// An error other than an interruption is thrown at once, even after partial results. A sync in particular isn't
    /// repeated, because the system may have dropped the data that it couldn't write.
    @Test(arguments: [EIO, ENOSPC, EDQUOT, EFBIG])
    func failuresAreNotRepeated(number: Int32) throws {
        func expectFailure(_ steps: [Script.Step], calls: Int, _ body: (DiskFile) throws -> Void) throws {
            let script = Script(steps)
            let file = try file(try TemporaryFolder(), script)
            let error = #expect(throws: SystemError.self) { try body(file) }
            #expect(error?.number == number)
            #expect(script.callCount == calls)
        }
        try expectFailure([.atMost(60), .error(number)], calls: 2) { try write(to: $0) }
        try expectFailure([.error(number)], calls: 1) { _ = try read($0) }
        try expectFailure([.error(number)], calls: 1) { try $0.resize(to: 5) }
        try expectFailure([.error(number)], calls: 1) { try $0.sync() }
    }

    @Test func aWriteWithoutProgressIsAnError() throws {
        let file = try file(try TemporaryFolder(), Script([.atMost(0)]))
        let error = #expect(throws: SystemError.self) { try write(to: file) }
        #expect(error?.number == ENOSPC)
    }

    /// Guarded by `lock`.
    private final class Ranges: @unchecked Sendable {
        private let lock = NSLock()
        private var ranges: [Range<Int>] = []

        var all: [Range<Int>] { lock.withLock { ranges } }

        func append(_ range: Range<Int>) { lock.withLock { ranges.append(range) } }
    }

    /// Large writes start writing to the disk at once. Small ones are left to the sync.
    @Test func diskBeginsWithLargeWrites() throws {
        let folder = try TemporaryFolder()
        let ranges = Ranges()
        let real = SystemCalls()
        var calls = SystemCalls()
        calls.startSync = { descriptor, offset, count in
            ranges.append(offset..<offset + count)
            real.startSync(descriptor, offset, count)
        }
        let path = folder.path + "/file"
        let file = try DiskFile.open(path, readOnly: false, creation: .createIfMissing, calls: calls)
        let megabyte = 1 << 20
        try [UInt8](repeating: 1, count: megabyte).withUnsafeBytes { try file.write($0, at: 4096) }
        try InterruptedCallTests.content.withUnsafeBytes { try file.write($0, at: 0) }
        try file.sync()
        #expect(ranges.all == [4096..<4096 + megabyte])
        #expect(try Images.read(path).count == 4096 + megabyte)
    }
}
