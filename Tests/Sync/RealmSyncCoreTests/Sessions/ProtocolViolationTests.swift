// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Protocol violations for which clients disconnect, and messages that servers reject.
@Suite struct ProtocolViolationTests {
    private static let path = "\"p1\""
    private let link = DirectLink()

    private func open(seed: UInt64 = 1) throws -> (client: Int, file: SimulatedClientFile, session: UInt64) {
        let client = link.addClient(seed: seed)
        let file = SimulatedClientFile()
        try file.commit(SimpleChanges.schema, timestamp: 100 + seed)
        file.sync()
        return (client, file, link.update(client) { $0.open(file, path: Self.path) })
    }

    private func commit(_ changeset: Changeset, _ client: Int, _ file: SimulatedClientFile) throws {
        try file.commit(changeset, timestamp: 1000)
        file.sync()
        link.update(client) { $0.didCommit() }
    }

    private func failures(_ client: Int) -> [ClientFailure] {
        link.takeEffects(client).compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }

    // MARK: Rules for the server

    /// From the client's view, every download of our server continues the previous one.
    @Test func cursorsOfEveryDownload() throws {
        var progress: [UInt64: ClientProgress] = [:]
        var count = 0
        var generator = SeededGenerator(for: "cursors")
        let clients = try (1...4).map { try open(seed: UInt64($0)) }
        try commit(SimpleChanges.create(1), clients[0].client, clients[0].file)
        for _ in 0..<300 {
            let (client, file, _) = generator.pick(clients)
            if generator.chance(10) {
                link.cut(client)
                link.fire(.reconnect, client)
            }
            try commit(SimpleChanges.add(1, to: 1), client, file)
        }
        var idents: [UInt64: UInt64] = [:]
        for message in link.messages {
            if message.isFromClient {
                guard case .ident(let ident) = try ClientMessage(message.bytes, mode: .partition) else { continue }
                idents[message.transport] = ident.file.ident
                progress[message.transport] = ClientProgress(download: ident.download, latest: ident.latest)
            } else {
                guard case .download(let download) = try ServerMessage(message.bytes, mode: .partition) else {
                    continue
                }
                let ident = try #require(idents[message.transport])
                try progress[message.transport]?.take(download, ownIdent: ident, newestVersion: .max)
                count += 1
            }
        }
        #expect(count > 500)
        #expect(clients.allSatisfy { $0.file.model == clients[0].file.model })
    }

    @Test func uploadsWithoutAMarkAreAcknowledged() throws {
        let (client, file, _) = try open()
        link.cut(client)
        try commit(SimpleChanges.create(1), client, file)
        let before = link.messages.count
        link.fire(.reconnect, client)
        #expect(!link.headers.dropFirst(before).contains { $0.hasPrefix("> mark") })
        #expect(file.isUploaded)
    }

    @Test func aResetHasSessionsOfItsOwn() throws {
        let (client, file, session) = try open()
        try commit(SimpleChanges.create(1), client, file)
        link.isOffline = true
        link.cut(client)
        try commit(SimpleChanges.create(2), client, file)
        let ident = try #require(file.state.file?.ident)
        link.directory.partition(Self.path).expire(ident)
        link.isOffline = false
        link.update(client) { $0.retry() }
        let failure = try #require(failures(client).first)
        #expect(failure.code == 222)
        #expect(failure.action == .clientReset)
        #expect(!failure.error.canTryAgain)
        #expect(failure.error.shouldClientReset)

        link.update(client) { $0.close(session) }
        let fresh = SimulatedClientFile()
        let second = link.update(client) { $0.open(fresh, path: Self.path, mayUpload: false) }
        #expect(link.takeEffects(client).contains(.marked(session: second, request: 1)))
        link.update(client) { $0.close(second) }
        try file.reset(to: fresh, discarding: false) { _, _ in }
        let third = link.update(client) { $0.open(file, path: Self.path) }
        #expect([session, second, third] == [1, 2, 3])
        #expect(file.state.file?.ident != ident)
        #expect(file.isUploaded)
        #expect(link.directory.partition(Self.path).model == file.model)
        #expect(file.model.tables[SimpleChanges.table]?.objects.count == 2)
    }

