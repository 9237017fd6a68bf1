// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSystem

@Suite struct BackgroundWriterTests {
    @Test func allIsThereWhenItHasFinished() throws {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        let writer = try BackgroundWriter(file)
        var generator = SeededGenerator(for: "background writer")
        var (expected, buffer): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<50 {
            #expect(buffer.isEmpty)
            buffer = (0..<1 + generator.below(5000)).map { _ in UInt8(generator.below(256)) }
            let offset = expected.count
            expected += buffer
            try writer.write(&buffer, at: offset)
            if generator.chance(20) { try writer.finish() }
        }
        try writer.finish()
        #expect(try file.contents() == expected)
    }

    @Test func aFailureIsThrownWithoutAWait() throws {
        for count in 0..<4 {
            let file = FaultyFile(try DiskFile.anonymous(in: TemporaryFolder.base))
            file.failNext(.write, after: count)
            let writer = try BackgroundWriter(file)
            #expect(throws: SystemError.self) {
                for place in 0..<5 {
                    var bytes = [UInt8](repeating: 1, count: 100)
                    try writer.write(&bytes, at: place * 100)
                }
                try writer.finish()
            }
        }
    }

    /// The code that ends the writer may close the file.
    @Test func queuedBytesAreWrittenWhenTheWriterIsReleased() throws {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        for round in 0..<20 {
            var bytes = [UInt8](repeating: UInt8(round), count: 10_000)
            try BackgroundWriter(file).write(&bytes, at: 0)
            #expect(try file.contents() == [UInt8](repeating: UInt8(round), count: 10_000))
        }
    }
}
