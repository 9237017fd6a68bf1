// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// The layer of encrypted pages, without a database.
@Suite struct EncryptedFileTests {
    private typealias Layout = EncryptedLayout

    private struct Pair {
        let disk: DiskFile
        let file: EncryptedFile

        init(cipher: any PageCipher = QuickCipher()) throws {
            disk = try DiskFile.anonymous(in: TemporaryFolder.base)
            file = try EncryptedFile(disk, cipher: cipher)
        }

        func reopened() throws -> EncryptedFile { try EncryptedFile(disk, cipher: file.cipher) }
    }

    private func read(_ file: any DatabaseFile, _ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: range.lowerBound) }
        return bytes
    }

    private static let start = FileHeader.new + [UInt8](repeating: 0, count: 4072)

    private func error(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    // MARK: Comparison with a plain file

    /// Records the content encrypted with each counter of a page. `lock` guards the records.
    private final class WatchingCipher: PageCipher, @unchecked Sendable {
        private let cipher = QuickCipher()
        private let lock = Lock()
        private var used: [PageVectorKey: [UInt8]] = [:]
        private(set) var reused = 0

        private struct PageVectorKey: Hashable { let low, high: UInt64 }

        func encrypt(
            _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
        ) {
            cipher.encrypt(page, into: result, vector: vector)
            lock.locked {
                let key = PageVectorKey(low: vector.low, high: vector.high)
                if let before = used[key], before != Array(page) { reused += 1 }
                used[key] = Array(page)
            }
        }

        func decrypt(
            _ page: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer, vector: PageVector
        ) { cipher.decrypt(page, into: result, vector: vector) }

        func tag(of ciphertext: UnsafeRawBufferPointer) -> PageTag { cipher.tag(of: ciphertext) }
    }

    @Test func randomWritesMatchAModel() throws {
        var generator = SeededGenerator(for: "encrypted file")
        let cipher = WatchingCipher()
        let pair = try Pair(cipher: cipher)
        let mapping = try pair.file.map(fileWindow: 1 << 22, slabWindow: 0)
        var model = EncryptedFileTests.start
        var durable = model
        try pair.file.write(model, at: 0)
        try pair.file.sync()
        for _ in 0..<600 {
            switch generator.below(10) {
            case 0..<6:
                let offset = 24 + generator.below(min(model.count, 600_000) + generator.pick([0, 0, 50_000]))
                let bytes = (0..<generator.pick([1, 8, 300, 5000, 20_000])).map { _ in UInt8(generator.below(256)) }
                let end = (offset + bytes.count + 4095) & ~4095
                if end > model.count { model += Array(repeating: 0, count: end - model.count) }
                model.replaceSubrange(offset..<offset + bytes.count, with: bytes)
                try pair.file.write(bytes, at: offset)
            case 6..<8:
                try pair.file.sync()
                durable = model
                try requireEqual(try read(pair.reopened(), 0..<model.count) == durable, true, "what is in the file")
            case 8 where generator.chance(30):
                // Bytes cut off before they were written are lost.
                try pair.file.sync()
                let size = 4096 * (1 + generator.below(model.count / 4096))
                model.removeSubrange(size...)
                try pair.file.resize(to: size - generator.below(4096))
            default:
                try pair.file.refresh()
            }
            let size = try pair.file.size()
            try requireEqual(size, model.count, "the size")
            try requireEqual(try pair.disk.size(), Layout.fileByteCount(dataByteCount: size), "the size on disk")
            let place = generator.below(size)
            let range = place..<min(size, place + generator.below(9000))
            try require(try read(pair.file, range) == Array(model[range]), "what is read")
            // Pages that were never written have no content in the mapping.
            let page = place / 4096
            if model[(page * 4096)..<(page + 1) * 4096].contains(where: { $0 != 0 }) {
                try mapping.pages?.require(page * 4096, 4096)
                let mapped = Array(UnsafeRawBufferPointer(start: mapping.base + page * 4096, count: 4096))
                try require(mapped == Array(model[(page * 4096)..<(page + 1) * 4096]), "what is mapped")
            }
        }
        #expect(cipher.reused == 0)
    }

    /// Pages are read again once another process has written them, even without `refresh`.
    @Test func readsSeeTheWritesOfOthers() throws {
        var generator = SeededGenerator(for: "two encrypted files")
        let pair = try Pair()
        var model = EncryptedFileTests.start + [UInt8](repeating: 0, count: 9 * 4096)
        try pair.file.write(model, at: 0)
        try pair.file.sync()
        let reader = try pair.reopened()
        for _ in 0..<500 {
            let offset = 24 + generator.below(model.count - 24)
            if generator.chance(30) {
                let bytes = (0..<1 + generator.below(min(5000, model.count - offset))).map { _ in
                    UInt8(generator.below(256))
                }
                model.replaceSubrange(offset..<offset + bytes.count, with: bytes)
                try pair.file.write(bytes, at: offset)
                try pair.file.sync()
            }
            let range = generator.chance(50) ? 0..<24 : offset..<min(model.count, offset + generator.below(9000))
            try require(try read(reader, range) == Array(model[range]), "what is read")
        }
    }

    /// A file is cut at the end of a block, which leaves the entries of the next block, and then further.
    @Test func countersOutliveTwoCuts() throws {
        let cipher = WatchingCipher()
        let pair = try Pair(cipher: cipher)
        try pair.file.write(EncryptedFileTests.start, at: 0)
        for (round, size) in [64 * 4096, 10 * 4096].enumerated() {
            for value in 0..<2 {
                let bytes = [UInt8](repeating: UInt8(1 + round * 2 + value), count: 4096)
                try pair.file.write(bytes, at: 65 * 4096)
                try pair.file.sync()
            }
            try pair.file.resize(to: 64 * 4096)
            try pair.file.resize(to: size)
        }
        try pair.file.write([UInt8](repeating: 9, count: 4096), at: 65 * 4096)
        try pair.file.sync()
        #expect(cipher.reused == 0)
    }

    // MARK: Interrupted writes

    private func twoVersions() throws -> (pair: Pair, first: [UInt8], second: [UInt8]) {
        let pair = try Pair()
        try pair.file.write(EncryptedFileTests.start, at: 0)
        try pair.file.write([UInt8](repeating: 1, count: 4096), at: 4096)
        try pair.file.sync()
        let first = try read(pair.disk, 0..<pair.disk.size())
        try pair.file.write([UInt8](repeating: 2, count: 4096), at: 4096)
        try pair.file.sync()
        return (pair, first, try read(pair.disk, 0..<pair.disk.size()))
    }

    @Test func anEntryWithoutItsPageLeavesTheOldContent() throws {
        let (pair, first, second) = try twoVersions()
        // The entry of the second write and the page of the first.
        try pair.disk.write(Array(first[Layout.offset(ofPage: 1)...]), at: Layout.offset(ofPage: 1))
        let recovered = try pair.reopened()
        #expect(try read(recovered, 4096..<8192) == Array(repeating: 1, count: 4096))
        // The next write continues after the announced counter, and can be interrupted too.
        try recovered.write([3], at: 5000)
        try recovered.sync()
        #expect(try EntryPage(pair.disk, block: 0)[1].newest.counter == 3)
        #expect(try EntryPage(pair.disk, block: 0)[1].previous.counter == 1)
        try pair.disk.write(Array(first[Layout.offset(ofPage: 1)...]), at: Layout.offset(ofPage: 1))
        #expect(try read(pair.reopened(), 4096..<8192) == Array(repeating: 1, count: 4096))
        // A page without its entry, which the barrier excludes, is damage.
        try pair.disk.write(Array(second[Layout.offset(ofPage: 1)...]), at: Layout.offset(ofPage: 1))
        #expect(error { _ = try read(try pair.reopened(), 4096..<8192) }?.code == .invalidDatabase)
    }

    @Test func anInterruptedFirstWriteLeavesNothing() throws {
        let (pair, first, _) = try twoVersions()
        try pair.disk.write(Array(first[..<8192]), at: 0)
        try pair.disk.write([UInt8](repeating: 0, count: 4096), at: Layout.offset(ofPage: 1))
        let file = try pair.reopened()
        #expect(try read(file, 4096..<8192) == Array(repeating: 0, count: 4096))
        let mapping = try file.map(fileWindow: 1 << 20, slabWindow: 0)
        let missing = error { try mapping.pages?.require(4096, 8) }
        #expect(missing?.message.contains("never written") == true)
        #expect(missing?.offset == 4096)
        #expect(error { try mapping.pages?.require(40_960, 8) }?.message.contains("never written") == true)
        try file.write([7], at: 4100)
        try file.sync()
        #expect(try EntryPage(pair.disk, block: 0)[1].newest.counter == 2)
        #expect(try EntryPage(pair.disk, block: 0)[1].previous == .none)
        #expect(try read(pair.reopened(), 4099..<4102) == [0, 7, 0])
    }

    /// The file was cut and has grown again, with zeros under a stale entry.
    @Test func zerosUnderAnEntryWithTwoSealsAreNotContent() throws {
        let (pair, _, _) = try twoVersions()
        #expect(try read(pair.file, 4096..<8192) == Array(repeating: 2, count: 4096))
        try pair.file.resize(to: 4096)
        try pair.file.resize(to: 8192)
        #expect(try EntryPage(pair.disk, block: 0)[1].newest.counter == 2)
        for file in [pair.file, try pair.reopened()] {
            #expect(try read(file, 4096..<8192) == Array(repeating: 0, count: 4096))
        }
        try pair.file.write([1], at: 8191)
        try pair.file.sync()
        #expect(try EntryPage(pair.disk, block: 0)[1].newest.counter == 3)
    }

    // MARK: Damage

    @Test func damageIsNamedAndDoesNotSpread() throws {
        let (pair, _, second) = try twoVersions()
        for place in [0, 1, 4095] {
            let offset = Layout.offset(ofPage: 1) + place
            try pair.disk.write(second, at: 0)
            try pair.disk.write([second[offset] ^ 1], at: offset)
            let file = try pair.reopened()
            let mapping = try file.map(fileWindow: 1 << 20, slabWindow: 0)
            for damage in [
                error { _ = try read(file, 4096..<4097) }, error { try mapping.pages?.require(4096, 8) },
                // A part of it can't be changed, since the rest is unknown.
                error { try file.write([1], at: 5000) },
            ] {
                #expect(damage?.code == .invalidDatabase)
                #expect(damage?.offset == 4096)
                #expect(damage?.path == pair.disk.path)
                #expect(damage?.message.contains("damaged page") == true)
                #expect(damage?.message.contains("8192") == true)
            }
            #expect(try read(file, 0..<4096) == EncryptedFileTests.start)
            try file.write([UInt8](repeating: 9, count: 4096), at: 4096)
            try file.sync()
            #expect(try read(pair.reopened(), 4096..<8192) == Array(repeating: 9, count: 4096))
        }
    }

    /// A page that was written once and doesn't match its tag isn't an interrupted first write, which would leave
    /// zeros.
    @Test func damageOfAPageThatWasWrittenOnceIsDamage() throws {
        let (pair, first, _) = try twoVersions()
        try pair.disk.write(first, at: 0)
        try pair.disk.write([first[9000] ^ 1], at: 9000)
        let file = try pair.reopened()
        #expect(error { _ = try read(file, 4096..<4097) }?.message.contains("damaged page") == true)
        #expect(error { try file.write([1], at: 5000) }?.message.contains("damaged page") == true)
    }

    @Test func wrongKeysAreDistinguishedFromDamage() throws {
        let (pair, _, _) = try twoVersions()
        #expect(error { _ = try EncryptedFile(pair.disk, cipher: QuickCipher(tagKey: 9)) }?.code == .wrongKey)
        let half = error { _ = try EncryptedFile(pair.disk, cipher: QuickCipher(cipherKey: 9)) }
        #expect(half?.code == .wrongKey)
        #expect(half?.message.contains("decrypts to something else") == true)
        for size in [1, 24, 4096, 8191] {
            try pair.disk.resize(to: size)
            let short = error { _ = try EncryptedFile(pair.disk, cipher: QuickCipher()) }
            #expect(short?.message == "not an encrypted Realm file: it has only \(size) bytes")
        }
        for size in [24, 4096, 8192, 65536] {
            try pair.disk.resize(to: 0)
            try pair.disk.write(FileHeader.new, at: 0)
            try pair.disk.resize(to: size)
            let plain = error { _ = try EncryptedFile(pair.disk, cipher: QuickCipher()) }
            #expect(plain?.message.contains("not encrypted") == true)
            #expect(plain?.code == .wrongKey)
        }
    }

    /// A wrong key must not make a database look like an empty file, because an opening would initialise it.
    @Test func aWrongKeyLeavesTheFileAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        do { _ = try Database.open(path, cipher: QuickCipher()) }
        let before = try Images.read(path)
        #expect(before.count == 8192)
        for cipher in [QuickCipher(cipherKey: 7), QuickCipher(tagKey: 7)] {
            #expect(error { _ = try Database.open(path, cipher: cipher) }?.code == .wrongKey)
        }
        #expect(error { _ = try Database.open(path) }?.code == .invalidDatabase)
        #expect(try Images.read(path) == before)
    }

    // MARK: Other writers

    /// An unprotected top array is read without a refresh, and may be on a new page.
    @Test func aPageThatAnotherWriterAddedIsSeenAtOnce() throws {
        let pair = try Pair()
        try pair.file.write(EncryptedFileTests.start, at: 0)
        try pair.file.sync()
        let reader = try pair.reopened()
        #expect(try read(reader, 0..<24).count == 24)
        try pair.file.write([UInt8](repeating: 5, count: 4096), at: 7 * 4096)
        try pair.file.sync()
        #expect(try read(reader, 6 * 4096..<7 * 4096) == Array(repeating: 0, count: 4096))
        #expect(try read(reader, 7 * 4096..<8 * 4096) == Array(repeating: 5, count: 4096))
    }

    @Test func theWritesOfAnotherWriterAreSeenAfterARefresh() throws {
        let pair = try Pair()
        let words = (0..<4096).map { $0 % 8 == 0 ? UInt8(truncatingIfNeeded: $0 / 8) : 0 }
        try pair.file.write(EncryptedFileTests.start + words + words, at: 0)
        try pair.file.sync()
        let reader = try pair.reopened()
        let mapping = try reader.map(fileWindow: 1 << 20, slabWindow: 0)
        let pages = try #require(mapping.pages)
        func byte(_ offset: Int) throws -> UInt8 {
            try pages.require(offset, 1)
            return mapping.base.load(fromByteOffset: offset, as: UInt8.self)
        }
        #expect(try byte(4096 + 80) == 10)
        try pair.file.write([77], at: 4096 + 80)
        try pair.file.write([78], at: 8192 + 80)
        try pair.file.write([79], at: 40_000)
        try pair.file.sync()
        #expect(try byte(4096 + 80) == 10)
        // A page read for the first time is as new as the file.
        #expect(try byte(8192 + 80) == 78)
        try reader.refresh()
        #expect(try byte(4096 + 80) == 77)
        #expect(try byte(4096 + 88) == 11)
        #expect(try byte(40_000) == 79)
        #expect(try read(reader, 4176..<4177) == [77])
    }

    /// Pages in memory after a failed commit neither hide nor overwrite later writes of another process.
    @Test func leftoversYieldToTheWritesOfOthers() throws {
        let pair = try Pair()
        try pair.file.write(EncryptedFileTests.start + EncryptedFileTests.start, at: 0)
        try pair.file.sync()
        let other = try pair.reopened()
        try pair.file.write([1], at: 5000)
        try other.write([2], at: 6000)
        try other.sync()
        try pair.file.refresh()
        try pair.file.write([3], at: 7000)
        try pair.file.sync()
        let all = try read(try pair.reopened(), 4096..<8192)
        #expect((all[904], all[1904], all[2904]) == (0, 2, 3))
    }

    @Test func readingNextToAnotherWriter() throws {
        let pair = try Pair()
        try pair.file.write(EncryptedFileTests.start, at: 0)
        for page in 1..<20 { try pair.file.write([UInt8](repeating: 1, count: 4096), at: page * 4096) }
        try pair.file.sync()
        let reader = try pair.reopened()
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            do {
                for value in 2..<120 as Range<UInt8> {
                    for page in 1..<20 {
                        try pair.file.write([UInt8](repeating: value, count: 4096), at: page * 4096)
                    }
                    try pair.file.sync()
                }
            } catch {
                Issue.record(error)
            }
        }
        repeat {
            try reader.refresh()
            for page in 1..<20 {
                let bytes = try read(reader, page * 4096..<(page + 1) * 4096)
                try require(Set(bytes).count == 1, "a page with more than one content")
            }
        } while group.wait(timeout: .now()) == .timedOut
        try reader.refresh()
        #expect(try read(reader, 4096..<20 * 4096).allSatisfy { $0 == 119 })
    }

    @Test func largeTransactionsAreWrittenInParts() throws {
        let pair = try Pair()
        let bytes = (0..<(20 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 12 ^ $0) }
        try pair.file.write(EncryptedFileTests.start, at: 0)
        for offset in stride(from: 0, to: bytes.count, by: 1 << 20) {
            try pair.file.write(Array(bytes[offset..<offset + 1 << 20]), at: 4096 + offset)
            #expect(pair.file.dirty.count < 4096 + 256)
        }
        try pair.file.sync()
        #expect(pair.file.dirty.isEmpty)
        #expect(try read(pair.reopened(), 4096..<4096 + bytes.count) == bytes)
    }
}
