// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSystem
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Files that are longer than the part of them which is in memory.
    @Suite struct FrameFileTests {
        private let folder: TemporaryFolder
        private var path: String { folder.path + "/file" }

        init() throws { folder = try TemporaryFolder() }

        private static let sizes = [0, 1, 3 << 20, 17, (1 << 20) - FrameFile.frameHead, 1 << 20, 100, 2_000_000]

        /// Writes the file, and returns the contents with their offsets.
        private func write() throws -> (bytes: [UInt8], frames: [(offset: Int, content: [UInt8])]) {
            let header = FrameFile.Header(partition: "p", generation: 3, salt: 0x0102_0304_0506_0708)
            var bytes = FrameFile.encoded(header)
            var frames: [(offset: Int, content: [UInt8])] = []
            for (number, size) in Self.sizes.enumerated() {
                let content = [UInt8](repeating: UInt8(number), count: size)
                frames.append((bytes.count + FrameFile.frameHead, content))
                bytes += FrameFile.frame(content, UInt64(number), salt: header.salt)
            }
            return (bytes, frames)
        }

        private func read(_ bytes: [UInt8]) throws -> [(offset: Int, content: [UInt8])] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            var found: [(offset: Int, content: [UInt8])] = []
            let content = try FrameFile.read(try DiskFile.open(path, readOnly: true), path: path) { header in
                #expect(header.partition == "p" && header.generation == 3)
            } frame: { frame, offset in
                found.append((offset, Array(frame)))
            }
            #expect(content?.frameCount == UInt64(found.count) && content?.size == bytes.count)
            return found
        }

        @Test func framesOfAnySizeAreRead() throws {
            let (bytes, frames) = try write()
            #expect(try read(bytes).elementsEqual(frames, by: ==))
        }

        @Test func anIncompleteLastFrameIsIgnored() throws {
            let (bytes, frames) = try write()
            for missing in [1, 1_999_999, 2_000_000 + FrameFile.frameHead - 1] {
                #expect(try read(Array(bytes.dropLast(missing))).elementsEqual(frames.dropLast(), by: ==))
            }
        }

        /// The frame after the damaged one begins megabytes later.
        @Test func aDamagedFrameBeforeAnotherIsAnError() throws {
            var (bytes, frames) = try write()
            bytes[frames[2].offset + 10] ^= 1
            let error = #expect(throws: StoreError.self) { try read(bytes) }
            #expect(error?.offset == frames[2].offset - FrameFile.frameHead)
        }
    }
#endif
