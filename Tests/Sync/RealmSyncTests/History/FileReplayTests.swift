// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Replays messages of recorded servers to sessions of database files, while each file's application writes the
/// recorded changes. `ReplayTests` replays the same messages to a client without content.
@Suite struct FileReplayTests {
    private struct Counts {
        var recordings = 0
        var files = 0
        var messages = 0
        var objects = 0
        var recordedStates = 0
        var gaps: [String: Int] = [:]
    }

    /// Their applications wrote changes that were never uploaded, so the recordings lack them.
    private static let withoutUpload: Set = ["original-server-lost.jsonl", "pbs-reset-cycle-recover.jsonl"]

    @Test func filesMatchThoseOfTheOriginal() throws {
        var counts = Counts()
        counts.gaps = try Recording.forEach(gap: { $1.fileGap }) { name in
            counts.recordings += 1
            for connection in Recording.connections(name) {
                do {
                    try replay(name, connection, &counts)
                } catch {
                    Issue.record("\("\(name): \(error)".prefix(2000))")
                }
            }
        }
        print("replay: files: \(counts)")
        #expect(counts.recordings == 78)
        #expect(counts.files == 103 && counts.objects == 92)
        #expect(counts.recordedStates == 15)
    }

    /// The files end in the same state as a client in memory with the same messages, and as the original's if that is
    /// recorded.
    private func replay(_ name: String, _ connection: UInt64?, _ counts: inout Counts) throws {
        var replay = try ClientReplay<SimulatedDatabaseFile>(name, connection: connection)
        try replay.run()
        var plain = try ClientReplay<SimulatedClientFile>(name, connection: connection)
        try plain.run()
        counts.messages += replay.compared
        try requireEqual(replay.opened.count, plain.opened.count, "the files")
        let recorded = try Recording(name, connection: connection).dump
        for (file, memory) in zip(replay.opened, plain.opened) {
            let model = file.model
            try requireEqual(model, memory.model, "the state")
            try requireEqual(file.state.progress.download, memory.state.progress.download, "the download cursor")
            try requireEqual(file.faults.count, memory.faults.count, "\(file.faults)")
            if let recorded = recorded?["objects"], !Self.withoutUpload.contains(name) {
                try requireEqual(model.objects, model.normalized(recorded), "the recorded state")
                counts.recordedStates += 1
            }
            counts.files += 1
            counts.objects += model.tables.values.reduce(0) { $0 + $1.objects.count }
            try file.close()
        }
    }
}
