// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The history of a partition in memory. It's a value, so a copy is a snapshot that can be restored.
package struct MemoryPartition: Sendable {
    private struct Version {
        let salt: UInt64
        let bytes: [UInt8]
        let originalSize: Int
    }

    package private(set) var history = ServerHistory()
    private var versions: [Version] = []
    private var fileSalts: [UInt64: UInt64] = [:]
    /// The last assigned file ident. The server's own is the first.
    private var lastIdent = ChangeOrder.serverIdent
    /// The salt of new versions: different for each run of a server.
    package var salt: UInt64

    package init(salt: UInt64) { self.salt = salt }

    package var newest: SaltedVersion {
        SaltedVersion(version: history.newestVersion, salt: salt(of: history.newestVersion) ?? 0)
    }

    package func salt(of version: UInt64) -> UInt64? {
        if version == 0 { return 0 }
        return version <= history.newestVersion ? versions[Int(version) - 1].salt : nil
    }

    package func file(_ ident: UInt64) -> KnownFile? {
        guard let salt = fileSalts[ident] else { return nil }
        guard let file = history.files[ident] else {
            return KnownFile(salt: salt, upload: UploadCursor(), kept: 0...history.newestVersion, isExpired: true)
        }
        return KnownFile(
            salt: salt, upload: UploadCursor(clientVersion: file.clientVersion, serverVersion: file.serverVersion),
            kept: file.serverVersion...history.newestVersion)
    }

    package mutating func addFile(salt: UInt64) -> SaltedIdent {
        let file = SaltedIdent(ident: lastIdent + 1, salt: salt)
        addFile(file)
        return file
    }

    package mutating func addFile(_ file: SaltedIdent) {
        lastIdent = max(lastIdent, file.ident)
        fileSalts[file.ident] = file.salt
        history.addFile(file.ident)
    }

    /// Removes the history kept for a file. The file has to reset itself when it reconnects.
    package mutating func expire(_ ident: UInt64) { history.removeFile(ident) }

    /// Returns the merged form; nil if the change was already integrated.
    package mutating func integrate(_ change: UploadedChange, from ident: UInt64) throws(MergeError) -> Changeset? {
        guard let version = try history.integrate(change, from: ident) else { return nil }
        versions.append(Version(salt: salt, bytes: version.changeset.encoded(), originalSize: change.originalSize))
        return version.changeset
    }

    package mutating func advance(_ ident: UInt64, to cursor: UploadCursor) {
        history.advance(ident, clientVersion: cursor.clientVersion, serverVersion: cursor.serverVersion)
    }

    package func downloads(for ident: UInt64, after version: UInt64, limit: Int) -> DownloadBatch {
        var entries: [ServerMessage.Download.Entry] = []
        var size = 0
        var remaining: UInt64 = 0
        for entry in history.versions(after: version) where history.isSent(entry, to: ident) {
            let stored = versions[Int(entry.version) - 1]
            guard size <= limit else {
                remaining += UInt64(stored.originalSize)
                continue
            }
            size += stored.bytes.count
            entries.append(
                ServerMessage.Download.Entry(
                    serverVersion: entry.version, clientVersion: history.clientVersion(of: ident, at: entry.version),
                    timestamp: entry.order.timestamp, origin: entry.order.fileIdent,
                    originalSize: UInt64(stored.originalSize), changeset: stored.bytes))
        }
        let end = remaining > 0 ? entries.last?.serverVersion ?? version : history.newestVersion
        return DownloadBatch(
            entries: entries,
            cursor: DownloadCursor(serverVersion: end, clientVersion: history.clientVersion(of: ident, at: end)),
            remainingBytes: remaining)
    }
}
