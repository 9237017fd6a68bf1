// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import SyncTestSupport
import Testing

/// The simulation of `RealmSyncCore` with database files. In the end all have the state of a plain merge, no
/// acknowledged change is lost, and every file passes both checkers.
@Suite struct FileSimulationTests {
    @Test func aWorldOfFilesConverges() throws {
        var generator = SeededGenerator(for: "aWorldOfFilesConverges")
        let seed = generator.next() >> 16
        try withTrace("REGNUM_SEED=\(generator.seed)") {
            let simulation = try Simulation(seed: seed) {
                PartitionWorld(seed: $0) { try SimulatedDatabaseFile() }
            }
            try simulation.run(steps: Settings.number("REGNUM_SYNC_STEPS") ?? 300)
            print("aWorldOfFilesConverges: \(simulation.report)")
        }
    }

    @Test func resetFilesConverge() throws {
        var generator = SeededGenerator(for: "resetFilesConverge")
        let seed = generator.next() >> 16
        try withTrace("REGNUM_SEED=\(generator.seed)") {
            let simulation = try Simulation(seed: seed, forgetsOften: true) {
                PartitionWorld(seed: $0) { try SimulatedDatabaseFile() }
            }
            try simulation.run(steps: Settings.number("REGNUM_SYNC_STEPS") ?? 300)
            print("resetFilesConverge: \(simulation.report)")
        }
    }
}
