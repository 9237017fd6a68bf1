// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Replays messages of recorded servers to sessions of files with subscriptions. `ReplayTests` compares the messages of
/// a client without content.
@Suite struct SubscriptionReplayTests {
    static let names: [String] = ((try? SyncFixtures.recordings()) ?? []).filter { name in
        name.hasPrefix("flx-")
    }

    /// The original adds a restarted bootstrap to its stored half, and can't apply the sum. Ours replaces the half.
    private static let unrepeatable = "flx-bootstrap-dropped-not-repeatable.jsonl"

    @Test func thereAreRecordings() { #expect(Self.names.count == 22) }

    @Test(arguments: names) func theFileEndsLikeThatOfTheOriginal(_ name: String) throws {
        var replay = try ClientReplay<SimulatedDatabaseFile>(name)
        try replay.run()
        let recording = try Recording(name)
        for file in replay.opened {
            #expect(file.faults.isEmpty, "\(file.faults)")
            if let state = recording.subscriptions, replay.opened.count == 1 {
                let set = try #require(try file.subscriptionSets.last)
                #expect(set.version == state.version)
                let expected = name == Self.unrepeatable ? "complete" : state.state.lowercased()
                #expect("\(set.state)".lowercased() == expected)
                #expect(set.error ?? "" == state.error)
            }
        }
        let file = try #require(replay.opened.first)
        if let recorded = recording.dump?["objects"] {
            let model = file.model
            #expect(model.objects == model.normalized(recorded))
        }
        for file in replay.opened { try file.close() }
    }
}

extension Recording {
    /// The newest set of subscriptions that the application read, if it waited for it.
    var subscriptions: (version: UInt64, state: String, error: String)? {
        guard let set = lastSet, let version: UInt64 = set["version"]?.integer(), let state = set["state"]?.text,
            let error = set["error"]?.text
        else { return nil }
        return (version, state, error)
    }
}
