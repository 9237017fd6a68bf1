// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import SyncTestSupport

/// Partitions whose idents and salts are those of a recording.
final class ScriptedDirectory: ReplayedDirectory {
    private var partitions: [String: ScriptedPartition] = [:]
    private let salt: UInt64
    private var next = SaltedIdent(ident: 0, salt: 0)
    private var bindCount: UInt64 = 0

    init(_ recording: Recording) { salt = recording.salt }

    func prepare(_ message: ClientMessage, of connection: UInt64, answers: [ServerMessage]) {
        guard case .bind = message else { return }
        bindCount += 1
        next = SaltedIdent(ident: 1000 + bindCount, salt: 1)
        for case .ident(_, let file) in answers {
            next = file
            break
        }
    }

    func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
        if let partition = partitions[path] { return partition }
        let partition = ScriptedPartition(salt: salt) { [unowned self] in next }
        partitions[path] = partition
        return partition
    }

    func isEmpty(_ version: UInt64) -> Bool {
        partitions.values.contains { partition in
            partition.partition.history.versions.contains { $0.version == version && $0.changeset.isEmpty }
        }
    }
}

private final class ScriptedPartition: PartitionStore {
    var partition: MemoryPartition
    private let nextFile: () -> SaltedIdent

    init(salt: UInt64, _ nextFile: @escaping () -> SaltedIdent) {
        partition = MemoryPartition(salt: salt)
        self.nextFile = nextFile
    }

    var newest: SaltedVersion { partition.newest }
    func salt(of version: UInt64) -> UInt64? { partition.salt(of: version) }
    func file(_ ident: UInt64) -> KnownFile? { partition.file(ident) }
    func addFile() -> SaltedIdent {
        let file = nextFile()
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

extension Recording {
    fileprivate var salt: UInt64 {
        for message in messages {
            if case .server(.download(let download)) = message.content, download.latest.salt != 0, !message.isScripted {
                return download.latest.salt
            }
        }
        return 0
    }
}
