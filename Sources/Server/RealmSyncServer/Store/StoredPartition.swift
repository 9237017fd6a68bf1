// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSync
import RealmSyncCore
import RealmSystem

/// A partition on disk. The engine's thread alone uses it, unless it is busy.
package final class StoredPartition: PartitionStore {
    package struct Options: Sendable {
        /// How long a client may be away, in seconds, until nothing is kept for it.
        package var clientExpiry: UInt64 = 30 * 24 * 3600
        /// Seconds since 1970.
        package var clock: @Sendable () -> UInt64 = { UInt64(max(0, CurrentProcess.time / 1_000_000_000)) }
        /// A log that is smaller is not replaced by a snapshot.
        package var smallLog = 8 << 20
        /// The logs of one folder that may be open at once.
        package var openLogs = 256
        /// The system calls, which tests make fail.
        package var calls = SystemCalls()

        package init() {}
    }

    /// Whether another thread has the partition for an upload or a compaction. The engine's uses nothing else of it
    /// then.
    package var isBusy = false

    private let log: PartitionLog
    private let options: Options
    private var history = PartitionHistory()
    /// The records that are not in the log yet.
    private var pending = RecordWriter()
    /// The salt of the versions of this run: by it a client notices that the server lost some that it has.
    private let salt = StoredPartition.newSalt()

    private static func newSalt() -> UInt64 { .random(in: 1...UInt64(Int64.max)) }

    /// Opens a partition, or makes an empty one.
    ///
    /// - Throws: `StoreError` if its files are damaged, `SystemError`.
    package convenience init(folder: String, partition: String, _ options: Options = Options()) throws {
        try self.init(folder: folder, partition: partition, options, OpenLogs(limit: 1))
    }

    /// - Parameter logs: The logs of its folder that are open.
    init(folder: String, partition: String, _ options: Options, _ logs: OpenLogs) throws {
        self.options = options
        log = try PartitionLog(folder: folder, partition: partition, logs, calls: options.calls)
        var history = PartitionHistory()
        try log.open { try history.apply($0) }
        self.history = history
    }

    /// Removes the changes that no client can apply from a partition, which no server has open. The other changes
    /// stay. All clients have to reset themselves, in which they keep their own changes. A partition without such
    /// changes stays as it is.
    ///
    /// - Throws: `StoreError` if its files are damaged, `SystemError`.
    static func repair(folder: String, partition: String) throws -> RepairReport {
        let log = try PartitionLog(folder: folder, partition: partition)
        var history = PartitionHistory(repairs: true)
        try log.open { try history.apply($0) }
        let report = history.repair ?? RepairReport()
        guard report.count > 0 else { return report }
        history.beginAnew()
        try log.begin { try history.records($0) }
        return report
    }

    /// Does what a record says, and puts it on the way to the disk.
    private func apply(_ record: StoreRecord, _ changeset: Changeset? = nil) throws {
        try history.apply(record, changeset)
        record.write(to: &pending)
    }

    /// The same with records that cannot be refused.
    private func note(_ record: StoreRecord) {
        do { try apply(record) } catch { preconditionFailure("a record of our own was refused: \(error)") }
    }

    // MARK: Durability

    package var isDirty: Bool { !pending.bytes.isEmpty }

    /// Makes durable all that was taken so far.
    ///
    /// - Parameter compacts: whether a snapshot takes the place of a long log.
    /// - Throws: `SystemError`. The partition must not be used any more then: what is durable is not known.
    package func flush(compacts: Bool = true) throws {
        if isDirty {
            try log.append(pending.bytes)
            pending = RecordWriter()
        }
        try log.sync()
        if compacts, isCompactionDue { try compact() }
    }

    /// Whether the log is so long that a snapshot should take its place.
    var isCompactionDue: Bool { log.size > max(options.smallLog, 2 * log.snapshotSize) }

    /// Puts a snapshot in place of the log, and forgets the versions that no client needs.
    package func compact() throws {
        let compaction = try beginCompaction()
        compaction.run()
        try finish(compaction)
    }

    /// A compaction of a partition. Its state is guarded by `isBusy`: only the thread that runs it uses it and the
    /// partition until `finish`.
    final class Compaction: @unchecked Sendable {
        let partition: StoredPartition
        fileprivate var snapshot: PartitionLog.Snapshot
        fileprivate var failure: (any Error)?

        fileprivate init(_ partition: StoredPartition, _ snapshot: PartitionLog.Snapshot) {
            (self.partition, self.snapshot) = (partition, snapshot)
        }

        /// Writes the snapshot. This takes long, and another thread may do it.
        func run() {
            do { try partition.write(&snapshot) } catch { failure = error }
        }
    }

    /// Everything that was taken so far has to be durable.
    func beginCompaction() throws -> Compaction { Compaction(self, try log.beginSnapshot()) }

    private func write(_ snapshot: inout PartitionLog.Snapshot) throws {
        expireFiles()
        addBootstrap()
        history.trim()
        // The snapshot says all that they say.
        pending = RecordWriter()
        try log.fill(&snapshot) { try history.records($0) }
    }

    /// - Throws: `SystemError`. The partition must not be used any more then.
    func finish(_ compaction: Compaction) throws {
        if let failure = compaction.failure { throw failure }
        try log.adopt(compaction.snapshot)
    }

    private func expireFiles() {
        let now = options.clock()
        for file in history.files.values where !file.isExpired && now > file.seen + options.clientExpiry {
            note(.expire(file.salt.ident))
        }
    }

    private func addBootstrap() {
        guard let bootstrap = history.makeBootstrap() else { return }
        for ident in history.filesToForget { note(.expire(ident)) }
        note(.bootstrap(bootstrap))
    }

    // MARK: The sessions

    package var newest: SaltedVersion { history.newest }

    package func salt(of version: UInt64) -> UInt64? { history.salt(of: version) }

    package func file(_ ident: UInt64) -> KnownFile? {
        guard let file = history.files[ident] else { return nil }
        let now = options.clock()
        if !file.isExpired {
            if now > file.seen + options.clientExpiry {
                note(.expire(ident))
            } else if now > file.seen + min(3600, options.clientExpiry / 4) {
                note(.advance(ident, file.upload, seen: now))
            }
        }
        return KnownFile(
            salt: file.salt.salt, upload: file.upload,
            kept: min(file.upload.serverVersion, newest.version)...newest.version,
            isExpired: history.files[ident]?.isExpired != false)
    }

    package func addFile() throws(SessionError) -> SaltedIdent {
        if history.isBootstrapDue { addBootstrap() }
        let ident = SaltedIdent(ident: history.lastIdent + 1, salt: StoredPartition.newSalt())
        note(.file(PartitionFile(ident, bootstrap: history.latestBootstrap, seen: options.clock())))
        return ident
    }

    /// Uploads of more bytes are integrated apart from the engine's thread.
    private static let smallUpload = 64 << 10
    /// Also those that meet much that the file has not seen: a merge can cost the product of both.
    private static let smallMerge = 1 << 26

    package func isLong(_ entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> Bool {
        guard let first = entries.first else { return false }
        let size = entries.reduce(0) { $0 + $1.changeset.count }
        let unseen = history.unseenBytes(by: ident, after: first.serverVersion)
        return size > StoredPartition.smallUpload || unseen > 0 && size > StoredPartition.smallMerge / unseen
    }

    package func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        do {
            for record in try history.integrate(changes, from: ident, salt: salt) { record.write(to: &pending) }
            // A long upload has a thread of its own, which the next new file would not have.
            let size = changes.reduce(0) { $0 + $1.originalSize }
            if size > StoredPartition.smallUpload, history.isBootstrapDue { addBootstrap() }
        } catch {
            guard changes.count > 1 else { throw SessionError(.badChangeset, "\(error)") }
            // One of them cannot be merged, or applied. Those before it can.
            for change in changes { try integrate([change], from: ident) }
        }
    }

    /// Adds a change of the server's own as the next version, durable with the next `flush`.
    ///
    /// - Throws: `StateError` if no client could apply it.
    func append(_ changeset: Changeset) throws {
        let bytes = changeset.encoded()
        let version = SaltedVersion(version: newest.version + 1, salt: salt)
        let record = VersionRecord(
            version: version, origin: ServerHistory.ownIdent, clientVersion: 0, serverVersion: newest.version,
            timestamp: max(StoredPartition.timestamp(options.clock()), history.newestTimestamp),
            originalSize: bytes.count, bytes: bytes, forms: [:])
        try apply(.version(record), changeset)
    }

    /// The time of a change, in milliseconds since 2015.
    private static func timestamp(_ seconds: UInt64) -> UInt64 {
        let epoch = UInt64(SyncClock.epoch)
        return (max(seconds, epoch) - epoch) * 1000
    }

    package func advance(_ ident: UInt64, to cursor: UploadCursor) {
        guard let file = history.files[ident], !file.isExpired,
            cursor.clientVersion > file.upload.clientVersion || cursor.serverVersion > file.upload.serverVersion
        else { return }
        note(.advance(ident, cursor, seen: options.clock()))
    }

    package func downloads(for ident: UInt64, after version: UInt64, limit: Int) -> DownloadBatch {
        history.downloads(for: ident, after: version, limit: limit)
    }

    // MARK: The state

    /// The classes and their properties.
    var schema: PartitionSchema { PartitionSchema(history.state) }

    /// The objects that are not embedded in others.
    var objects: [ObjectReference] {
        history.state.tables.sorted { $0.key < $1.key }.flatMap { name, table in
            table.objects.keys.sorted().map { ObjectReference(name, $0) }
        }
    }

    func holds(_ object: ObjectReference) -> Bool { history.state.tables[object.table]?.objects[object.key] != nil }

    /// How much is still to be made durable.
    var pendingByteCount: Int { pending.bytes.count }

    // MARK: What tests and metrics look at

    package var fileCount: Int { history.files.values.count { !$0.isExpired } }
    package var keptVersions: Int { history.versions.count }
    /// What leads from nothing to the state.
    package var stateChangesets: [Changeset] { history.state.changesets(partSize: 1 << 20, mostParts: .max) }
}
