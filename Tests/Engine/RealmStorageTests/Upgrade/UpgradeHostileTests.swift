// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmStorage
import RealmSystem
import RealmTestSupport
import TestTraits
import Testing

/// Damaged files of older formats are read, audited, and upgraded, or rejected, without traps, hangs, or wrong content.
@Suite(.timeLimited) struct UpgradeHostileTests {
    private static let files = OldFile.all.filter { $0.format >= 10 && ((try? $0.bytes().count) ?? .max) < 20_000 }
    /// Our own files, one of each kind of content.
    private static let older = OlderFile.plain(byteLimit: 20_000).filter { !$0.name.hasPrefix("real/") }
    private static var rounds: Int { Settings.number("REGNUM_FUZZ_COUNT") ?? 150 }

    @Test(arguments: files) func damagedFilesAreRefusedOrUpgraded(_ file: OldFile) throws {
        guard file.format < FileFormat.version else { return }
        try Self.damage(try file.bytes(), Self.rounds)
    }

    /// There are many of these, all similar.
    @Test(arguments: older) func damagedFilesOfRowsAreRefusedOrUpgraded(_ file: OlderFile) throws {
        try Self.damage(try file.bytes(), max(Self.rounds / 10, 1))
    }

    /// Nodes of increased length overlap others and free blocks. The commit detects them at the end.
    @Test(arguments: ["v2/history", "v3/indexes", "v5/primary-keys", "v9/links"])
    func anUpgradeThatIsRefusedLeavesTheFileAsItWas(_ name: String) throws {
        let bytes = try #require(OlderFile.named(name)).bytes()
        var refused = 0
        for place in NodeMutator.nodes(of: bytes).map(\.offset) {
            for change in [(4, 0x40), (6, 1), (7, 0x10)] as [(Int, UInt8)] {
                var damaged = bytes
                damaged[place + change.0] ^= change.1
                try withTrace("byte \(place + change.0)") { if try Self.isRefused(damaged) { refused += 1 } }
            }
        }
        #expect(refused > 50)
    }

    private static func damage(_ bytes: [UInt8], _ rounds: Int) throws {
        var mutator = FileMutator(seed: FileMutator.seed)
        var refused = 0
        for round in 0..<rounds {
            let mutant = round % 2 == 0 ? mutator.mutated(bytes) : Self.rearranged(bytes, &mutator)
            try withTrace("seed \(FileMutator.seed), round \(round)") {
                if try Self.isRefused(mutant) { refused += 1 }
            }
        }
        #expect(refused > 0, "none of \(rounds) damaged files was rejected")
    }

    /// Returns a copy with a few words replaced by others of the file, so that nodes are shared, or with changed counts
    /// in headers.
    private static func rearranged(_ bytes: [UInt8], _ random: inout FileMutator) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            var place = Int.random(in: 3..<bytes.count / 8, using: &random) * 8
            if Bool.random(using: &random) {
                let source = Int.random(in: 3..<bytes.count / 8, using: &random) * 8
                let part = [2, 4, 8].randomElement(using: &random) ?? 8
                for index in 0..<part { result[place + index] = bytes[source + index] }
            } else {
                while place > 24, bytes[place] != 0x41 || bytes[place + 1] != 0x41 { place -= 8 }
                let at = place + Int.random(in: 4...7, using: &random)
                result[at] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return result
    }

    private static func isRefused(_ bytes: [UInt8]) throws -> Bool {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        let before = FileChecker.check(bytes: bytes)
        // Strings that aren't valid UTF-8 are repaired, in indexes too.
        let wasSound = before.isClean && before.remnants["2:6.6"] == nil
        let view = try attempt { try Database(file: file, readOnly: true) }
        if let view { _ = try attempt { try ContentText.lines(of: view.snapshot()) } }
        var options = OpenOptions()
        options.historyConversion = .local
        guard let database = try attempt({ try Database(file: file, readOnly: false, options: options) }) else {
            try require(!wasSound || view == nil, "a sound file is not upgraded")
            try requireUnchanged(file, bytes)
            return true
        }
        _ = try attempt { try ContentText.lines(of: database.snapshot()) }
        let report = FileChecker.check(bytes: try file.bytes(try file.size(), at: 0))
        if wasSound { try require(report.isClean, "the upgrade has damaged a file: \(report.violations)") }
        return false
    }

    /// Throws if a rejected upgrade of rows, which creates all nodes, has changed the file. Other upgrades may find
    /// damage in nodes they keep while they write to free space.
    private static func requireUnchanged(_ file: DiskFile, _ bytes: [UInt8]) throws {
        guard bytes[20 + Int(bytes[23] & 1)] < 10 else { return }
        // Opening a file in streaming form for writing changes its header and its footer.
        let kept = FileFormat.Header.byteCount..<bytes.count - FileFormat.footerByteCount
        let now = try file.bytes(try file.size(), at: 0).prefix(kept.upperBound).dropFirst(kept.lowerBound)
        try require(now == bytes[kept], "an upgrade that was refused has changed the file")
    }

    /// Returns nil for the engine's errors. Other errors are rethrown.
    private static func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch is StorageError {
            return nil
        } catch is SystemError {
            return nil
        }
    }
}
