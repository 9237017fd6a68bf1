// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The relations between cursors and versions, at both ends.
@Suite struct ProgressTests {
    // MARK: Client

    private func download(_ edit: (inout ServerMessage.Download) -> Void) -> ServerMessage.Download {
        let entries = [(8, 2), (9, 3)].map { server, client in
            ServerMessage.Download.Entry(
                serverVersion: server, clientVersion: client, timestamp: 1, origin: 3, originalSize: 0, changeset: [])
        }
        var message = ServerMessage.Download(
            session: 1, download: DownloadCursor(serverVersion: 9, clientVersion: 3),
            latest: SaltedVersion(version: 10, salt: 7), upload: UploadCursor(clientVersion: 4, serverVersion: 8),
            stage: .partition(downloadableBytes: 0), entries: entries)
        edit(&message)
        return message
    }

    private static let start = ClientProgress(
        download: DownloadCursor(serverVersion: 7, clientVersion: 2), latest: SaltedVersion(version: 9, salt: 7),
        upload: UploadCursor(clientVersion: 3, serverVersion: 6))

    @Test func aDownloadThatAdvancesIsAccepted() throws {
        var progress = Self.start
        let message = download { _ in }
        try progress.take(message, ownIdent: 2, newestVersion: 4)
        #expect(progress.download == message.download)
        #expect(progress.upload == message.upload)
        #expect(progress.latest == message.latest)
    }

    private static let edits: [String: @Sendable (inout ServerMessage.Download) -> Void] = [
        "latest goes back": { $0.latest.version = 8 },
        "upload goes back": { $0.upload.clientVersion = 2 },
        "upload beyond what there is": { $0.upload.clientVersion = 5 },
        "download goes back": { $0.download.serverVersion = 6 },
        "download beyond latest": { $0.download.serverVersion = 11 },
        "client version goes back": { $0.download.clientVersion = 1 },
        "client version beyond upload": { $0.download.clientVersion = 5 },
        "upload beyond download": { $0.upload.serverVersion = 10 },
        "version 0": { $0.entries[0].serverVersion = 0 },
        "a version twice": { $0.entries[1].serverVersion = 8 },
        "a version that the client has": { $0.entries[0].serverVersion = 7 },
        "a version beyond the cursor": { $0.entries[1].serverVersion = 10 },
        "a client version that goes back": { $0.entries[1].clientVersion = 1 },
        "a client version beyond the cursor": { $0.entries[1].clientVersion = 4 },
        "no origin": { $0.entries[0].origin = 0 },
        "its own change": { $0.entries[0].origin = 2 },
    ]

