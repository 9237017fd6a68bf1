// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The recorded exchanges with one end replaced by ours.
@Suite(.enabled(if: SyncFixtures.isPresent)) struct ReplayTests {
    private static func names() throws -> [String] {
        try Recording.names().filter { name in
            let recording = try Recording(name)
            return recording.isPartition && !recording.messages.isEmpty && !name.hasPrefix("wrong-mode")
                && !name.hasPrefix("migrate") && !name.hasPrefix("flx")
        }
    }

    @Test func ourClientSaysWhatTheOriginalSaid() throws {
        var counts = (recordings: 0, messages: 0, skipped: 0, earlier: 0)
        // Two users have connections of their own, which share the numbers of their sessions.
        // In the cycles the original uploads before its mark has come back.
        let left: Set = [
            "pbs-two-sessions.jsonl", "pbs-reset-cycle-recover.jsonl", "pbs-reset-cycle-recoverOrDiscard.jsonl",
            // Its second session begins before the first one's last download is integrated.
            "error-refresh-location.jsonl",
        ]
        for name in try Self.names() where !left.contains(name) {
            var replay = try ClientReplay(name)
            do { try replay.run() } catch { Issue.record("\(name): \(error)") }
            counts.recordings += 1
            counts.messages += replay.compared
            counts.skipped += replay.skipped
            counts.earlier += replay.earlier
            let isBad =
                name.hasPrefix("violation-")
                || name.hasPrefix("bad-download-") && !name.contains("content") && !name.contains("undecodable")
            if isBad {
                #expect(replay.hasDisconnected, "\(name)")
                let isTold = replay.effects.contains { effect in
                    if case .failed(nil, let failure) = effect { failure.action == .protocolViolation } else { false }
                }
                #expect(isTold, "\(name)")
            }
        }
        print(
            "replay: \(counts.recordings) recordings, \(counts.messages) messages of clients as recorded, "
                + "\(counts.skipped) after ours had hung up, \(counts.earlier) reports that ours made before")
        #expect(counts.recordings >= 70)
        #expect(counts.messages > 900)
    }

    /// Recordings of servers that were not told what to say. The toy server of some merges nothing, so that those in which
    /// clients change what others change are left out.
    private static func isPlain(_ name: String) -> Bool {
        let left: Set = [
            "original-server-lost.jsonl", "pbs-interleaved.jsonl", "pbs-two-sessions.jsonl",
            "pbs-all-types-download.jsonl",
        ]
        return ["original-", "pbs-", "ping", "log-message"].contains { name.hasPrefix($0) } && !left.contains(name)
    }

    /// The original's server integrates what arrives together in an order of its own.
    private static let hasOwnOrder: Set = ["original-random-1.jsonl", "original-random-3.jsonl"]

    /// The original's server answers the last of several marks alone, and some clients hang up before they are unbound.
    private static func compared(_ messages: [ServerMessage]) -> [ServerMessage] {
        let last = messages.lastIndex { if case .mark = $0 { true } else { false } }
        return messages.enumerated().filter { index, message in
            switch message {
            case .mark: index == last
            case .unbound: false
            default: true
            }
        }.map(\.element)
    }

    @Test func ourServerSaysWhatRecordedServersSaid() throws {
        var counts = (recordings: 0, sessions: 0, messages: 0, entries: 0, downloads: 0, same: 0, reordered: 0)
        for name in try Self.names().filter(Self.isPlain) {
            let replay = try ServerReplay(name)
            #expect(replay.log.isEmpty, "\(name): \(replay.log)")
            counts.recordings += 1
            for (session, told) in replay.recorded.sorted(by: { $0.key[1] < $1.key[1] }) {
                let ours = replay.ours[session] ?? ServerReplay.Told()
                counts.sessions += 1
                if Self.compared(ours.messages) != Self.compared(told.messages) {
                    let ourHeads = ours.messages.map(ServerReplay.head)
                    Issue.record("\(name) \(session): \(ourHeads) for \(told.messages.map(ServerReplay.head))")
                }
                if Self.hasOwnOrder.contains(name) {
                    if ours.entries != told.entries { counts.reordered += 1 }
                } else if ours.entries != told.entries {
                    let pairs = zip(ours.entries, told.entries)
                    let first = pairs.first { $0 != $1 }.map { "\(ServerReplay.head($0)) for \(ServerReplay.head($1))" }
                    Issue.record(
                        "\(name) \(session): \(ours.entries.count) of \(told.entries.count) changes, \(first ?? "")")
                }
                counts.messages += told.messages.count
                counts.entries += told.entries.count
                counts.downloads += told.downloads.count
                counts.same += replay.sameDownloads(session)
            }
        }
        print("replay: our server: \(counts)")
        #expect(counts.sessions > 40)
    }
}
