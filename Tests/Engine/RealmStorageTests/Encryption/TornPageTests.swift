// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Disks write 512 bytes atomically, and pages have 4,096. The copy of a torn page restores it.
@Suite struct TornPageTests {
    private final class WithoutCopies: DatabaseFile {
        let file: any DatabaseFile

        init(_ file: any DatabaseFile) { self.file = file }

        var path: String { file.path }
        var writeUnit: Int { file.writeUnit }
        func size() throws -> Int { try file.size() }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
            try file.read(into: buffer, at: offset)
        }
        func contents() throws -> [UInt8] { try file.contents() }
        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws { try file.write(bytes, at: offset) }
        func resize(to size: Int) throws { try file.resize(to: size) }
        func sync() throws { try file.sync() }
        func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
            try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
        }
    }

    /// The crash tests find missing copies. If pages are written atomically, copies aren't needed.
    @Test(arguments: [512, 4096]) func withoutCopiesTheCrashTestsFail(tear: Int) throws {
        var disk = CrashConfiguration.encrypted.disk
        disk.tear = tear
        let configuration = CrashConfiguration(name: "without copies", disk: disk, isEncrypted: true) {
            WithoutCopies(try EncryptedFile($0, cipher: QuickCipher()))
        }
        let isFound = (try? CrashRun(.tiny, configuration, seed: 1).tryEveryImage(with: CrashVerifier())) == nil
        #expect(isFound == (tear == 512))
    }

    private func twoVersions() throws -> (before: [UInt8], after: [UInt8]) {
        let disk = try ImageFile()
        let database = try Database(file: try EncryptedFile(disk, cipher: QuickCipher()), readOnly: false)
        var workload = Workload(SeededGenerator(seed: 3), size: 10)
        for _ in 0..<4 { _ = try workload.commit(to: database) }
        let before = try disk.bytes()
        _ = try workload.commit(to: database)
        return (before, try disk.bytes())
    }

    private static let firstPage = EncryptedLayout.offset(ofPage: 0)..<EncryptedLayout.offset(ofPage: 1)

    private func tear(_ versions: (before: [UInt8], after: [UInt8]), _ isOld: (Int) -> Bool) -> [UInt8] {
        var image = versions.after
        for piece in 0..<8 where isOld(piece) {
            let start = TornPageTests.firstPage.lowerBound + piece * 512
            image.replaceSubrange(start..<start + 512, with: versions.before[start..<start + 512])
        }
        return image
    }

    @Test func everyMixtureOfTheFirstPageIsRead() throws {
        let versions = try twoVersions()
        for bits in 0..<256 {
            let image = tear(versions) { bits >> $0 & 1 == 0 }
            let disk = try ImageFile(image)
            let expected: UInt64 = bits == 0 ? 5 : 6
            try withTrace("the pieces \(bits)") {
                let reader = try Database(file: try EncryptedFile(disk, cipher: QuickCipher()), readOnly: true)
                try requireEqual(reader.version, expected, "the version to read")
                try Workload.verify(try reader.snapshot())
                try require(try disk.bytes() == image, "reading has changed the file")
                let file = try EncryptedFile(disk, cipher: QuickCipher())
                let database = try Database(file: file, readOnly: false)
                try requireEqual(database.version, expected, "the version to write")
                let whole = bits == 0 ? versions.before : versions.after
                try require(
                    try disk.bytes()[TornPageTests.firstPage] == whole[TornPageTests.firstPage], "it is not mended")
                try database.write { _ in }
                try EncryptedImage.audit(disk)
            }
        }
    }

    /// A page that also has other data has a copy too.
    @Test func pagesThatAreFreeInPartHaveCopiesToo() throws {
        let disk = try ImageFile()
        let file = try EncryptedFile(disk, cipher: QuickCipher())
        try file.write(FileHeader.new + [UInt8](repeating: 1, count: 3 * 4096 - 24), at: 0)
        try file.sync()
        file.discardUnused([3 * 4096..<Int.max], doubtful: [])
        try file.write([2, 2], at: 2 * 4096 - 1)
        try file.sync()
        for page in [1, 2] {
            for piece in 0..<8 {
                let torn = try ImageFile(try disk.contents())
                let offset = EncryptedLayout.offset(ofPage: page) + piece * 512
                try torn.write([UInt8](repeating: 9, count: 512), at: offset)
                let bytes = try EncryptedFile(torn, cipher: QuickCipher()).contents()
                #expect(Array(bytes[8190..<8194]) == [1, 2, 2, 1])
            }
        }
    }

    /// The copy is synced with the rest, so a small commit syncs twice.
    @Test func anOrdinaryCommitSyncsTwice() throws {
        let disk = FaultyFile(try ImageFile())
        let database = try Database(file: try EncryptedFile(disk, cipher: QuickCipher()), readOnly: false)
        let (table, column) = try database.write { transaction in
            let table = try transaction.schema.addTable("class_A")
            let column = try transaction.schema.addColumn("a", .int, to: table)
            _ = try transaction.createObject(in: table)
            return (table, column)
        }
        var syncs: [Int] = []
        for number in 0..<30 {
            disk.forget()
            try database.write { try $0.set(.int(Int64(number) << 20), column, of: ObjectKey(0), in: table) }
            syncs.append(disk.events.count { if case .sync = $0 { true } else { false } })
        }
        // The first commits find pages whose content on disk is uncertain.
        #expect(syncs.dropFirst(6).allSatisfy { $0 == 2 }, "\(syncs)")
    }

    /// A wrong key, a first page torn beyond repair, and damage are distinct errors.
    @Test func threeErrors() throws {
        let versions = try twoVersions()
        var image = tear(versions) { $0 % 2 == 0 }
        let entries = try EntryPage(try ImageFile(image), block: 0)
        let copy = try #require((1..<64).first { entries[$0].newest.tag == entries[0].newest.tag })
        let offset = EncryptedLayout.offset(ofPage: copy)
        image.replaceSubrange(offset..<offset + 512, with: repeatElement(7, count: 512))
        func error(_ image: [UInt8], _ cipher: QuickCipher = QuickCipher()) -> StorageError? {
            do {
                let file = try EncryptedFile(try ImageFile(image), cipher: cipher)
                _ = try SnapshotText.lines(of: try Database(file: file, readOnly: true).snapshot())
                return nil
            } catch {
                return error as? StorageError
            }
        }
        let torn = error(image)
        #expect(torn?.code == .invalidDatabase)
        #expect(torn?.message.contains("first page of the encrypted file is torn") == true)
        #expect(torn?.message.contains("the key is right") == true)
        for cipher in [QuickCipher(tagKey: 9), QuickCipher(cipherKey: 9)] {
            let wrong = error(versions.after, cipher)
            #expect(wrong?.code == .wrongKey)
            #expect(wrong?.message.contains("the encryption key is not the file's") == true)
        }
        #expect(error(image, QuickCipher(tagKey: 9))?.code == .wrongKey)
        var damaged = versions.after
        for page in 1..<(damaged.count / 4096 - 1) { damaged[EncryptedLayout.offset(ofPage: page)] ^= 1 }
        let damage = error(damaged)
        #expect(damage?.code == .invalidDatabase)
        #expect(damage?.message.contains("a damaged page in an encrypted file") == true)
    }

    // MARK: Permanent damage

    /// Counts the reads of a file. Confined to one thread.
    private final class CountingFile: DatabaseFile, @unchecked Sendable {
        let file: ImageFile
        var reads = 0

        init(_ file: ImageFile) { self.file = file }

        var path: String { file.path }
        func size() throws -> Int { try file.size() }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
            reads += 1
            try file.read(into: buffer, at: offset)
        }
        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws { try file.write(bytes, at: offset) }
        func resize(to size: Int) throws { try file.resize(to: size) }
        func sync() throws {}
        func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping { throw Failure("it is not mapped") }
    }

    /// A damaged page is read again, since another process may be writing it, but without waiting. Of many damaged
    /// pages, none is waited for.
    @Test func onlyTheFirstReadOfDamageWaits() throws {
        let pageCount = 120
        var image = try EncryptedImage.encrypt(
            FileHeader.new + [UInt8](repeating: 1, count: pageCount * 4096 - FileHeader.new.count))
        for page in 1..<pageCount { image[EncryptedLayout.offset(ofPage: page)] ^= 1 }
        let disk = CountingFile(try ImageFile(image))
        let file = try EncryptedFile(disk, cipher: QuickCipher())
        func readsOfDamage(_ page: Int) throws -> Int {
            let start = disk.reads
            var byte: [UInt8] = [0]
            #expect(throws: StorageError.self) {
                try byte.withUnsafeMutableBytes { try file.read(into: $0, at: page * 4096) }
            }
            return disk.reads - start
        }
        let first = try readsOfDamage(1)
        #expect(try readsOfDamage(1) < first)
        for page in 2..<(pageCount - 1) { _ = try readsOfDamage(page) }
        #expect(try readsOfDamage(pageCount - 1) < first)
        try file.refresh()
        #expect(try readsOfDamage(1) <= 4)
        try disk.write([image[EncryptedLayout.offset(ofPage: 1)] ^ 1], at: EncryptedLayout.offset(ofPage: 1))
        #expect(try file.bytes(1, at: 4096) == [1])
    }
}
