// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// What libFuzzer's targets do, for some inputs: Scripts/fuzz-coverage tries many more. An input that it finds becomes
/// a test here.
@Suite struct HostileFileTests {
    private static var rounds: Int { Settings.isContinuousIntegration ? 300 : 10 }

    @Test(arguments: SharedFiles.fixtures(in: "v24"))
    func fixturesAndWhatIsLikeThem(_ name: String) throws {
        let path = try #require(SharedFiles.path("fixtures/v24/\(name).realm"))
        let bytes = try Images.read(path)
        guard bytes.count < 150_000 else { return }
        let file = try HostileFile()
        let isEncrypted = name.hasPrefix("encrypted")
        #expect(try file.use(bytes) == (isEncrypted ? .nothing : .writing))
        guard !isEncrypted else { return }
        var generator = SeededGenerator(for: "hostile \(name)")
        for round in 0..<HostileFileTests.rounds {
            try withTrace("seed \(generator.seed), round \(round)") {
                var changed = bytes
                for _ in 0...generator.below(3) {
                    changed[24 + generator.below(bytes.count - 24)] = UInt8(truncatingIfNeeded: generator.next())
                }
                try file.use(changed)
                try file.useEncrypted(changed, seed: generator.next())
            }
        }
    }

    @Test func nothingAndNoise() throws {
        let file = try HostileFile()
        var generator = SeededGenerator(for: "noise")
        for count in [0, 1, 8, 23, 24, 32, 40, 4096] {
            let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            for bytes in [noise, [UInt8](repeating: 0, count: count)] {
                try file.use(bytes)
                try file.useEncrypted(bytes, seed: generator.next())
            }
        }
    }

    @Test func randomScripts() throws {
        var generator = SeededGenerator(for: "scripts")
        let memory = try ImageFile()
        for round in 0..<HostileFileTests.rounds {
            let bytes = (0..<generator.below(200)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            try withTrace("seed \(generator.seed), round \(round)") { try OperationScript.run(bytes, on: memory) }
        }
    }
}
