// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// A partition that gives the idents and salts of a recording.
private final class ScriptedPartition: PartitionStore {
    var partition: MemoryPartition
    var idents: () -> SaltedIdent

    init(salt: UInt64, _ idents: @escaping () -> SaltedIdent) {
        partition = MemoryPartition(salt: salt)
        self.idents = idents
    }

    var newest: SaltedVersion { partition.newest }
    func salt(of version: UInt64) -> UInt64? { partition.salt(of: version) }
    func file(_ ident: UInt64) -> KnownFile? { partition.file(ident) }
    func addFile() -> SaltedIdent {
        let file = idents()
        partition.addFile(file)
        return file
    }
    func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        do { for change in changes { _ = try partition.integrate(change, from: ident) } } catch {
            throw SessionError(.badChangeset, "\(error)")
        }
    }
    func advance(_ ident: UInt64, to cursor: UploadCursor) { partition.advance(ident, to: cursor) }
    func downloads(for ident: UInt64, after version: UInt64, limit: Int) -> DownloadBatch {
        partition.downloads(for: ident, after: version, limit: limit)
    }
}

private final class ScriptedDirectory: PartitionDirectory {
    private var partitions: [String: ScriptedPartition] = [:]
    private var idents: [SaltedIdent]
    private let salt: UInt64

    init(_ idents: [SaltedIdent], salt: UInt64) {
        self.idents = idents.reversed()
        self.salt = salt
    }

    func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
        if let partition = partitions[path] { return partition }
        let partition = ScriptedPartition(salt: salt) { [unowned self] in
            idents.popLast() ?? SaltedIdent(ident: 99, salt: 99)
        }
        partitions[path] = partition
        return partition
    }
}

/// Our server against the recorded clients. Idents and salts are those of the recording.
struct ServerReplay {
    /// What a session is told, but for how its changes were put into messages.
    struct Told: Equatable {
        var messages: [ServerMessage] = []
        var entries: [ServerMessage.Download.Entry] = []
        var downloads: [ServerMessage.Download] = []
    }

    private(set) var recorded: [[UInt64]: Told] = [:]
    private(set) var ours: [[UInt64]: Told] = [:]
    private(set) var log: [String] = []

    init(_ name: String) throws {
        let recording = try Recording(name)
        var idents: [SaltedIdent] = []
        var salt: UInt64 = 0
        for message in recording.messages {
            switch message.content {
            case .server(.ident(_, let file)): idents.append(file)
            case .server(.download(let download)): if salt == 0 { salt = download.latest.salt }
            default: break
            }
        }
        var server = SyncServer(ScriptedDirectory(idents, salt: salt))
        var known: Set<UInt64> = []
        for message in recording.messages {
            if known.insert(message.connection).inserted {
                _ = server.accept(message.connection, offers: SyncMode.partition.offers(8...14))
            }
            switch message.content {
            case .client: server.receive(message.bytes, from: message.connection)
            case .server(.jsonError(let session, let code, let error)) where session > 0:
                server.fail(session, of: message.connection, code: code, error)
                take(.jsonError(session: session, code: code, error), message.connection, &recorded)
            case .server(let told): take(told, message.connection, &recorded)
            case .broken: break
            }
            collect(&server)
        }
    }

    private mutating func collect(_ server: inout SyncServer) {
        var effects = server.takeEffects()
        while !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .send(let connection, let bytes):
                    if let message = try? ServerMessage(bytes, mode: .partition) { take(message, connection, &ours) }
                    server.didSend(connection)
                case .log(_, let text): log.append(text)
                default: break
                }
            }
            effects = server.takeEffects()
        }
    }

    private func take(_ message: ServerMessage, _ connection: UInt64, _ told: inout [[UInt64]: Told]) {
        let session = [connection, message.session]
        switch message {
        case .log: break
        case .download(var download):
            // Original bytes intern other texts first.
            let entries = download.entries.map { entry in
                var entry = entry
                // The original's server says another size.
                entry.originalSize = 0
                if let changeset = try? Changeset(decoding: entry.changeset) { entry.changeset = changeset.encoded() }
                return entry
            }
            told[session, default: Told()].entries += entries
            download.entries = entries
            told[session, default: Told()].downloads.append(download)
        case .jsonError(_, let code, let error):
            let plain = ServerError("", error.action, canTryAgain: error.canTryAgain)
            told[session, default: Told()].messages.append(.jsonError(session: session[1], code: code, plain))
        default: told[session, default: Told()].messages.append(message)
        }
    }

    static func head(_ message: ServerMessage) -> String {
        String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
    }

    static func head(_ entry: ServerMessage.Download.Entry) -> String {
        let changeset = try? Changeset(decoding: entry.changeset)
        return """
            \(entry.serverVersion) \(entry.clientVersion) \(entry.timestamp) \(entry.origin) \(entry.originalSize) \
            \(changeset?.description ?? "?")
            """
    }

    /// Downloads that are the same in both, in order.
    func sameDownloads(_ session: [UInt64]) -> Int {
        guard let a = ours[session]?.downloads, let b = recorded[session]?.downloads else { return 0 }
        return a.count - a.difference(from: b).insertions.count
    }
}
