// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// Replays a recorded server to our client. With the same messages and the same actions of its application, it must
/// send the messages of the original's client.
package struct ClientReplay<File: ReplayedFile> {
    package private(set) var compared = 0
    /// Messages that our client doesn't send, because it receives an error first.
    package private(set) var skipped = 0
    /// Progress reports that ours combined with another one.
    package private(set) var earlier = 0
    /// Uploads that the original sends before its first mark is answered, and our client doesn't (§2.7).
    package private(set) var heldBack = 0
    /// Uploads that report a newer version than the original's, which integrates a download later if it sends a query.
    package private(set) var ahead = 0
    package private(set) var same = 0
    /// The number of connections requested by our client and the original.
    package private(set) var connects = (ours: 0, recorded: 0)
    package private(set) var effects: [ClientEffect] = []
    package private(set) var hasDisconnected = false
    private let recording: Recording
    private let mode: SyncMode
    private var client: ClientConnection
    private var timers: Set<ClientTimer> = []
    private var files: [UInt64: File] = [:]
    private var sessions: [UInt64: File] = [:]
    package private(set) var opened: [File] = []
    private var lastChange: [ObjectIdentifier: UInt64] = [:]
    private var resetting: (file: File, mayRecover: Bool)?
    private var resets = 0
    /// The file that starts over with its next session.
    private var migrating: File?
    /// Copies of the server's state, downloaded for a reset.
    private var copies: Set<ObjectIdentifier> = []
    /// Sent messages that the recording hasn't reached yet, by session.
    private var waiting: [UInt64: [(message: ClientMessage, bytes: [UInt8])]] = [:]
    private var unmarked: Set<UInt64> = []
    private var lastOpened: UInt64 = 0
    private var position = 0
    private var queued: [(bytes: [UInt8], message: ServerMessage)] = []
    private var failed: Set<UInt64> = []
    private var isConnecting = false
    private var lastUploads: [UInt64: ClientMessage.Upload] = [:]
    private var answer: String?
    private let isContentBad: Bool
    private let isBootstrapBad: Bool
    /// Whether downloads can't be applied, and so create no version.
    private let isBad: Bool

    /// - Parameter connection: The connection of one client, if several clients are recorded.
    package init(_ name: String, connection: UInt64? = nil) throws {
        recording = try Recording(name, connection: connection)
        mode = recording.modes == [.flexible] ? .flexible : .partition
        client = ClientConnection(mode, random: SeededGenerator(seed: 1))
        isContentBad = name.contains("download-content")
        isBootstrapBad = name.contains("not-repeatable")
        isBad = name.hasPrefix("bad-download-")
    }

    package mutating func run() throws {
        for (index, event) in recording.events.enumerated() {
            position = index
            switch event {
            case .connect: try connect(index)
            case .connected(let name, let status): connected(name, status)
            case .message(let message):
                switch message.content {
                case .client(let expected): try expect(expected, message.bytes, index)
                case .server(let sent): try receive(message.bytes, sent)
                case .broken:
                    try receiveAll()
                    client.receive(message.bytes, now: 0)
                }
            case .close(_, let code):
                try receiveAll()
                client.didDisconnect(ClientDisconnection(closeCode: code))
            case .dropped: try dropped()
            case .note: break
            }
            collect()
        }
    }

    // MARK: Transport

    private mutating func connect(_ index: Int) throws {
        connects.recorded += 1
        if client.isConnected { try dropped() }
        collect()
        if timers.remove(.reconnect) != nil { client.fire(.reconnect, now: 0) }
        collect()
        for session in sessions.keys.sorted() where timers.remove(.resume(session: session)) != nil {
            client.fire(.resume(session: session), now: 0)
        }
        if sessions.isEmpty {
            for case .message(let message) in recording.events[index...] {
                if case .client(.bind(let bind)) = message.content { return try open(bind, index) }
            }
            try open(ClientMessage.Bind(session: 1, path: "\"p1\"", needsIdent: true), index)
        }
    }

    private mutating func connected(_ name: String?, _ status: Int) {
        if status != 101 { return client.didDisconnect(ClientDisconnection(status: status)) }
        if isConnecting {
            isConnecting = false
            client.didConnect(name)
        } else {
            answer = name
        }
    }

    private mutating func dropped() throws {
        try receiveAll()
        if client.isConnected { client.didDisconnect(.retry) }
        failed = []
    }

    private mutating func collect() {
        var new = client.takeEffects()
        while !new.isEmpty {
            for effect in new { take(effect) }
            new = client.takeEffects()
        }
    }

    private mutating func take(_ effect: ClientEffect) {
        switch effect {
        case .connect:
            connects.ours += 1
            isConnecting = answer == nil
            if let answer { client.didConnect(answer) }
            answer = nil
        case .send(let bytes):
            guard let message = try? ClientMessage(bytes, mode: mode) else { return }
            // The session requests a mark for each query.
            if case .query(let session, _) = message { lastMark[session, default: 1] += 1 }
            waiting[message.session, default: []].append((message, bytes))
        case .setTimer(let timer, _): timers.insert(timer)
        case .cancelTimer(let timer): timers.remove(timer)
        case .disconnect:
            hasDisconnected = true
            waiting = [:]
            queued = []
        case .refresh: if isRefreshed { client.didRefresh() }
        default: effects.append(effect)
        }
    }

    /// Whether the server issues new tokens, after which the client connects again.
    private var isRefreshed: Bool {
        client.isConnected
            || recording.events[(position + 1)...].contains { if case .connect = $0 { true } else { false } }
    }

    // MARK: Messages of the server

    private mutating func receive(_ bytes: [UInt8], _ message: ServerMessage) throws {
        if case .pong(let timestamp) = message { return client.receive(bytes, now: timestamp) }
        queued.append((bytes, message))
        if message.session == 0 { try receiveAll() }
    }

    private mutating func receiveAll() throws {
        while !queued.isEmpty { try receiveNext(at: 0) }
    }

    private mutating func receiveNext(at index: Int) throws {
        let (bytes, message) = queued.remove(at: index)
        if case .download(let download) = message, !mustReceive(download) { return }
        switch message {
        case .download(let download):
            try sessions[download.session]?.advance(to: download.upload.clientVersion)
        case .jsonError(let session, SessionErrorCode.schemaVersionChanged.rawValue, _): migrating = sessions[session]
        case .jsonError(_, SessionErrorCode.compensatingWrite.rawValue, _): break
        case .jsonError(let session, _, let error):
            failed.insert(session)
            if let file = sessions[session], [.clientReset, .clientResetNoRecovery].contains(error.action) {
                resetting = (file, error.action == .clientReset)
            }
        case .error(let session, _, _, _): failed.insert(session)
        case .mark(let session, _): unmarked.remove(session)
        default: break
        }
        client.receive(bytes, now: 0)
        if case .ident(let session, let file) = message, let stored = sessions[session] { files[file.ident] = stored }
        collect()
    }

    private static func isReport(_ code: Int) -> Bool {
        [SessionErrorCode.compensatingWrite, .schemaVersionChanged].contains { $0.rawValue == code }
    }

    /// Delivers the messages that the client had received when it sent a message.
    private mutating func receive(before message: ClientMessage) throws {
        while let index = queued.firstIndex(where: { $0.message.session == message.session }) {
            switch (message, queued[index].message) {
            case (.mark, _), (.ping, _), (.upload, .error): return
            // A client with an ident states it together with its bind.
            case (.upload, .jsonError(_, let code, _)), (.query, .jsonError(_, let code, _)),
                (.ident, .jsonError(_, let code, _)):
                guard Self.isReport(code) else { return }
                try receiveNext(at: index)
            case (.upload(let upload), .download(let download))
            where download.download.serverVersion > upload.lockedServerVersion:
                return
            case (_, .download(let download)) where !mustReceive(download): return
            default: try receiveNext(at: index)
            }
        }
    }

    // MARK: Actions of the application

    private mutating func open(_ bind: ClientMessage.Bind, _ index: Int) throws {
        let file = try file(for: bind, index)
        if let file = file as? ScriptedClientFile {
            file.refusesChanges = isContentBad && bind.session == 1
            file.refusesBootstraps = isBootstrapBad
        }
        sessions[bind.session] = file
        if !opened.contains(where: { $0 === file }) { opened.append(file) }
        while lastOpened + 1 < bind.session {
            lastOpened = client.open(try File.makeNew(), path: bind.path)
            client.close(lastOpened)
        }
        let session = client.open(file, path: bind.path)
        assert(session == bind.session)
        lastOpened = session
        unmarked.insert(session)
        if let mark = firstMark(of: bind.session, after: index) { request(mark, session) }
    }

    private mutating func file(for bind: ClientMessage.Bind, _ index: Int) throws -> File {
        guard !bind.needsIdent else {
            if let file = migrating {
                migrating = nil
                return try file.startOver()
            }
            let file = try File.makeNew()
            if resetting != nil { copies.insert(ObjectIdentifier(file)) }
            for entry in firstChanges(of: bind.session, after: index, from: file) { try commit(entry, to: file) }
            return file
        }
        let ident = ident(of: bind.session, after: index)
        var known = ident.flatMap { files[$0.file.ident] }
        if ident == nil, !File.isExact { known = resetting?.file }
        if let (file, mayRecover) = resetting, let copy = known, copy !== file {
            let discards = recording.resetMode == "discard" || !mayRecover || resets > 0
            if !discards {
                // It is uploaded under the versions that it had before the reset.
                let copied = copy.state.progress.download.serverVersion
                for entry in upcomingChanges(bind.session, from: index) where entry.serverVersion <= copied {
                    try commit(entry, to: file)
                }
            }
            known = try file.reset(to: copy, discarding: discards)
            opened.removeAll { $0 === copy }
            (resetting, resets) = (nil, resets + 1)
        }
        let file = try File.resumed(ident, known)
        if let ident { files[ident.file.ident] = file }
        if mode == .flexible, !File.isExact { try commitOffline(bind.session, file, index) }
        return file
    }

    /// Commits the changes and sets that the application made before a session, in the order of its messages.
    private mutating func commitOffline(_ session: UInt64, _ file: File, _ index: Int) throws {
        let base = file.state.progress.download.serverVersion
        for case .message(let message) in recording.events[index...] {
            switch message.content {
            case .client(.upload(let upload)) where upload.session == session:
                for entry in upload.entries {
                    guard entry.serverVersion <= base else { return }
                    try commit(entry, to: file)
                }
            case .client(.query(session, let query)): try file.subscribe(query)
            default: break
            }
        }
    }

    /// Returns the changes of a new file before the server assigns it an ident, which creates a version.
    private func firstChanges(of session: UInt64, after index: Int, from file: File) -> [ClientMessage.Upload.Entry] {
        guard !File.isExact, resetting == nil else { return [] }
        let changes = upcomingChanges(session, from: index)
        // The tables of subscriptions are older than the first change.
        if mode == .flexible { return changes.filter { $0.serverVersion == 0 } }
        let first = file.state.newestVersion + 1
        return zip(changes, first...).prefix { $0.clientVersion == $1 }.map(\.0)
    }

    /// Returns the changes that the file of a session will upload, in this session and in later ones.
    private func upcomingChanges(_ session: UInt64, from index: Int) -> [ClientMessage.Upload.Entry] {
        var own: Set = [session]
        var ident = sessions[session]?.state.file
        var changes: [ClientMessage.Upload.Entry] = []
        for case .message(let message) in recording.events[index...] {
            switch message.content {
            case .server(.ident(let session, let file)) where own.contains(session): ident = file
            // A file has another ident after a reset. These recordings have one client.
            case .client(.ident(let sent)) where sent.file == ident || recording.resetMode != nil:
                own.insert(sent.session)
            case .client(.upload(let upload)) where own.contains(upload.session):
                changes += upload.entries.filter { $0.clientVersion > changes.last?.clientVersion ?? 0 }
            default: break
            }
        }
        return changes
    }

    /// Whether a file with content has to receive a download before its next action. The original may have missed
    /// messages that arrived while the application wrote or the session ended.
    private func mustReceive(_ download: ServerMessage.Download) -> Bool {
        guard !File.isExact, !isBad, let file = sessions[download.session], !copies.contains(ObjectIdentifier(file))
        else {
            return true
        }
        // The cursors of a bootstrap advance with its last message.
        if case .flexible(_, .moreToCome, _) = download.stage { return true }
        let last = lastChange[ObjectIdentifier(file)] ?? 0
        let next = upcomingChanges(download.session, from: position).first { $0.clientVersion > last }
        if let next, file.state.newestVersion + 1 >= next.clientVersion { return false }
        for case .message(let message) in recording.events[position...] {
            if case .client(.ident(let ident)) = message.content, ident.file == file.state.file {
                return ident.download.serverVersion >= download.download.serverVersion
            }
        }
        return true
    }

    /// Commits the uploaded changes as the application, after the messages that the client had received by then
    /// according to the versions.
    private mutating func commitChanges(of upload: ClientMessage.Upload) throws {
        guard !File.isExact, let file = sessions[upload.session] else { return }
        for entry in upload.entries where entry.clientVersion > lastChange[ObjectIdentifier(file)] ?? 0 {
            while file.state.newestVersion + 1 < entry.clientVersion,
                let index = queued.firstIndex(where: { $0.message.session == upload.session })
            {
                if case .download(let download) = queued[index].message,
                    download.download.serverVersion > entry.serverVersion || !mustReceive(download)
                {
                    break
                }
                try receiveNext(at: index)
            }
            try commit(entry, to: file)
        }
    }

    /// Commits a change of the recording once. An entry committed earlier is only uploaded again.
    private mutating func commit(_ entry: ClientMessage.Upload.Entry, to file: File) throws {
        guard entry.clientVersion > lastChange[ObjectIdentifier(file)] ?? 0 else { return }
        lastChange[ObjectIdentifier(file)] = entry.clientVersion
        try file.commit(entry)
    }

    private mutating func request(_ mark: UInt64, _ session: UInt64) {
        while let number = lastMark[session] ?? Optional(1), number < mark {
            guard let next = client.requestMark(session) else { return }
            lastMark[session] = next
        }
    }

    private var lastMark: [UInt64: UInt64] = [:]

    private func ident(of session: UInt64, after index: Int) -> ClientMessage.Ident? {
        for case .message(let message) in recording.events[index...] {
            if case .client(.ident(let ident)) = message.content, ident.session == session { return ident }
        }
        return nil
    }

    private func firstMark(of session: UInt64, after index: Int) -> UInt64? {
        for case .message(let message) in recording.events[index...] {
            if case .client(.mark(session, let request)) = message.content { return request }
        }
        return nil
    }

    private mutating func prepare(_ message: ClientMessage, _ index: Int) throws {
        switch message {
        case .bind(let bind):
            lastUploads[bind.session] = nil
            failed.remove(bind.session)
            if sessions[bind.session] == nil { try open(bind, index) } else { client.resume(bind.session) }
        case .upload(let upload):
            guard let file = sessions[upload.session] else { return }
            for entry in upload.entries { try commit(entry, to: file) }
            try file.advance(to: upload.progress.clientVersion)
            for entry in nextUpload(of: upload, index) ?? [] { try commit(entry, to: file) }
            client.didCommit()
        case .query(let session, let query):
            try sessions[session]?.subscribe(query)
            client.didCommit()
        case .mark(let session, let number): request(number, session)
        case .unbind(let session):
            queued.removeAll { !File.isExact && $0.message.session == session }
            if !failed.contains(session) { client.close(session) }
        case .ping(let timestamp, _): if timers.remove(.ping) != nil { client.fire(.ping, now: timestamp) }
        default: break
        }
    }

    /// The changes of the next upload, if this one was too long for them.
    private func nextUpload(of upload: ClientMessage.Upload, _ index: Int) -> [ClientMessage.Upload.Entry]? {
        guard upload.entries.reduce(0, { $0 + $1.changeset.count }) > 128 << 10 else { return nil }
        for case .message(let message) in recording.events[(index + 1)...] {
            guard case .client(.upload(let next)) = message.content, next.session == upload.session else { continue }
            return next.entries.isEmpty ? nil : next.entries
        }
        return nil
    }

    // MARK: Messages

    private mutating func expect(_ message: ClientMessage, _ bytes: [UInt8], _ index: Int) throws {
        if case .upload(let upload) = message { try commitChanges(of: upload) }
        try receive(before: message)
        collect()
        if hasDisconnected, !client.isConnected {
            skipped += 1
            return
        }
        try prepare(message, index)
        collect()
        if case .upload(let upload) = message, upload.entries.isEmpty, let last = lastUploads[upload.session],
            last.progress.serverVersion >= upload.progress.serverVersion
        {
            earlier += 1
            return
        }
        for _ in 0..<20 where waiting[message.session]?.isEmpty != false {
            client.didSend()
            collect()
        }
        guard let first = waiting[message.session]?.first else {
            if case .upload = message, unmarked.contains(message.session) {
                heldBack += 1
                return
            }
            if !File.isExact { return }
            throw Failure("\(head(message)) was not sent")
        }
        let sent = first.message
        waiting[message.session]?.removeFirst()
        compared += 1
        guard File.isExact else { return try requireRecorded(sent) }
        if first.bytes == bytes { same += 1 }
        if case .upload(let expected) = message, case .upload(let upload) = sent {
            lastUploads[upload.session] = upload
            // The original had integrated more than this message reports.
            if expected.lockedServerVersion > expected.progress.serverVersion, upload.entries == expected.entries {
                return
            }
        }
        if mode == .flexible, case .upload(let expected) = message, case .upload(let upload) = sent,
            upload.entries == expected.entries, upload.progress.clientVersion == expected.progress.clientVersion,
            upload.progress.serverVersion > expected.progress.serverVersion
        {
            ahead += 1
            return
        }
        if case .error(_, let code, _) = message, case .error(_, code, _) = sent { return }
        if case .ping = message, case .ping = sent { return }
        try require(sent == message, "sent \(head(sent)) in place of \(head(message))")
        // The output of zlib isn't specified.
        if case .upload = message, head(message).split(separator: " ")[2] == "1" { return }
        try require(first.bytes == bytes, "other bytes than \(head(message))")
    }

    /// A file with content also creates empty versions, and so sends other messages. Its uploads have to equal those
    /// recorded for the session.
    private func requireRecorded(_ sent: ClientMessage) throws {
        if case .query(let session, let query) = sent {
            let isRecorded = recording.messages.contains {
                if case .client(.query(session, query)) = $0.content { true } else { false }
            }
            try require(isRecorded, "the query \(query) was not sent")
        }
        guard case .upload(let upload) = sent else { return }
        let recorded = recording.messages.flatMap { message -> [ClientMessage.Upload.Entry] in
            guard case .client(.upload(let other)) = message.content, other.session == upload.session else { return [] }
            return other.entries
        }
        for own in upload.entries {
            let isRecorded = recorded.contains {
                $0.clientVersion == own.clientVersion && $0.serverVersion == own.serverVersion
            }
            try require(isRecorded, "version \(own.clientVersion), based on \(own.serverVersion), was not uploaded")
        }
    }

    private func head(_ message: ClientMessage) -> String {
        String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