    @Test(arguments: edits.keys.sorted()) func aDownloadThatDoesNotAdvanceIsRejected(_ name: String) throws {
        let edit = try #require(Self.edits[name])
        var progress = Self.start
        let error = #expect(throws: SessionError.self) {
            try progress.take(download(edit), ownIdent: 2, newestVersion: 4)
        }
        #expect(error?.code == .badProgress)
        #expect(progress == Self.start)
    }

    // MARK: Recordings

    /// Downloads that original clients accepted or rejected.
    @Test func recordedDownloads() throws {
        var counts = (taken: 0, refused: 0)
        for name in try SyncFixtures.recordings() {
            let refusals = try refusals(in: name, &counts.taken)
            let isBad =
                name.hasPrefix("bad-download-") && !name.hasSuffix("-content.jsonl")
                && !name.hasSuffix("-undecodable.jsonl")
            #expect(refusals.isEmpty != isBad, "\(name): \(refusals)")
            counts.refused += refusals.count
        }
        print("downloads: \(counts.taken) taken, \(counts.refused) refused")
        #expect(counts.taken > 600)
    }

    private func refusals(in name: String, _ taken: inout Int) throws -> [SessionError] {
        var refusals: [SessionError] = []
        var sessions: [[UInt64]: (progress: ClientProgress, ident: UInt64)] = [:]
        for message in try Recording(name).messages {
            switch message.content {
            case .client(.ident(let ident)):
                let progress = ClientProgress(download: ident.download, latest: ident.latest)
                sessions[[message.connection, ident.session]] = (progress, ident.file.ident)
            case .server(.download(let download)):
                let key = [message.connection, download.session]
                guard var session = sessions[key] else { continue }
                do {
                    try session.progress.take(download, ownIdent: session.ident, newestVersion: .max)
                    taken += 1
                } catch {
                    refusals.append(error)
                }
                sessions[key] = session
            default: break
            }
        }
        return refusals
    }

    // MARK: Server

    private func ident(_ edit: (inout ClientMessage.Ident) -> Void = { _ in }) -> ClientMessage.Ident {
        var ident = ClientMessage.Ident(
            session: 1, file: SaltedIdent(ident: 2, salt: 5),
            download: DownloadCursor(serverVersion: 4, clientVersion: 3),
            latest: SaltedVersion(version: 6, salt: 60))
        edit(&ident)
        return ident
    }

    private func begin(_ ident: ClientMessage.Ident, salt: UInt64? = 5) -> SessionErrorCode? {
        var progress = ServerProgress(upload: UploadCursor(clientVersion: 3, serverVersion: 2))
        do {
            try progress.begin(ident, salt: salt, kept: 3...7) { $0 * 10 }
            return nil
        } catch {
            return error.code
        }
    }

    @Test func aSessionBeginsWhereTheClientCanBe() {
        #expect(begin(ident()) == nil)
        #expect(begin(ident(), salt: nil) == .unknownIdent)
        #expect(begin(ident { $0.file.salt = 6 }) == .divergingHistories)
        #expect(begin(ident { $0.download.serverVersion = 2 }) == .badServerVersion)
        #expect(begin(ident { $0.download.serverVersion = 8 }) == .badServerVersion)
        #expect(begin(ident { $0.download.clientVersion = 4 }) == .badClientVersion)
        #expect(begin(ident { $0.latest.version = 3 }) == .badServerVersion)
        #expect(begin(ident { $0.latest.version = 8 }) == .badServerVersion)
        #expect(begin(ident { $0.latest.salt = 61 }) == .divergingHistories)
    }

    private func upload(
        _ entries: [(client: UInt64, server: UInt64)], progress: UploadCursor, origin: UInt64 = 0
    ) -> ClientMessage.Upload {
        let entries = entries.map { client, server in
            ClientMessage.Upload.Entry(
                clientVersion: client, serverVersion: server, timestamp: 1, origin: origin, changeset: [])
        }
        return ClientMessage.Upload(session: 1, progress: progress, lockedServerVersion: 0, entries: entries)
    }

    @Test func uploadsGoOn() throws {
        var progress = ServerProgress(upload: UploadCursor(clientVersion: 3, serverVersion: 2), sentVersion: 5)
        let cursor = UploadCursor(clientVersion: 6, serverVersion: 4)
        let new = try progress.take(upload([(3, 2), (4, 2), (5, 4)], progress: cursor))
        #expect(new.map(\.clientVersion) == [4, 5])
        #expect(progress.upload == cursor)
        for (bad, code) in [
            (upload([], progress: UploadCursor(clientVersion: 7, serverVersion: 6)), SessionErrorCode.badServerVersion),
            (upload([(7, 4), (7, 4)], progress: UploadCursor(clientVersion: 7, serverVersion: 4)), .badClientVersion),
            (upload([(8, 4)], progress: UploadCursor(clientVersion: 7, serverVersion: 4)), .badClientVersion),
            (upload([(7, 5)], progress: UploadCursor(clientVersion: 7, serverVersion: 4)), .badServerVersion),
            (upload([(7, 3)], progress: UploadCursor(clientVersion: 7, serverVersion: 4)), .badServerVersion),
            (upload([(7, 4)], progress: UploadCursor(clientVersion: 7, serverVersion: 4), origin: 9), .badOrigin),
        ] {
            let error = #expect(throws: SessionError.self) { try progress.take(bad) }
            #expect(error?.code == code)
        }
        #expect(progress.upload == cursor)
        progress.send(through: 6)
        #expect(
            try progress.take(upload([(7, 6)], progress: UploadCursor(clientVersion: 7, serverVersion: 6))).count == 1)
    }
}
