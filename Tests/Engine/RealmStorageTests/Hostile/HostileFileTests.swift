// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// The inputs of the libFuzzer targets, for some inputs. Scripts/fuzz-coverage tries many more. An input that it finds
/// becomes a test here.
@Suite struct HostileFileTests {
    private static var rounds: Int { Settings.isContinuousIntegration ? 300 : 6 }

    @Test(arguments: Fixtures.names(in: "v24"))
    func fixturesAndMutatedFixtures(_ name: String) throws {
        let path = Fixtures.path("v24/\(name).realm")
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

    /// Refs with the highest bit set, which no valid file has. A commit that only copies them must not stop.
    @Test(arguments: Fixtures.names(in: "v24"))
    func refsBeyondAllFiles(_ name: String) throws {
        let path = Fixtures.path("v24/\(name).realm")
        let bytes = try Images.read(path)
        guard bytes.count < 150_000, !name.hasPrefix("encrypted") else { return }
        let file = try HostileFile()
        var generator = SeededGenerator(for: "refs of \(name)")
        for place in HostileFileTests.some(15, of: try HostileFileTests.refs(in: path), &generator) {
            try withTrace("byte \(place)") {
                var changed = bytes
                changed[place] |= 0x80
                try file.use(changed)
            }
        }
    }

    /// Nodes of increased length overlap others and free blocks. A commit that frees them is rejected before it writes
    /// there.
    @Test(arguments: Fixtures.names(in: "v24"))
    func nodesThatReachIntoOthers(_ name: String) throws {
        let bytes = try Images.read(Fixtures.path("v24/\(name).realm"))
        guard bytes.count < 150_000, !name.hasPrefix("encrypted") else { return }
        let file = try HostileFile()
        var generator = SeededGenerator(for: "nodes of \(name)")
        for place in HostileFileTests.some(5, of: NodeMutator.nodes(of: bytes).map(\.offset), &generator) {
            for bit in [0x08, 0x20] as [UInt8] {
                try withTrace("node \(place), \(bit) elements") {
                    var changed = bytes
                    changed[place + 7] ^= bit
                    try file.use(changed)
                }
            }
        }
    }

    /// About `count` of the places, at equal distances from a random one; all in a long run.
    private static func some(_ count: Int, of places: [Int], _ generator: inout SeededGenerator) -> [Int] {
        let step = Settings.isContinuousIntegration ? 1 : 1 + places.count / count
        return stride(from: generator.below(step), to: places.count, by: step).map { places[$0] }
    }

    private static func refs(in path: String) throws -> [Int] {
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        guard let top = snapshot.top?.ref else { return [] }
        var places: [Int] = []
        var nodes = [top][...]
        while let ref = nodes.popFirst(), places.count < 120 {
            let node = try snapshot.space.node(ref)
            guard node.header.hasRefs, node.width >= 8 else { continue }
            for index in 0..<node.count where node[index] >= 0 && node[index] & 1 == 0 {
                if node[index] != 0 { nodes.append(Ref(element: node[index])) }
                places.append(Int(ref) + 8 + (index + 1) * node.width / 8 - 1)
            }
        }
        return places
    }

    @Test func emptyFilesAndNoise() throws {
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
