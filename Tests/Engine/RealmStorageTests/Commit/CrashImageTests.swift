// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// The crash test itself: it makes the intended images and finds the intended errors.
@Suite struct CrashImageTests {
    private func images(_ image: CrashImage) -> Set<[UInt8]> {
        var result: Set<[UInt8]> = []
        _ = image.everyImage { result.insert($0) }
        return result
    }

    @Test func everySubsetAndSize() {
        var image = CrashImage(of: [1, 1])
        image.apply(.write(offset: 0, bytes: [2]))
        image.apply(.write(offset: 1, bytes: [2, 2]))
        #expect(
            images(image) == [[1, 1], [2, 1], [1, 2], [2, 2], [1, 1, 0], [2, 1, 0], [1, 2, 2], [2, 2, 2]])
        image.apply(.sync)
        #expect(images(image) == [[2, 2, 2]])
    }

    @Test func everyOrderOfOverlappingWrites() {
        var image = CrashImage(of: [0])
        image.apply(.write(offset: 0, bytes: [1]))
        image.apply(.write(offset: 0, bytes: [2]))
        #expect(images(image) == [[0], [1], [2]])
        // Only reordering can keep the first part of the younger write and the second part of the older one.
        func wide(_ disk: CrashImage.Disk) -> CrashImage {
            var image = CrashImage(of: [0, 0, 0], on: disk)
            image.apply(.write(offset: 0, bytes: [1, 1]))
            image.apply(.write(offset: 1, bytes: [2, 2]))
            return image
        }
        var disk = CrashImage.Disk()
        #expect(images(wide(disk)) == [[0, 0, 0], [1, 1, 0], [0, 2, 2], [1, 2, 2], [1, 1, 2]])
        disk.reordersOverlaps = false
        #expect(images(wide(disk)) == [[0, 0, 0], [1, 1, 0], [0, 2, 2], [1, 2, 2]])
    }

    @Test func tearsAtSectorsAndPages() {
        func image(_ disk: CrashImage.Disk) -> CrashImage {
            var image = CrashImage(of: Array(repeating: 0, count: 8192), on: disk)
            image.apply(.write(offset: 3584, bytes: Array(repeating: 1, count: 1536)))
            return image
        }
        // Three sectors, two of them in the second page.
        func parts(_ image: [UInt8]) -> [UInt8] { [image[3584], image[4096], image[4608]] }
        var disk = CrashImage.Disk()
        #expect(Set(images(image(disk)).map(parts)).count == 8)
        disk.tear = 4096
        #expect(Set(images(image(disk)).map(parts)) == [[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 1]])
    }

    @Test func writesBeforeAFailedSyncStayInDoubt() {
        var image = CrashImage(of: Array(repeating: 0, count: 1024))
        image.apply(.write(offset: 0, bytes: [1]))
        image.apply(.write(offset: 600, bytes: [1]))
        image.apply(.failedSync)
        image.apply(.sync)
        func parts(_ image: [UInt8]) -> [UInt8] { [image[0], image[1], image[600]] }
        #expect(Set(images(image).map(parts)) == [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]])
        // A new write includes the rest of its sector.
        image.apply(.write(offset: 1, bytes: [2]))
        #expect(
            Set(images(image).map(parts)) == [
                [0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 0, 1], [1, 0, 1], [1, 2, 1],
            ])
        image.apply(.sync)
        #expect(Set(images(image).map(parts)) == [[1, 2, 0], [1, 2, 1]])
    }

    @Test func randomImagesAreAmongAllImages() {
        var generator = SeededGenerator(for: "crash images")
        var image = CrashImage(of: Array(repeating: 0, count: 100))
        image.apply(.write(offset: 500, bytes: [1, 1, 1, 1]))
        image.apply(.resize(2000))
        image.apply(.write(offset: 502, bytes: Array(repeating: 2, count: 100)))
        let all = images(image)
        for kept in CrashImage.Kept.allCases {
            for _ in 0..<200 { #expect(all.contains(image.crashed(keeping: kept, using: &generator))) }
        }
    }

    /// A file that loses some of its syncs. Confined to one thread, hence `Sendable` unchecked.
    private final class LazyFile: DatabaseFile, @unchecked Sendable {
        let file: any DatabaseFile
        let loses: @Sendable (Int) -> Bool
        private var syncs = 0

        init(_ file: any DatabaseFile, loses: @escaping @Sendable (Int) -> Bool) {
            self.file = file
            self.loses = loses
        }

        var path: String { file.path }
        func size() throws -> Int { try file.size() }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
            try file.read(into: buffer, at: offset)
        }
        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws { try file.write(bytes, at: offset) }
        func resize(to size: Int) throws { try file.resize(to: size) }
        func sync() throws {
            syncs += 1
            if !loses(syncs) { try file.sync() }
        }
        func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
            try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
        }
    }

    @Test(arguments: [0, 1]) func aMissingSyncIsFound(parity: Int) throws {
        let configuration = CrashConfiguration(name: "lazy") { LazyFile($0) { $0 > 1 && $0 % 2 == parity } }
        #expect(throws: Failure.self) {
            try CrashRun(.small, configuration, seed: 1).tryEveryImage(with: CrashVerifier())
        }
    }
}
