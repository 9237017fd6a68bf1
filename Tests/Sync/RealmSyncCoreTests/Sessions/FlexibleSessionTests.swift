// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// A session with subscriptions, whose server is the test.
@Suite struct FlexibleSessionTests {
    private final class Peer {
        private var client = ClientConnection(.flexible, random: SeededGenerator(seed: 1))
        let file: ScriptedClientFile
        let session: UInt64
        private(set) var effects: [ClientEffect] = []
        private var sent: [ClientMessage] = []

        init(_ file: ScriptedClientFile, mayUpload: Bool = true) {
            self.file = file
            session = client.open(file, path: SessionPurpose.ordinary.path(), mayUpload: mayUpload)
            connect()
        }

        func connect() {
            collect()
            client.fire(.reconnect, now: 0)
            collect()
            client.didConnect("com.mongodb.realm-query-sync#14")
            collect()
        }

        func disconnect() {
            client.didDisconnect(.retry)
            collect()
        }

        func resume() {
            client.resume(session)
            collect()
        }

        private func collect() {
            while case let new = client.takeEffects(), !new.isEmpty {
                for effect in new {
                    guard case .send(let bytes) = effect else {
                        effects.append(effect)
                        continue
                    }
                    if let message = try? ClientMessage(bytes, mode: .flexible) { sent.append(message) }
                    client.didSend()
                }
            }
        }

        func receive(_ messages: ServerMessage...) {
            for message in messages {
                client.receive(message.encoded(), now: 0)
                collect()
            }
        }

        func subscribe(_ version: UInt64, after snapshot: UInt64) {
            file.pendingQueries.append(
                PendingQuery(query: FlexibleSessionTests.query(version), snapshotVersion: snapshot))
            client.didCommit()
            collect()
        }

        /// Commits versions through `last`, of which those in `changed` have changes.
        func commit(_ changed: UInt64..., through last: UInt64) {
            for version in changed {
                file.changes.append(
                    ClientMessage.Upload.Entry(
                        clientVersion: version, serverVersion: 1, timestamp: version, changeset: [0x3F]))
            }
            file.state.newestVersion = last
            client.didCommit()
            collect()
        }

        /// Returns a summary of the messages sent since the last call.
        func take() -> [String] {
            defer { sent = [] }
            return sent.compactMap { message in
                switch message {
                case .bind: "bind"
                case .ident(let ident): "ident \(ident.query?.version ?? 99)"
                case .mark(_, let number): "mark \(number)"
                case .query(_, let query): "query \(query.version)"
                case .upload(let upload): "upload \(upload.entries.map(\.clientVersion))"
                case .unbind: "unbind"
                case .ping: nil
                default: "other"
                }
            }
        }

        var isViolated: Bool {
            effects.contains {
                if case .failed(nil, let failure) = $0 { failure.action == .protocolViolation } else { false }
            }
        }

        var reports: [Int] {
            effects.compactMap { if case .failed(session, let failure) = $0 { failure.code } else { nil } }
        }
    }

    private static func query(_ version: UInt64) -> VersionedQuery {
        VersionedQuery(version: version, text: "{\"A\":\"(a > \(version))\"}")
    }

    private func download(
        _ server: UInt64, query: UInt64, _ state: ServerMessage.Download.BatchState, uploaded: UInt64 = 0
    ) -> ServerMessage {
        let entry = ServerMessage.Download.Entry(
            serverVersion: server, clientVersion: 0, timestamp: 1, origin: 1, originalSize: 0, changeset: [])
        return .download(
            ServerMessage.Download(
                session: 1, download: DownloadCursor(serverVersion: server),
                latest: SaltedVersion(version: server, salt: 7), upload: UploadCursor(clientVersion: uploaded),
                stage: .flexible(queryVersion: query, state, progress: 1), entries: [entry]))
    }

