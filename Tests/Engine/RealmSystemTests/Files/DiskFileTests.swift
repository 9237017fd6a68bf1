// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@Suite struct DiskFileTests {
    private func read(_ file: DiskFile, _ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: range.count)
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: range.lowerBound) }
        return bytes
    }

    private func write(_ bytes: [UInt8], to file: DiskFile, at offset: Int) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }

    @Test func writesReadsAndSizes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let file = try DiskFile.open(path, readOnly: false, creation: .createIfMissing)
        #expect(try file.size() == 0)
        try write([1, 2, 3], to: file, at: 5)
        #expect(try file.size() == 8)
        #expect(try read(file, 0..<8) == [0, 0, 0, 0, 0, 1, 2, 3])
        try file.resize(to: 6)
        try file.resize(to: 10)
        #expect(try read(file, 4..<10) == [0, 1, 0, 0, 0, 0])
        try file.sync()
        #expect(throws: SystemError.self) { try read(file, 8..<11) }
        let reader = try DiskFile.open(path, readOnly: true)
        #expect(try read(reader, 0..<10) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        #expect(throws: SystemError.self) { try write([1], to: reader, at: 0) }
    }

    @Test func otherFileKindsAreRejected() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError.self) { try DiskFile.open(folder.path + "/absent", readOnly: false) }
        #expect(throws: SystemError.self) { try DiskFile.open(folder.path + "/absent", readOnly: true) }
        #expect(throws: SystemError.self) { try DiskFile.open(folder.path, readOnly: true) }
    }

    @Test func renameReplaces() throws {
        let folder = try TemporaryFolder()
        try Images.write([1], to: folder.path + "/a")
        try Images.write([2, 2], to: folder.path + "/b")
        try DiskFile.rename(folder.path + "/a", to: folder.path + "/b")
        #expect(try Images.read(folder.path + "/b") == [1])
        #expect(throws: SystemError.self) { try DiskFile.rename(folder.path + "/a", to: folder.path + "/b") }
    }

    @Test func anonymousFilesAreApart() throws {
        let files = try (0..<3).map { _ in try DiskFile.anonymous(in: TemporaryFolder.base) }
        for (index, file) in files.enumerated() { try write([UInt8(index)], to: file, at: 0) }
        for (index, file) in files.enumerated() { #expect(try read(file, 0..<1) == [UInt8(index)]) }
        #expect(throws: SystemError.self) { try DiskFile.anonymous(in: "/no/such/folder") }
    }

    @Test func theMappingFollowsTheFile() throws {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        try write([1, 2, 3], to: file, at: 0)
        let mapping = try file.map(fileWindow: 1 << 20, slabWindow: 1 << 20)
        func byte(_ offset: Int) -> UInt8 { mapping.base.load(fromByteOffset: offset, as: UInt8.self) }
        #expect((byte(0), byte(2)) == (1, 3))
        try write([9], to: file, at: 300_000)
        #expect(byte(300_000) == 9)
        let slab = 1 << 20
        for _ in 0..<2 { #expect(mapping.openSlab()) }
        #expect(byte(slab + 100) == 0)
        for page in 0..<4 { mapping.base.storeBytes(of: 7, toByteOffset: slab + page * 4096 + 100, as: UInt8.self) }
        mapping.discardSlab(from: 5000)
        #expect((byte(slab + 100), byte(slab + 4096 + 100)) == (7, 7))
        #expect((byte(slab + 2 * 4096 + 100), byte(slab + 3 * 4096 + 100)) == (0, 0))
        #expect(try file.size() == 300_001)
    }
}
