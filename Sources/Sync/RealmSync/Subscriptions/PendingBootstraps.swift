// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The received messages of a bootstrap that isn't applied yet (§5.1). The file has at most one bootstrap.
package struct PendingBootstraps<Source: TableSource> {
    private let source: Source
    private let table: Table
    private let progressTable: Table
    private let changesets: Table

    package struct Header: Hashable, Sendable {
        let object: ObjectKey
        package let queryVersion: UInt64
        /// The progress after the whole bootstrap. Nil until the last message is received.
        package let progress: ClientProgress?
    }

    package init?(_ source: Source) throws {
        guard try BootstrapTables.all.arePresent(in: source),
            let table = try source.table(named: BootstrapTables.bootstrapsName),
            let progressTable = try source.table(named: BootstrapTables.progressName),
            let changesets = try source.table(named: BootstrapTables.changesetsName)
        else { return nil }
        (self.source, self.table, self.progressTable, self.changesets) = (source, table, progressTable, changesets)
    }

    package var headers: [Header] {
        get throws {
            try table.allKeys().map { object in
                let row = try InternalRow(table, object)
                return Header(
                    object: object, queryVersion: try row.version("query_version"), progress: try progress(row))
            }
        }
    }

    private func progress(_ row: InternalRow) throws -> ClientProgress? {
        guard case .link(let object) = try row.value("progress"), !object.isNull else { return nil }
        let values = try InternalRow(progressTable, object)
        return ClientProgress(
            download: DownloadCursor(
                serverVersion: try values.version("download_server_version"),
                clientVersion: try values.version("download_client_version")),
            latest: SaltedVersion(
                version: try values.version("latest_server_version"),
                salt: try values.version("latest_server_version_salt")),
            upload: UploadCursor(
                clientVersion: try values.version("upload_client_version"),
                serverVersion: try values.version("upload_server_version")))
    }

    package struct Slice: Sendable {
        package var changes: [DownloadedChange] = []
        package var isLast = true
    }

    /// Returns the first changes of a bootstrap: at least one, until their size exceeds `limit` bytes.
    package func slice(of header: Header, limit: Int) throws -> Slice {
        var slice = Slice()
        var size = 0
        let keys = try InternalRow(table, header.object).objects("changesets", first: BootstrapTables.maxSlice + 1)
        for (index, key) in keys.enumerated() {
            guard size <= limit, index < BootstrapTables.maxSlice else {
                slice.isLast = false
                break
            }
            let entry = try entry(InternalRow(changesets, key))
            size += entry.changeset.count
            slice.changes.append(try DownloadedChange(entry))
        }
        return slice
    }

    private func entry(_ row: InternalRow) throws -> ServerMessage.Download.Entry {
        var data: [UInt8] = []
        switch try row.value("data") {
        case .null: break
        case .binary(let bytes): data = bytes
        default: throw row.missing("data")
        }
        return ServerMessage.Download.Entry(
            serverVersion: try row.version("remote_version"),
            clientVersion: try row.version("last_integrated_client_version"),
            timestamp: try row.version("origin_timestamp"), origin: try row.version("origin_file_ident"),
            originalSize: try row.version("original_size"), changeset: try CompressedChangeset.decoded(data))
    }
}

extension PendingBootstraps where Source == WriteTransaction {
    package func append(_ part: BootstrapPart) throws {
        let object = try table.object(primaryKey: number(part.queryVersion)) ?? create(part.queryVersion)
        let column = try table.internalColumn("changesets")
        let list = source.list(at: CollectionPath(column, of: object, in: table.key))
        let count = try table.list(column, of: object).count
        for (index, entry) in part.entries.enumerated() {
            _ = try list.createEmbedded(at: count + index, try values(of: entry))
        }
        guard let progress = part.progress else { return }
        _ = try source.links.createEmbedded(
            table.internalColumn("progress"), of: object, in: table.key, try values(of: progress))
    }

    private func create(_ queryVersion: UInt64) throws -> ObjectKey {
        try source.createObject(
            in: table.key, [try table.internalColumn("query_version"): number(queryVersion)])
    }

    private func number(_ version: UInt64) -> StoredValue { .int(Int64(bitPattern: version)) }

    private func values(of entry: ServerMessage.Download.Entry) throws -> RowValues {
        RowValues([
            try changesets.internalColumn("remote_version"): number(entry.serverVersion),
            try changesets.internalColumn("last_integrated_client_version"): number(entry.clientVersion),
            try changesets.internalColumn("origin_file_ident"): number(entry.origin),
            try changesets.internalColumn("origin_timestamp"): number(entry.timestamp),
            try changesets.internalColumn("original_size"): number(entry.originalSize),
            try changesets.internalColumn("data"): .binary(CompressedChangeset.encoded(entry.changeset)),
        ])
    }

    private func values(of progress: ClientProgress) throws -> RowValues {
        RowValues([
            try progressTable.internalColumn("upload_server_version"): number(progress.upload.serverVersion),
            try progressTable.internalColumn("upload_client_version"): number(progress.upload.clientVersion),
            try progressTable.internalColumn("download_server_version"): number(progress.download.serverVersion),
            try progressTable.internalColumn("download_client_version"): number(progress.download.clientVersion),
            try progressTable.internalColumn("latest_server_version"): number(progress.latest.version),
            try progressTable.internalColumn("latest_server_version_salt"): number(progress.latest.salt),
        ])
    }

    func removeFirst(_ count: Int, of header: Header) throws {
        let list = source.list(
            at: CollectionPath(try table.internalColumn("changesets"), of: header.object, in: table.key))
        for _ in 0..<count { _ = try list.erase(at: 0) }
    }

    func removeAll() throws { try headers.forEach(remove) }

    func remove(_ header: Header) throws { _ = try source.removeObject(header.object, from: table.key) }
}

enum BootstrapTables {
    static let bootstrapsName = "flx_pending_bootstrap"
    static let progressName = "flx_pending_bootstrap_progress"
    static let changesetsName = "flx_pending_bootstrap_changesets"

    /// The size of the changesets that one commit applies, in bytes. Writes of the application wait for the commit.
    static let sliceSize = 1 << 20
    /// The maximum number of changesets that one commit applies.
    static let maxSlice = 20_000

    static let all = InternalTables(
        group: "pending_bootstraps", layout: 1,
        tables: [
            InternalTables.Definition(
                name: bootstrapsName,
                columns: [
                    InternalTables.Column("query_version", .int),
                    InternalTables.Column("changesets", .link, .list, target: changesetsName),
                    InternalTables.Column("progress", .link, .nullable, target: progressName),
                ]),
            InternalTables.Definition(
                name: progressName, kind: .embedded,
                columns: [
                    "upload_server_version", "upload_client_version", "download_server_version",
                    "download_client_version", "latest_server_version", "latest_server_version_salt",
                ].map { InternalTables.Column($0, .int) }),
            InternalTables.Definition(
                name: changesetsName, kind: .embedded,
                columns: [
                    "remote_version", "last_integrated_client_version", "origin_file_ident", "origin_timestamp",
                    "original_size",
                ].map { InternalTables.Column($0, .int) } + [InternalTables.Column("data", .binary, .nullable)]),
        ])
}
