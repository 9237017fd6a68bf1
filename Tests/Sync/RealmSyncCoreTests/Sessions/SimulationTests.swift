// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

@Suite struct SimulationTests {
    @Test func allClientsConvergeAndNothingIsLost() throws {
        var generator = SeededGenerator(for: "simulation")
        let report = try Simulation.run(
            seed: generator.next() >> 32, steps: Settings.number("REGNUM_SYNC_STEPS") ?? 20_000)
        print("simulation: \(report)")
        let trace = Comment("REGNUM_SEED=\(generator.seed)")
        #expect(report.integrations > 100, trace)
        #expect(
            report.serverCrashes > 0 && report.clientCrashes > 0 && report.cuts > 0 && report.resets > 0, trace)
    }

    /// Messages on foreign connections change nothing, and never end the server.
    @Test func messagesOnForeignConnectionsAreHarmless() throws {
        var generator = SeededGenerator(for: "hostile simulation")
        let report = try Simulation.run(seed: generator.next() >> 32, steps: 5000, isHostile: true)
        print("simulation: \(report)")
        #expect(report.hostileMessages > 100, "REGNUM_SEED=\(generator.seed)")
    }
}
