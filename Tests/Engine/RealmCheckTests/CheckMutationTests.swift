// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmTestSupport
import TestTraits
import Testing

/// The audit of randomly changed bytes.
@Suite(.timeLimited) struct CheckMutationTests {
    @Test(arguments: FileMutator.fixtures(byteLimit: 40_000))
    func changedBytesEndInAReport(_ name: String) throws {
        let file = try FileEditor(name)
        let seed = FileMutator.seed
        var mutator = FileMutator(seed: seed)
        var found = 0
        for _ in 0..<100 {
            let bytes = mutator.mutated(file.bytes)
            found += FileChecker.check(bytes: bytes).isClean ? 0 : 1
        }
        // A third of the bytes of the smallest fixture is significant, and far more in the others.
        #expect(found > 1, "seed \(seed): only \(found) of 100 were reported")
    }

    @Test(arguments: FileMutator.fixtures(byteLimit: 5_000))
    func everyLengthEndsInAReport(_ name: String) throws {
        let file = try FileEditor(name)
        for count in stride(from: 0, to: file.bytes.count, by: 8) {
            let report = FileChecker.check(bytes: Array(file.bytes.prefix(count)))
            #expect(name == "empty" || !report.isClean, "\(count) bytes")
        }
    }

    @Test func everyByteOfASmallFileCanBeAnything() throws {
        let file = try FileEditor("no-history")
        let used = FileChecker.check(bytes: file.bytes).statistics.nodeByteCount
        #expect(used < 400)
        var bytes = file.bytes
        for at in 0..<1024 {
            for value: UInt8 in [0, 1, 2, 7, 8, 0x1F, 0x40, 0x7F, 0x80, 0xC0, 0xFF] {
                bytes[at] = value
                _ = FileChecker.check(bytes: bytes)
            }
            bytes[at] = file.bytes[at]
        }
        #expect(FileChecker.check(bytes: bytes).isClean)
    }
}