    /// A peer whose file has the schema and the answer to its first mark.
    private func begun(mayUpload: Bool = true) -> Peer {
        let peer = Peer(
            ScriptedClientFile(ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1)),
            mayUpload: mayUpload)
        peer.receive(.ident(session: 1, SaltedIdent(ident: 2, salt: 3)))
        peer.receive(download(1, query: 0, .lastOfBootstrap), .mark(session: 1, request: 1))
        return peer
    }

    /// The query precedes the changes committed before it, which would be outside of the view (§5.8).
    @Test func heldUploadsFollowTheCompleteSet() {
        let peer = begun()
        _ = peer.take()
        peer.file.holdsUploads = true
        peer.commit(2, through: 2)
        #expect(peer.take() == [])
        peer.subscribe(1, after: 2)
        #expect(peer.take() == ["query 1", "mark 2"])
        peer.receive(download(2, query: 1, .lastOfBootstrap))
        #expect(peer.take() == [])
        peer.file.holdsUploads = false
        peer.receive(.mark(session: 1, request: 2))
        #expect(peer.take() == ["upload [2]"])
    }

    @Test func theFirstContactStatesNoSubscriptions() {
        let peer = begun()
        #expect(peer.take() == ["bind", "ident 0", "mark 1", "upload []"])
        #expect(peer.effects.contains(.subscriptionsChanged(session: 1)))
        #expect(peer.effects.contains(.marked(session: 1, request: 1)))
    }

    @Test func queriesWaitForTheFirstMark() {
        let file = ScriptedClientFile(ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1))
        let peer = Peer(file)
        peer.subscribe(1, after: 1)
        peer.receive(.ident(session: 1, SaltedIdent(ident: 2, salt: 3)))
        peer.receive(download(1, query: 0, .lastOfBootstrap))
        #expect(peer.take() == ["bind", "ident 0", "mark 1"])
        peer.receive(.mark(session: 1, request: 1))
        #expect(peer.take() == ["query 1", "mark 2", "upload []"])
    }

    /// A change committed before a set arrives before its query, and one committed after it arrives later.
    @Test func queriesAndUploadsKeepTheOrderOfTheirCommits() {
        let peer = begun()
        _ = peer.take()
        peer.disconnect()
        peer.commit(5, 7, 9, through: 10)
        for (version, snapshot) in [(1, 6), (2, 6), (3, 7)] as [(UInt64, UInt64)] {
            peer.subscribe(version, after: snapshot)
        }
        peer.connect()
        let order = peer.take()
        #expect(
            order == [
                "bind", "ident 0", "upload [5]", "query 1", "mark 2", "query 2", "mark 3", "upload [7]", "query 3",
                "mark 4", "upload [9]",
            ])
    }

    @Test func aNewConnectionSendsPendingQueriesAgain() {
        let peer = begun()
        peer.subscribe(1, after: 1)
        peer.subscribe(2, after: 1)
        peer.receive(download(2, query: 1, .lastOfBootstrap))
        _ = peer.take()
        peer.disconnect()
        peer.connect()
        #expect(peer.take() == ["bind", "ident 1", "mark 3", "query 2", "mark 4", "upload []"])
    }

    /// After an interruption, and after a bootstrap that couldn't be applied, the server sends the whole bootstrap again.
    @Test func aBootstrapStartsAgainWithEachBinding() {
        let peer = begun()
        peer.subscribe(1, after: 1)
        peer.file.bootstrapParts = []
        var firsts: [Bool] { peer.file.bootstrapParts.map(\.isFirst) }
        peer.receive(download(2, query: 1, .moreToCome), download(2, query: 1, .moreToCome))
        #expect(firsts == [true, false])
        peer.disconnect()
        peer.connect()
        peer.receive(.mark(session: 1, request: 3), download(2, query: 1, .moreToCome))
        #expect(firsts == [true, false, true])
        peer.file.refusesBootstraps = true
        peer.receive(download(2, query: 1, .lastOfBootstrap))
        #expect(firsts == [true, false, true, false] && peer.reports.count == 1)
        // The server ends the session, and the client binds it again over the same connection.
        peer.file.refusesBootstraps = false
        peer.receive(.jsonError(session: 1, code: 200, ServerError("again", .transient, canTryAgain: true)))
        peer.resume()
        peer.receive(.mark(session: 1, request: 4), download(3, query: 1, .lastOfBootstrap))
        #expect(firsts == [true, false, true, false, true] && !peer.isViolated)
        #expect(peer.file.activeQuery.version == 1)
        // A bootstrap of the server's own accord.
        peer.receive(download(4, query: 1, .moreToCome), download(4, query: 1, .lastOfBootstrap))
        #expect(firsts.suffix(2) == [true, false])
    }

    @Test func aCopySendsQueriesAndNoUploads() {
        let peer = begun(mayUpload: false)
        peer.commit(5, through: 6)
        peer.subscribe(1, after: 6)
        #expect(peer.take() == ["bind", "ident 0", "mark 1", "query 1", "mark 2"])
    }

    @Test func aRejectedQueryIsNotSentAgain() {
        let peer = begun()
        peer.subscribe(1, after: 1)
        peer.receive(.queryError(session: 1, code: 226, queryVersion: 1, "bad"))
        #expect(peer.file.pendingQueries.isEmpty && !peer.isViolated)
        #expect(peer.effects.last { if case .subscriptionsChanged = $0 { true } else { false } } != nil)
        _ = peer.take()
        peer.disconnect()
        peer.connect()
        #expect(!peer.take().contains("query 1"))
    }

    @Test func messagesAboutOtherQueriesAreViolations() {
        let messages: [ServerMessage] = [
            download(2, query: 1, .lastOfBootstrap), download(2, query: 1, .steady), download(2, query: 9, .moreToCome),
            .queryError(session: 1, code: 226, queryVersion: 1, "bad"),
            .queryError(session: 1, code: 226, queryVersion: 0, "bad"),
        ]
        for message in messages {
            let peer = begun()
            #expect(!peer.isViolated)
            peer.receive(message)
            #expect(peer.isViolated, "\(message)")
        }
    }

    private func report(of version: UInt64) -> ServerMessage {
        let rejection = ServerError.Rejection(
            updates: [ServerError.Rejection.Update(reason: "no", object: ObjectReference("A", .int(1)))],
            clientVersion: 1, compensatingVersion: version)
        return .jsonError(
            session: 1, code: 231, ServerError("reverted", .warning, canTryAgain: true, rejection: rejection))
    }

    @Test func compensatingWritesAreReportedWithTheirChanges() {
        let peer = begun()
        peer.receive(report(of: 3), report(of: 5))
        #expect(peer.reports.isEmpty)
        peer.receive(download(3, query: 0, .steady))
        #expect(peer.reports == [231])
        // The server repeats the second one.
        peer.disconnect()
        peer.connect()
        peer.receive(report(of: 5), download(6, query: 0, .steady))
        #expect(peer.reports == [231, 231])
        peer.receive(report(of: 6))
        #expect(peer.reports == [231, 231, 231])
    }

    @Test func purposesAreStatedAsTheOriginalDoes() {
        #expect(SessionPurpose.ordinary.path() == #"{"schemaVersion":0,"sessionReason":0}"#)
        #expect(SessionPurpose.clientReset.path(schemaVersion: 3) == #"{"schemaVersion":3,"sessionReason":1}"#)
    }
}
