// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Recorded exchanges with one end replaced by ours. Each recording is replayed, or has its reason in `ReplayGap`.
/// `FileReplayTests` replays them into files.
@Suite struct ReplayTests {
    // MARK: Our client

    private struct ClientCounts {
        var recordings = 0
        var messages = 0
        var same = 0
        var afterHangingUp = 0
        var earlierReports = 0
        var heldBackUploads = 0
        var newerReports = 0
        var gaps: [String: Int] = [:]
    }

    @Test func ourClientSendsTheMessagesOfTheOriginal() throws {
        var counts = ClientCounts()
        counts.gaps = try Recording.forEach(gap: { $1.clientGap }) { name in
            counts.recordings += 1
            for connection in Recording.connections(name) {
                var replay = try ClientReplay<ScriptedClientFile>(name, connection: connection)
                do { try replay.run() } catch { Issue.record("\(name): \(error)") }
                counts.messages += replay.compared
                counts.same += replay.same
                counts.afterHangingUp += replay.skipped
                counts.earlierReports += replay.earlier
                counts.heldBackUploads += replay.heldBack
                counts.newerReports += replay.ahead
                requireEnd(of: replay, name)
            }
        }
        print("replay: our client: \(counts)")
        #expect(counts.recordings == 107)
        #expect(counts.messages > 1200)
    }

    /// Requires that our client rejects messages that servers must not send.
    private func requireEnd(of replay: ClientReplay<ScriptedClientFile>, _ name: String) {
        let isBad =
            name.hasPrefix("violation-")
            || name.hasPrefix("bad-download-") && !name.contains("content") && !name.contains("undecodable")
        if isBad {
            #expect(replay.hasDisconnected, "\(name)")
            let isReported = replay.effects.contains { effect in
                if case .failed(nil, let failure) = effect { failure.action == .protocolViolation } else { false }
            }
            #expect(isReported, "\(name)")
        }
        // The original tries once more before it fails.
        let givesUp = name == "upgrade-404.jsonl"
        #expect(replay.connects.ours == replay.connects.recorded - (givesUp ? 1 : 0), "\(name)")
    }

    // MARK: Our server

    private struct ServerCounts {
        var recordings = 0
        var sessions = 0
        var messages = 0
        var entries = 0
        var downloads = 0
        var same = 0
        var reordered = 0
        var gaps: [String: Int] = [:]
    }

    /// The original's server integrates simultaneous messages in its own order.
    private static let hasOwnOrder: Set = ["original-random-1.jsonl", "original-random-3.jsonl"]

    /// The original's server answers only the last of several marks, and some clients disconnect before they are
    /// unbound.
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

    @Test func ourServerSendsTheMessagesOfRecordedServers() throws {
        var counts = ServerCounts()
        counts.gaps = try Recording.forEach(gap: { $1.serverGap($0) }) { name in
            counts.recordings += 1
            let recording = try Recording(name)
            let directory = ScriptedDirectory(recording)
            let replay = try ServerReplay(name, recording, directory, isExact: true)
            compare(replay, directory, name, &counts)
        }
        print("replay: our server: \(counts)")
        #expect(counts.recordings == 77)
        #expect(counts.sessions > 40)
    }

    private func compare(
        _ replay: ServerReplay, _ directory: ScriptedDirectory, _ name: String, _ counts: inout ServerCounts
    ) {
        if name != "wrong-mode-flx.jsonl" { #expect(replay.log.isEmpty, "\(name): \(replay.log)") }
        #expect(replay.violations.isEmpty, "\(name): \(replay.violations)")
        for (session, sent) in replay.recorded.sorted(by: { $0.key[1] < $1.key[1] }) {
            let ours = replay.ours[session] ?? ServerReplay.Sent()
            counts.sessions += 1
            if Self.compared(ours.messages) != Self.compared(sent.messages) {
                let ourHeads = ours.messages.map(ServerReplay.head)
                Issue.record("\(name) \(session): \(ourHeads) for \(sent.messages.map(ServerReplay.head))")
            }
            // Ignores recorded versions that are empty after our merge.
            let entries = sent.entries.filter { !directory.isEmpty($0.serverVersion) }
            if Self.hasOwnOrder.contains(name) {
                if ours.entries != entries { counts.reordered += 1 }
            } else if ours.entries != entries {
                let pairs = zip(ours.entries, entries)
                let first = pairs.first { $0 != $1 }.map { "\(ServerReplay.head($0)) for \(ServerReplay.head($1))" }
                Issue.record("\(name) \(session): \(ours.entries.count) of \(entries.count) changes, \(first ?? "")")
            }
            counts.messages += sent.messages.count
            counts.entries += sent.entries.count
            counts.downloads += sent.downloads.count
            counts.same += replay.sameDownloads(session)
        }
    }

    /// As in the recording `wrong-mode-flx`: flexible clients get an error about the wrong kind of app, and no
    /// bootstrap.
    @Test func ourServerRejectsFlexibleClients() throws {
        var count = 0
        for name in try SyncFixtures.recordings() {
            let recording = try Recording(name)
            guard recording.modes == [.flexible] else { continue }
            let replay = try ServerReplay(name, recording, ScriptedDirectory(recording), isExact: true)
            let sent = replay.ours.values.flatMap(\.messages)
            #expect(replay.ours.values.allSatisfy { $0.downloads.isEmpty }, "\(name)")
            #expect(!sent.isEmpty, "\(name)")
            for message in sent {
                guard case .jsonError(0, ConnectionErrorCode.usePartition.rawValue, let error) = message else {
                    Issue.record("\(name): \(ServerReplay.head(message))")
                    continue
                }
                #expect(error.action == .applicationBug && !error.canTryAgain)
            }
            count += 1
        }
        #expect(count == 23)
    }
}
