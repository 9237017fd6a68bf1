// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import TestTraits
import Testing

/// Messages between our client and our server.
@Suite struct SessionTests {
    private let link = DirectLink()
    private static let path = "\"p1\""

    private func open(_ path: String = path, seed: UInt64 = 1) throws -> (Int, SimulatedClientFile, UInt64) {
        let client = link.addClient(seed: seed)
        let file = SimulatedClientFile()
        try file.commit(SimpleChanges.schema, timestamp: 100 + seed)
        file.sync()
        return (client, file, link.update(client) { $0.open(file, path: path) })
    }

    private func commit(_ changeset: Changeset, _ client: Int, _ file: SimulatedClientFile) throws {
        try file.commit(changeset, timestamp: 1000)
        file.sync()
        link.update(client) { $0.didCommit() }
    }

    private func withoutSalts(_ headers: [String]) -> [String] {
        headers.map { header in
            header.split(separator: " ").map { $0.count > 12 ? "S" : String($0) }.joined(separator: " ")
        }
    }

    @Test func firstContact() throws {
        let (client, file, session) = try open()
        #expect(
            withoutSalts(link.headers) == [
                "> bind 1 4 0 1 0", "< ident 1 2 S", "> ident 1 2 S 0 0 0 0", "< download 1 0 0 0 0 0 0 0 0 0 0",
                "> mark 1 1", "< mark 1 1", "> upload 1 0 55 0 2 0 0", "< download 1 1 1 1 S 2 0 0 0 0 0",
                "> upload 1 0 0 0 3 1 1", "< download 1 1 1 1 S 3 1 0 0 0 0",
            ])
        #expect(link.takeEffects(client).contains(.marked(session: session, request: 1)))
        #expect(file.isUploaded)
        #expect(link.directory.partition(Self.path).model == file.model)
    }

    @Test func changesReachOtherClients() throws {
        let (a, fileA, _) = try open()
        let (b, fileB, _) = try open(seed: 2)
        try commit(SimpleChanges.create(7), a, fileA)
        try commit(SimpleChanges.add(5, to: 7), b, fileB)
        #expect(fileA.model == fileB.model)
        #expect(fileA.model.content(at: Place(SimpleChanges.object(7), "n")) == .value(.int(5)))
    }

    /// Changes committed during an upload are newer than the state it read, and wait for the next upload.
    @Test func commitsDuringAnUploadWaitForTheNext() throws {
        let (client, file) = (link.addClient(), BusyFile())
        try file.content.commit(SimpleChanges.schema, timestamp: 100)
        file.content.sync()
        file.change = SimpleChanges.create(1)
        link.update(client) { _ = $0.open(file, path: Self.path) }
        link.update(client) { $0.didCommit() }
        let failures = link.takeEffects(client).filter { if case .failed = $0 { true } else { false } }
        #expect(failures.isEmpty && file.change == nil && file.content.isUploaded)
        #expect(link.directory.partition(Self.path).model == file.content.model)
    }

    @Test func uploadsThatWereNotAcknowledgedAreSentAgain() throws {
        let (client, file, _) = try open()
        try commit(SimpleChanges.create(1), client, file)
        link.alter = { isFromClient, bytes in isFromClient ? bytes : nil }
        try commit(SimpleChanges.add(5, to: 1), client, file)
        #expect(!file.isUploaded)
        #expect(link.directory.partition(Self.path).model == file.model)
        link.cut(client)
        link.alter = nil
        let before = link.messages.count
        link.fire(.reconnect, client)
        #expect(file.isUploaded)
        #expect(link.directory.partition(Self.path).model == file.model)
        // No mark, because this session had caught up before.
        let headers = link.headers.dropFirst(before).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(headers.prefix(4) == ["> bind", "> ident", "< download", "> upload"])
    }

    /// A new session uploads nothing before its first mark is answered, by when it has the server's state.
    @Test func changesAcknowledgedBeforeTheFirstMarkAreNotResent() throws {
        let (client, file, session) = try open()
        link.alter = { isFromClient, bytes in isFromClient ? bytes : nil }
        try commit(SimpleChanges.create(1), client, file)
        link.cut(client)
        link.alter = nil
        link.update(client) { $0.close(session) }
        let before = link.messages.count
        _ = link.update(client) { $0.open(file, path: Self.path) }
        link.fire(.reconnect, client)
        #expect(file.isUploaded)
        var uploads: [ClientMessage.Upload] = []
        for message in link.messages.dropFirst(before) where message.isFromClient {
            guard case .upload(let upload) = try ClientMessage(message.bytes, mode: .partition) else { continue }
            uploads.append(upload)
        }
        #expect(uploads.map(\.entries.count) == [0])
    }

    /// The undelivered downloads caused by other clients' changes.
    private func held(_ change: () throws -> Void) throws -> [[UInt8]] {
        var held: [[UInt8]] = []
        link.alter = { isFromClient, bytes in
            if isFromClient { return bytes }
            if case .download(let download)? = try? ServerMessage(bytes, mode: .partition), !download.entries.isEmpty {
                held.append(bytes)
            }
            return nil
        }
        try change()
        link.alter = nil
        return held
    }

    @Test func downloadsThatArriveTogetherAreOneVersion() throws {
        let (a, fileA, _) = try open()
        let (b, fileB, session) = try open(seed: 2)
        let messages = try held { for key in 0..<3 { try commit(SimpleChanges.create(Int64(key)), a, fileA) } }
        #expect(messages.count == 3)
        let version = fileB.state.newestVersion
        _ = link.takeEffects(b)
        link.update(b) { $0.receive(messages, now: 0) }
        let effects = [3, 0].map { ClientEffect.integrated(session: session, entries: $0) }
        #expect(link.takeEffects(b) == effects)
        #expect(fileB.state.newestVersion == version + 2)
        #expect(fileB.model == fileA.model)
    }

    @Test func downloadsBeforeABadOneAreIntegrated() throws {
        let (a, fileA, _) = try open()
        let (b, fileB, session) = try open(seed: 2)
        var messages = try held { for key in 0..<4 { try commit(SimpleChanges.create(Int64(key)), a, fileA) } }
        guard case .download(var download) = try ServerMessage(messages[2], mode: .partition) else {
            throw Failure("no download")
        }
        download.entries[0].changeset = Changeset([.eraseTable("Nothing")]).encoded()
        messages[2] = ServerMessage.download(download).encoded()
        _ = link.takeEffects(b)
        link.update(b) { $0.receive(messages, now: 0) }
        let effects = link.takeEffects(b)
        #expect(effects.first == .integrated(session: session, entries: 2))
        guard case .failed(session, let failure)? = effects.dropFirst().first else { throw Failure("it did not fail") }
        #expect(failure.action == .warning)
        let isThere = (0..<4).map { fileB.model.content(at: Place(SimpleChanges.object($0), "n")) != nil }
        #expect(isThere == [true, true, false, false])
        #expect(link.headers.contains { $0.hasPrefix("> json_error") })
    }

    /// A server may answer only the newest of several pending marks. The answer covers the earlier ones.
    @Test(.behaviour("Y01")) func aMarkAnswersThoseBeforeIt() throws {
        let (client, _, session) = try open()
        var held: [[UInt8]] = []
        link.alter = { isFromClient, bytes in
            guard !isFromClient, bytes.starts(with: Array("mark ".utf8)) else { return bytes }
            held.append(bytes)
            return nil
        }
        for expected in UInt64(2)...4 {
            let request = link.update(client) { $0.requestMark(session) }
            #expect(request == expected)
        }
        link.alter = nil
        #expect(held.map { String(decoding: $0, as: UTF8.self) } == ["mark 1 2\n", "mark 1 3\n", "mark 1 4\n"])
        _ = link.takeEffects(client)
        link.update(client) { $0.receive(held[1], now: 0) }
        #expect(link.takeEffects(client).contains(.marked(session: session, request: 3)))
        link.update(client) { $0.receive(held[2], now: 0) }
        #expect(link.takeEffects(client).contains(.marked(session: session, request: 4)))
        #expect(link.clients[client].transport != nil)
        link.update(client) { $0.receive(held[0], now: 0) }
        #expect(link.clients[client].transport == nil)
    }

    @Test func offlineThenOnline() throws {
        link.isOffline = true
        let (client, file, _) = try open()
        for key in 0..<10 { try commit(SimpleChanges.create(Int64(key)), client, file) }
        var delays: [UInt64] = []
        for _ in 0..<12 {
            delays.append(link.clients[client].timers[.reconnect] ?? 0)
            link.fire(.reconnect, client)
        }
        #expect(delays[0] <= 1000 && delays[0] >= 750)
        #expect(delays[3] <= 8000 && delays[3] >= 6000)
        #expect(delays[11] <= 300_000 && delays[11] >= 225_000)
        link.isOffline = false
        link.update(client) { $0.retry() }
        #expect(file.isUploaded)
        #expect(link.directory.partition(Self.path).model == file.model)
    }

    /// One of two files on one connection is closed and opened again.
    @Test func sessionsShareAConnection() throws {
        let (client, file, first) = try open()
        let other = SimulatedClientFile()
        let second = link.update(client) { $0.open(other, path: "\"p2\"") }
        #expect(second == first + 1)
        link.update(client) { $0.close(first) }
        #expect(link.takeEffects(client).contains(.closed(session: first)))
        #expect(link.headers.suffix(2) == ["> unbind 1", "< unbound 1"])
        let third = link.update(client) { $0.open(file, path: Self.path) }
        #expect(third == 3)
        let headers = withoutSalts(link.headers).suffix(5)
        #expect(
            Array(headers) == [
                "> bind 3 4 0 0 0", "> ident 3 2 S 1 1 1 S", "< download 3 1 1 1 S 3 1 0 0 0 0", "> mark 3 1",
                "< mark 3 1",
            ])
        link.update(client) { $0.close(second) }
        link.update(client) { $0.close(third) }
        #expect(link.clients[client].timers[.linger] == 30_000)
        link.fire(.linger, client)
        #expect(link.clients[client].transport == nil)
    }

    /// A message is created only when the transport has room for it.
    @Test func aSlowTransportDelaysMessages() throws {
        link.isSlow = true
        let (client, file, _) = try open()
        #expect(link.messages.count == 2)
        var count = link.messages.count
        for _ in 0..<100 {
            link.update(client) { $0.didSend() }
            if let transport = link.clients[client].transport { link.updateServer { $0.didSend(transport) } }
            #expect(link.messages.count - count <= 4)
            count = link.messages.count
        }
        #expect(file.isUploaded)
    }

    @Test func pings() throws {
        let (client, _, _) = try open()
        let first = try #require(link.clients[client].timers[.ping])
        #expect(first <= 60_000)
        link.alter = { isFromClient, bytes in isFromClient ? bytes : nil }
        link.fire(.ping, client, now: 77)
        #expect(link.headers.suffix(2) == ["> ping 77 0", "< pong 77"])
        #expect(link.clients[client].timers[.pong] == 120_000)
        link.fire(.pong, client)
        #expect(link.clients[client].transport == nil)
        #expect(link.clients[client].timers[.reconnect] != nil)
        link.alter = nil
        link.fire(.reconnect, client)
        link.fire(.ping, client, now: 99)
        let delay = try #require(link.clients[client].timers[.ping])
        #expect(delay >= 54_000 && delay <= 60_000)
        #expect(link.clients[client].timers[.pong] == nil)
    }

    @Test func silentConnectionsAreDropped() throws {
        let (client, _, _) = try open()
        let transport = try #require(link.clients[client].transport)
        #expect(link.serverTimers[transport] == 600_000)
        link.updateServer { $0.fireSilence(transport) }
        #expect(link.clients[client].transport == nil)
    }

    /// Uploads and downloads end with the change that crosses 128 KiB.
    @Test func messagesHaveALimit() throws {
        link.isOffline = true
        let (client, file, _) = try open()
        let text = Text(String(repeating: "x", count: 50_000))
        try commit(SimpleChanges.create(1), client, file)
        for index in 0..<7 {
            try commit(SimpleChanges.insert(text, at: index, of: index, in: 1), client, file)
        }
        link.isOffline = false
        link.update(client) { $0.retry() }
        #expect(file.isUploaded)
        let uploads = link.messages.compactMap { message -> Int? in
            guard message.isFromClient, case .upload(let upload)? = try? ClientMessage(message.bytes, mode: .partition)
            else { return nil }
            return upload.entries.count
        }
        #expect(uploads.filter { $0 > 0 } == [5, 3, 1])
        let before = link.messages.count
        let (other, otherFile, _) = try open(seed: 2)
        #expect(otherFile.model == file.model)
        let downloads = link.messages.dropFirst(before).compactMap { message -> ServerMessage.Download? in
            guard !message.isFromClient,
                case .download(let download)? = try? ServerMessage(message.bytes, mode: .partition),
                !download.entries.isEmpty
            else { return nil }
            return download
        }
        #expect(downloads.map(\.entries.count) == [5, 3, 1])
        #expect(downloads.map(\.stage).last == .partition(downloadableBytes: 0))
        #expect(downloads[0].stage != .partition(downloadableBytes: 0))
        _ = other
    }
}

private final class BusyFile: ClientStore {
    let content = SimulatedClientFile()
    var change: Changeset?

    var state: ClientFileState { content.state }

    func assign(_ file: SaltedIdent) throws(SessionError) { try content.assign(file) }

    func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        try content.integrate(changes, progress, downloadableBytes: downloadableBytes)
    }

    func uploads(after version: UInt64, limit: Int) -> UploadBatch {
        if let change {
            _ = try? content.commit(change, timestamp: 200)
            content.sync()
            self.change = nil
        }
        return content.uploads(after: version, limit: limit)
    }
}