    /// The server responds with one of the client's names, or not at all.
    @Test func subProtocols() {
        var server = SyncServer(link.directory)
        #expect(server.accept(1, offers: SyncMode.partition.offers(2...14)) == "com.mongodb.realm-sync#14")
        #expect(server.accept(2, offers: SyncMode.partition.offers(2...12)) == "com.mongodb.realm-sync#12")
        #expect(server.accept(3, offers: SyncMode.partition.offers(2...7)) == nil)
        #expect(server.accept(4, offers: SyncMode.partition.offers(15...20)) == nil)
        #expect(server.accept(5, offers: ["com.mongodb.realm-sync/14", "chat"]) == nil)
    }

    /// Clients abort at a timestamp with invalid nanoseconds, so the server rejects such a change.
    @Test func badNanosecondsAreRefused() throws {
        for (seconds, nanoseconds) in [(1, 1_000_000_000), (1, -1), (-1, 1)] {
            var bytes: [UInt8] = []
            for (index, text) in ["Note", "t"].enumerated() {
                bytes += [0x3F, UInt8(index), UInt8(text.utf8.count)] + Array(text.utf8)
            }
            for number in [4, 0, 1, 1, 1, 0, 5, seconds, nanoseconds, 0] { bytes += encoded(number) }
            #expect(throws: ChangesetError.self) { try Changeset(decoding: bytes) }
            let entry = ClientMessage.Upload.Entry(
                clientVersion: 9, serverVersion: 0, timestamp: 1, changeset: bytes)
            let error = #expect(throws: SessionError.self) { try UploadedChange(entry, from: 2) }
            #expect(error?.code == .badChangeset)
            #expect(error?.code.action == .clientReset)
        }
    }

    /// An integer of a changeset (§3.1).
    private func encoded(_ number: Int) -> [UInt8] {
        var magnitude = number < 0 ? -(number + 1) : number
        var bytes: [UInt8] = []
        while magnitude >= 64 {
            bytes.append(UInt8(magnitude & 0x7F) | 0x80)
            magnitude >>= 7
        }
        return bytes + [UInt8(magnitude) | (number < 0 ? 0x40 : 0)]
    }

    /// Flexible clients fail at a bootstrap without an entry. If the partition is empty, the first download isn't a
    /// bootstrap: partition clients receive it as usual, and flexible clients receive no download.
    @Test func aBootstrapWithoutAnEntry() throws {
        let client = link.addClient()
        let file = SimulatedClientFile()
        _ = link.update(client) { $0.open(file, path: Self.path) }
        var downloads = 0
        for message in link.messages where !message.isFromClient {
            guard case .download(let download) = try ServerMessage(message.bytes, mode: .partition) else { continue }
            guard case .partition = download.stage else {
                Issue.record("\(download)")
                continue
            }
            #expect(throws: WireError.self) { try ServerMessage(message.bytes, mode: .flexible) }
            downloads += 1
        }
        #expect(downloads == 1)
        for message in try messagesToAFlexibleClient() {
            if case .download(let download) = message { Issue.record("\(download)") }
        }
    }

    private func messagesToAFlexibleClient() throws -> [ServerMessage] {
        var server = SyncServer(link.directory)
        _ = server.accept(1, offers: SyncMode.flexible.offers(8...14))
        for message in ["bind 1 2 0 1 0\n{}", "ident 1 2 5 0 0 0 0 0 2\n{}", "mark 1 1\n"] {
            server.receive(Array(message.utf8), from: 1)
        }
        return try server.takeEffects().compactMap { effect in
            if case .send(_, let bytes) = effect { try ServerMessage(bytes, mode: .flexible) } else { nil }
        }
    }

    // MARK: Messages that the client rejects

