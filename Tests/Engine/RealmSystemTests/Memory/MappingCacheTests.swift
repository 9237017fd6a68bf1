// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@Suite struct MappingCacheTests {
    private static let byteCount = 1 << 16
    private let one = FileIdentity(device: 1, number: 1)
    private let other = FileIdentity(device: 1, number: 2)
    private let kept = MappingCache(milliseconds: 3_600_000)

    private struct Region {
        let path: String
        let start: UnsafeMutableRawPointer

        init(_ folder: TemporaryFolder, _ name: String) throws {
            path = folder.path + "/" + name
            try Images.write([UInt8](repeating: 1, count: byteCount), to: path)
            let descriptor = open(path, O_RDONLY)
            defer { close(descriptor) }
            let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
            self.start = try #require(start == MAP_FAILED ? nil : start)
        }

        /// Always true if the system doesn't provide this information.
        func isMapped(_ expected: Bool) -> Bool {
            guard let maps = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() else {
                return true
            }
            return (maps.range(of: Data(path.utf8)) != nil) == expected
        }

        func waitUntilUnmapped() async throws {
            for _ in 0..<120_000 {
                if isMapped(false) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(isMapped(false))
        }
    }

    @Test func isTakenOnceByItsFileInItsSize() throws {
        let folder = try TemporaryFolder()
        let region = try Region(folder, "a")
        let byteCount = MappingCacheTests.byteCount
        #expect(kept.take(one, byteCount: byteCount) == nil)
        kept.keep(region.start, byteCount: byteCount, of: one)
        #expect(kept.take(other, byteCount: byteCount) == nil)
        #expect(kept.take(one, byteCount: byteCount * 2) == nil)
        #expect(kept.take(one, byteCount: byteCount) == region.start)
        #expect(kept.take(one, byteCount: byteCount) == nil)
        kept.drop()
        #expect(region.isMapped(true))
        munmap(region.start, byteCount)
    }

    @Test func onlyTheLastOneIsKept() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try Region(folder, "a"), try Region(folder, "b"))
        kept.keep(first.start, byteCount: MappingCacheTests.byteCount, of: one)
        kept.keep(second.start, byteCount: MappingCacheTests.byteCount, of: other)
        #expect(kept.take(one, byteCount: MappingCacheTests.byteCount) == nil)
        try await first.waitUntilUnmapped()
        #expect(second.isMapped(true))
        kept.drop()
        #expect(second.isMapped(false))
    }

    /// The second region is kept from the middle of the first one's time on, and checked again when its own time is
    /// over.
    @Test func isUnmappedInTime() async throws {
        let kept = MappingCache(milliseconds: 200)
        let folder = try TemporaryFolder()
        let (first, second) = (try Region(folder, "a"), try Region(folder, "b"))
        kept.keep(first.start, byteCount: MappingCacheTests.byteCount, of: one)
        try await Task.sleep(for: .milliseconds(100))
        kept.keep(second.start, byteCount: MappingCacheTests.byteCount, of: other)
        try await second.waitUntilUnmapped()
        #expect(kept.take(other, byteCount: MappingCacheTests.byteCount) == nil)
        // The watch ends until another region is kept.
        let third = try Region(folder, "c")
        kept.keep(third.start, byteCount: MappingCacheTests.byteCount, of: one)
        try await third.waitUntilUnmapped()
    }

    /// Bytes that others wrote or appended meanwhile are visible, whether or not the file is mapped again.
    @Test func aFileThatIsMappedAgainShowsItsContents() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try Images.write([1, 2], to: path)
        for round in 0..<10 as Range<UInt8> {
            let file = try DiskFile.open(path, readOnly: round % 2 == 0)
            let mapping = try file.map(fileWindow: 1 << 20, slabWindow: 0)
            let bytes = UnsafeRawBufferPointer(start: mapping.base, count: 2 + Int(round) * 5000)
            #expect(bytes.last == (round == 0 ? 2 : round - 1))
            #expect(bytes[0] == round + 1)
            let writer = try DiskFile.open(path, readOnly: false)
            try [round + 2].withUnsafeBytes { try writer.write($0, at: 0) }
            try [UInt8](repeating: round, count: 5000).withUnsafeBytes { try writer.write($0, at: bytes.count) }
        }
    }
}
