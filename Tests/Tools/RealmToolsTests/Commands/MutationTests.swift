// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmTestSupport
import RealmTools
import TestTraits
import Testing

/// Damaged files soon cause a result or an error, and never a trap.
///
/// `REGNUM_FUZZ_COUNT` sets the number of damaged copies of each small fixture; `REGNUM_SEED` repeats a run.
@Suite(.timeLimited) struct MutationTests {
    private static let commands = [
        ["info"], ["schema"], ["schema", "--swift"], ["dump", "--history"], ["check"], ["stats"],
    ]
    private static let count = Settings.number("REGNUM_FUZZ_COUNT") ?? 10

    static let small = (Fixture.readable + Fixture.old).filter { (try? $0.bytes().count) ?? .max < 70 * 1024 }

    @Test(arguments: small) func damagedFilesAreRefusedOrRead(_ fixture: Fixture) throws {
        let seed = UInt64(Settings.number("REGNUM_SEED") ?? 24)
        print("\(fixture.name): REGNUM_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        for number in 0..<MutationTests.count {
            let path = try fixture.copy(into: folder) { MutationTests.damage(&$0, &random) }
            for command in MutationTests.commands {
                let trace = "\(fixture.name), mutant \(number) of REGNUM_SEED=\(seed), \(command)"
                try MutationTests.run(command + [path], trace)
            }
        }
    }

    /// Damage to the encrypted bytes, which the pages' authentication codes detect.
    @Test(arguments: Fixture.encrypted) func damagedEncryptedFilesAreRefusedOrRead(_ fixture: Fixture) throws {
        var random = SeededGenerator(for: fixture.name)
        let folder = try TemporaryFolder()
        for number in 0..<MutationTests.count / 2 {
            let path = try fixture.copy(into: folder) { bytes in
                MutationTests.damage(&bytes, &random)
                if random.chance(20) { bytes.removeSubrange(random.below(bytes.count)...) }
                // Entries are a small part of the file, and have to be hit too. A file that was cut at its first byte
                // has nothing left to damage.
                if !bytes.isEmpty, random.chance(50) { bytes[random.below(min(bytes.count, 4096))] ^= 1 }
            }
            for command in MutationTests.commands {
                let trace = "\(fixture.name), mutant \(number) of REGNUM_SEED=\(random.seed), \(command)"
                try MutationTests.run(command + fixture.keyArguments + [path], trace)
            }
        }
    }

    /// The empty file left when a file is cut at its first byte.
    @Test(arguments: commands) func anEmptyFileWithAKeyIsRefusedOrRead(_ command: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/empty.realm"
        try Images.write([], to: path)
        try MutationTests.run(command + ["--key", Fixture.keyDigits, path], "\(command)")
    }

    /// Damage below the encryption, by an author that has the key: every page is authentic.
    @Test(arguments: small.filter { ["links", "mixed", "nested", "all-types", "indexes"].contains($0.name) })
    func damagedContentOfEncryptedFilesIsRefusedOrRead(_ fixture: Fixture) throws {
        var random = SeededGenerator(for: fixture.name)
        let folder = try TemporaryFolder()
        let cipher = try #require(try RealmPageCipher(key: Fixture.key))
        let path = folder.path + "/encrypted.realm"
        for number in 0..<MutationTests.count / 4 {
            var bytes = try fixture.bytes()
            MutationTests.damage(&bytes, &random)
            try Images.write(try EncryptedImage.encrypt(bytes, cipher), to: path)
            for command in MutationTests.commands {
                let trace = "\(fixture.name), mutant \(number) of REGNUM_SEED=\(random.seed), \(command)"
                try MutationTests.run(command + ["--key", Fixture.keyDigits, path], trace)
            }
        }
    }

    private static func run(_ arguments: [String], _ trace: String) throws {
        let run = ToolRun(arguments)
        try #require(run.status == 0 || run.status == 1, "\(trace): status \(run.status)")
        // Errors give a reason in one line. Violations are output.
        if run.status == 1, arguments[0] != "check" {
            #expect(run.errors.filter { $0 == "\n" }.count == 1, "\(trace)")
        }
    }

    /// A few changes: bits, bytes, words, copied words, and numbers of elements in node headers.
    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<random.pick([1, 1, 2, 4, 16]) {
            let place = random.below(bytes.count)
            let word = place & ~7
            switch random.below(5) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes[place] ^= 1 << UInt8(random.below(8))
            case 2:
                let filling = random.pick([0, 0xFF, 0x7F, 1, 3] as [UInt8])
                for index in word..<word + 8 { bytes[index] = filling }
            case 3:
                let source = random.below(bytes.count) & ~7
                for index in 0..<8 { bytes[word + index] = bytes[source + index] }
            default:
                let header = MutationTests.header(before: word, bytes)
                bytes[header + 4 + random.below(4)] = UInt8(random.below(256))
            }
        }
    }

    /// The offset of the nearest word at or before `word` that begins like a node header.
    private static func header(before word: Int, _ bytes: [UInt8]) -> Int {
        var place = word
        while place > 0, bytes[place..<place + 4].contains(where: { $0 != 0x41 }) { place -= 8 }
        return place
    }
}