    private static let bad: [String: @Sendable (ServerMessage) -> ServerMessage] = [
        "a mark that was not asked for": { message in
            guard case .mark(let session, let request) = message else { return message }
            return .mark(session: session, request: request + 70)
        },
        "a session that is not there": { message in
            guard case .mark(_, let request) = message else { return message }
            return .mark(session: 99, request: request)
        },
        "a download beyond the latest version": { message in
            guard case .download(var download) = message else { return message }
            download.download.serverVersion = 99
            return .download(download)
        },
        "an acknowledgement of what was not sent": { message in
            guard case .download(var download) = message else { return message }
            download.upload.clientVersion = 99
            return .download(download)
        },
        "a second ident": { message in
            guard case .mark(let session, _) = message else { return message }
            return .ident(session: session, SaltedIdent(ident: 9, salt: 9))
        },
        "an unknown number without a session": { message in
            guard case .mark = message else { return message }
            return .jsonError(session: 0, code: 999, ServerError("", .transient, canTryAgain: true))
        },
        "a number of connections with a session": { message in
            guard case .mark(let session, _) = message else { return message }
            return .jsonError(session: session, code: 101, ServerError("", .transient, canTryAgain: true))
        },
        "unbound without unbind": { message in
            guard case .mark(let session, _) = message else { return message }
            return .unbound(session: session)
        },
    ]

    @Test(arguments: bad.keys.sorted()) func aServerThatBreaksTheProtocolIsDisconnected(_ name: String) throws {
        let edit = try #require(Self.bad[name])
        link.alter = { isFromClient, bytes in
            guard !isFromClient, let message = try? ServerMessage(bytes, mode: .partition) else { return bytes }
            return edit(message).encoded()
        }
        let (client, file, _) = try open()
        #expect(link.clients[client].transport == nil)
        #expect(failures(client).first?.action == .protocolViolation)
        link.alter = nil
        link.fire(.reconnect, client)
        #expect(file.isUploaded)
    }

    @Test func aSubProtocolThatWasNotOffered() throws {
        for name in ["com.mongodb.realm-sync#99", "com.mongodb.realm-query-sync#14", "", nil] {
            var client = ClientConnection(random: SeededGenerator(seed: 1))
            _ = client.open(SimulatedClientFile(), path: Self.path)
            _ = client.takeEffects()
            client.didConnect(name)
            let effects = client.takeEffects()
            #expect(effects.contains(.disconnect))
            #expect(!effects.contains { if case .send = $0 { true } else { false } })
            client.fire(.reconnect, now: 0)
            #expect(!client.takeEffects().contains(.connect))
        }
    }

    /// A session that failed with a retry is bound again after the delay, with its number.
    @Test func retries() throws {
        let (client, file, session) = try open()
        let transport = try #require(link.clients[client].transport)
        link.updateServer { $0.fail(session, of: transport, SessionError(.initialSyncNotComplete, "later")) }
        #expect(failures(client).map(\.action) == [.transient])
        #expect(link.headers.last == "> unbind 1")
        let delay = try #require(link.clients[client].timers[.resume(session: session)])
        #expect(delay <= 1000 && delay >= 750)
        try commit(SimpleChanges.create(1), client, file)
        #expect(!file.isUploaded)
        link.fire(.resume(session: session), client)
        #expect(file.isUploaded)
    }

    // MARK: Messages that the server rejects

