// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// The recorded clients of flexible apps, with our server in place of the recorded one. `ReplayTests` replays those
    /// of apps with partitions.
    @Suite(.timeLimited) struct FlexibleReplayTests {
        private struct Counts {
            var recordings = 0
            var sessions = 0
            var messages = 0
            var states = 0
            var objects = 0
        }

        /// A client that binds a partition of a moved app again gets the error again. The recorded server sends it once.
        private static let boundAgain = (name: "migrate-to-flx.jsonl", session: [UInt64(1), 1])

        @Test func ourServerSendsTheMessagesOfRecordedServers() throws {
            var counts = Counts()
            for name in try SyncFixtures.recordings() {
                let recording = try Recording(name)
                guard recording.isOfFlexibleApp(name) else { continue }
                counts.recordings += 1
                do {
                    compare(
                        try ServerReplay(name, recording, try ReplayedApp(recording), isExact: false), name, &counts)
                } catch {
                    Issue.record("\("\(name): \(error)".prefix(2000))")
                }
            }
            print("replay: our flexible server: \(counts)")
            #expect(counts.recordings == 25 && counts.sessions == 49 && counts.messages == 232)
            #expect(counts.states == 155 && counts.objects == 386)
        }

        private func compare(_ replay: ServerReplay, _ name: String, _ counts: inout Counts) {
            if name != "wrong-mode-pbs.jsonl" { #expect(replay.log.isEmpty, "\(name): \(replay.log)") }
            #expect(replay.violations.isEmpty, "\(name): \(replay.violations)")
            #expect(replay.differences.isEmpty, "\(name): \(replay.differences.joined(separator: "\n"))")
            counts.states += replay.compared.states
            counts.objects += replay.compared.objects
            for (session, sent) in replay.recorded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                let ours = replay.ours[session] ?? ServerReplay.Sent()
                counts.sessions += 1
                counts.messages += sent.messages.count
                if name == Self.boundAgain.name, session == Self.boundAgain.session {
                    #expect(ours.messages == Array(repeating: sent.messages[0], count: 2))
                    continue
                }
                // A client that disconnects hasn't received all messages.
                let isComplete = sent.messages.last?.isEnd == true
                let compared = isComplete ? ours.messages : Array(ours.messages.prefix(sent.messages.count))
                if compared != sent.messages {
                    let heads = [ours, sent].map { $0.messages.map(ServerReplay.head).joined(separator: " | ") }
                    Issue.record("\(name) \(session): \(heads[0])\nfor \(heads[1])")
                }
                guard let expected = sent.downloads.last?.upload else { continue }
                #expect(ours.downloads.last?.upload.clientVersion == expected.clientVersion, "\(name) \(session)")
            }
        }
    }

    extension ServerMessage {
        fileprivate var isEnd: Bool {
            switch self {
            case .unbound, .error: true
            case .jsonError(_, let code, _):
                ![SessionErrorCode.compensatingWrite, .schemaVersionChanged].contains { $0.rawValue == code }
            default: false
            }
        }
    }
#endif
