// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore

/// Facts about the history of a synchronised file. They omit the salt that proves its identity, because output is often
/// shared.
struct ClientHistoryFacts {
    /// 0 until a server has assigned one.
    let fileIdent: UInt64
    let entryCount: Int
    let baseVersion: UInt64
    let byteCount: Int
    let progress: ClientProgress
    let pendingCount: Int
    /// nil if some changesets can't be decompressed here.
    let pendingByteCount: Int?

    init?(_ snapshot: Snapshot, byteCount: (Ref) throws -> Int) throws {
        guard let top = snapshot.top, let history = try StoredHistory(snapshot) else { return nil }
        fileIdent = history.fileIdent
        entryCount = history.count
        baseVersion = history.baseVersion
        progress = history.progress
        self.byteCount = try byteCount(top.history())
        var (count, bytes): (Int, Int?) = (0, 0)
        try history.forEachEntry(in: history.indexes(after: progress.upload.clientVersion)) { _, entry in
            guard entry.isUpload else { return true }
            count += 1
            if let before = bytes { bytes = (try? entry.changeset()).map { before + $0.count } }
            return true
        }
        (pendingCount, pendingByteCount) = (count, bytes)
    }

    var lines: [(String, String)] {
        let pending = pendingByteCount.map { $0.counted("byte") } ?? "of unknown size"
        return [
            ("client file", fileIdent == 0 ? "no server has given it an ident yet" : "\(fileIdent)"),
            (
                "entries",
                "\(entryCount.grouped) after version \(baseVersion), " + byteCount.counted("byte")
            ),
            (
                "downloaded",
                """
                server version \(progress.download.serverVersion) of \(progress.latest.version), with client version \
                \(progress.download.clientVersion)
                """
            ),
            (
                "uploaded",
                "client version \(progress.upload.clientVersion), with server version \(progress.upload.serverVersion)"
            ),
            ("to upload", pendingCount.counted("changeset") + ", " + pending),
        ]
    }

    func add(to json: inout JSONText) {
        let numbers: [(String, UInt64)] = [
            ("fileIdent", fileIdent), ("entries", UInt64(entryCount)), ("baseVersion", baseVersion),
            ("bytes", UInt64(byteCount)), ("latestServerVersion", progress.latest.version),
            ("downloadServerVersion", progress.download.serverVersion),
            ("downloadClientVersion", progress.download.clientVersion),
            ("uploadClientVersion", progress.upload.clientVersion),
            ("uploadServerVersion", progress.upload.serverVersion), ("pendingUploads", UInt64(pendingCount)),
        ]
        json.object { json in
            for (name, number) in numbers { json.member(name, number) }
            json.member("pendingBytes", pendingByteCount)
        }
    }
}