    private func answers(_ messages: [String]) -> [String] {
        var server = SyncServer(link.directory)
        _ = server.accept(1, offers: SyncMode.partition.offers(8...14))
        var received: [String] = []
        for message in messages {
            server.receive(Array(message.utf8), from: 1)
            var effects = server.takeEffects()
            while !effects.isEmpty {
                for effect in effects {
                    if case .send(_, let bytes) = effect {
                        received.append(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
                        server.didSend(1)
                    }
                    if case .close = effect { received.append("close") }
                }
                effects = server.takeEffects()
            }
        }
        return received.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    }

    @Test func clientsThatBreakTheProtocol() {
        let bind = "bind 1 4 0 1 0\n\"p1\""
        #expect(answers(["hello\n"]) == ["json_error 102", "close"])
        #expect(answers(["mark 1\n"]) == ["json_error 103", "close"])
        #expect(answers(["mark 1 1\n"]) == ["json_error 106", "close"])
        #expect(answers([bind, bind]) == ["ident 1", "json_error 107", "close"])
        #expect(answers([bind, "mark 1 1\n"]) == ["ident 1", "json_error 109", "close"])
        #expect(answers(["bind 1 4 0 0 0\n{xx}"]) == ["json_error 204"])
        #expect(answers(["bind 1 4 0 0 0\n\"p1\"", "ident 1 77 5 0 0 0 0\n"]) == ["json_error 208"])
        // Messages after the error are ignored until the session is unbound. Then it may be bound again.
        #expect(
            answers([
                "bind 1 4 0 0 0\n\"p1\"", "ident 1 77 5 0 0 0 0\n", "mark 1 1\n", "unbind 1\n", bind, "ping 5 0\n",
            ]) == ["json_error 208", "ident 1", "pong 5"])
    }

    /// Pings, marks, and tests wait for a client that reads. Those of a session end with it.
    @Test func unreadResponsesAreCounted() {
        var server = SyncServer(link.directory)
        _ = server.accept(1, offers: SyncMode.partition.offers(8...14))
        func receive(_ messages: [String]) { for message in messages { server.receive(Array(message.utf8), from: 1) } }
        receive(["bind 1 4 0 1 0\n\"p1\"", "ping 1 0\n", "ping 2 0\n", "test_command 1 1 2\n{}"])
        #expect(server.unansweredCount(1) == 3)
        for left in [2, 1, 0, 0] {
            server.didSend(1)
            #expect(server.unansweredCount(1) == left)
        }
        receive(["ping 3 0\n", "test_command 1 2 2\n{}", "test_command 1 3 2\n{}"])
        #expect(server.unansweredCount(1) == 2)
        receive(["unbind 1\n"])
        #expect(server.unansweredCount(1) == 0)
        server.didDisconnect(1)
        #expect(server.unansweredCount(1) == 0)
    }

    @Test func flexibleClientsAreRejected() throws {
        let sent = try messagesToAFlexibleClient()
        guard case .jsonError(0, 114, let error)? = sent.first else {
            Issue.record("\(sent)")
            return
        }
        #expect(error.action == .applicationBug && !error.canTryAgain)
    }

    @Test func theOlderConnectionIsDropped() throws {
        let (client, file, _) = try open()
        let older = try #require(link.clients[client].transport)
        let other = link.addClient(seed: 9)
        _ = link.update(other) { $0.open(file, path: Self.path) }
        #expect(link.clients[client].transport != older)
    }

    @Test func randomBytes() throws {
        var generator = SeededGenerator(for: "random wire bytes")
        var refused = 0
        for _ in 0..<(Settings.number("REGNUM_FUZZ_COUNT") ?? 20) * 10 {
            let link = DirectLink()
            var mutation = generator
            _ = generator.next()
            link.alter = { _, bytes in
                mutation.chance(10) ? WireMutation.mutated(bytes, &mutation) : bytes
            }
            for seed in 1...2 {
                let client = link.addClient(seed: UInt64(seed))
                let file = SimulatedClientFile()
                try file.commit(SimpleChanges.schema, timestamp: 100)
                file.sync()
                _ = link.update(client) { $0.open(file, path: Self.path) }
                for key in 0..<5 {
                    _ = try? file.commit(SimpleChanges.create(Int64(key)), timestamp: 200)
                    file.sync()
                    link.update(client) { $0.didCommit() }
                    link.fire(.reconnect, client)
                    link.fire(.resume(session: 1), client)
                }
                refused += link.log.count
            }
        }
        #expect(refused > 20)
    }
}
