// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSync
import RealmSyncCore
import RealmSystem

/// A partition on disk. Used only by the engine's thread, unless it's busy.
package final class StoredPartition: PartitionStore {
    package struct Options: Sendable {
        /// The time that a client may be offline, in seconds, before its data is discarded.
        package var clientExpiry: UInt64 = 30 * 24 * 3600
        /// Seconds since 1970.
        package var clock: @Sendable () -> UInt64 = { UInt64(max(0, CurrentProcess.time / 1_000_000_000)) }
        /// The minimum size of a log that's replaced by a snapshot.
        package var smallLog = 8 << 20
        /// The maximum number of open logs of one folder.
        package var openLogs = 256
        /// The maximum cost of the merge of one upload: about half a minute.
        package var longestMerge = 1 << 31
        /// The system calls, in which tests inject failures.
        package var calls = SystemCalls()

        package init() {}
    }

    /// Whether another thread uses the partition for an upload or a compaction. The engine's thread then uses only this
    /// property.
    package var isBusy = false

    private let log: PartitionLog
    private let options: Options
    private var history = PartitionHistory()
    /// The records that aren't in the log yet.
    private var pending = RecordWriter()
    /// The salt of this run's versions: it lets a client detect that the server lost versions.
    private let salt = StoredPartition.newSalt()

    private static func newSalt() -> UInt64 { .random(in: 1...UInt64(Int64.max)) }

    /// Opens a partition, or creates an empty one.
    ///
    /// - Throws: `StoreError` if its files are damaged, `SystemError`.
    package convenience init(folder: String, partition: String, _ options: Options = Options()) throws {
        try self.init(folder: folder, partition: partition, options, OpenLogs(limit: 1))
    }

    /// - Parameter logs: The open logs of its folder.
    init(folder: String, partition: String, _ options: Options, _ logs: OpenLogs) throws {
        self.options = options
        log = try PartitionLog(folder: folder, partition: partition, logs, calls: options.calls)
        var history = PartitionHistory()
        try log.open { try history.apply($0) }
        self.history = history
    }

    /// Removes the changes that no client can apply from a partition, which no server may have open. The other changes
    /// are retained. All clients must reset themselves, and keep their own changes. A partition without such changes is
    /// unchanged.
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

    /// Applies a record, and queues it for the disk.
    private func apply(_ record: StoreRecord, _ changeset: Changeset? = nil) throws {
        try history.apply(record, changeset)
        record.write(to: &pending)
    }

    /// Applies and queues a record that can't be rejected.
    private func note(_ record: StoreRecord) {
        do { try apply(record) } catch { preconditionFailure("a record of our own was refused: \(error)") }
    }

    // MARK: Durability

    package var isDirty: Bool { !pending.bytes.isEmpty }

    /// Makes all data received so far durable.
    ///
    /// - Parameter compacts: whether a snapshot replaces a long log.
    /// - Throws: `SystemError`. The partition must not be used after that, because it's unknown which data is durable.
    package func flush(compacts: Bool = true) throws {
        if isDirty {
            try log.append(pending.bytes)
            pending = RecordWriter()
        }
        try log.sync()
        if compacts, isCompactionDue { try compact() }
    }

    /// Whether the log is long enough to be replaced by a snapshot.
    var isCompactionDue: Bool { log.size > max(options.smallLog, 2 * log.snapshotSize) }

    /// Replaces the log by a snapshot, and removes the versions that no client needs.
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

        /// Writes the snapshot. This takes long, and another thread may call it.
        func run() {
            do { try partition.write(&snapshot) } catch { failure = error }
        }
    }

    /// All data received so far must be durable.
    func beginCompaction() throws -> Compaction { Compaction(self, try log.beginSnapshot()) }

    private func write(_ snapshot: inout PartitionLog.Snapshot) throws {
        expireFiles()
        addBootstrap()
        history.trim()
        // The snapshot contains the pending records.
        pending = RecordWriter()
        try log.fill(&snapshot) { try history.records($0) }
    }

    /// - Throws: `SystemError`. The partition must not be used after that.
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

    /// Uploads of more bytes are integrated outside the engine's thread.
    private static let smallUpload = 64 << 10
    /// Uploads that meet many unseen changes also are: a merge can cost the product of both.
    private static let smallMerge = 1 << 22
    /// A greater product can cost more than the longest upload.
    private static let mediumMerge = 1 << 32
    /// The cost of an entry without changes.
    private static let entrySize = 8

    package func effort(of entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> UploadEffort {
        guard let first = entries.first else { return .short }
        let size = entries.reduce(0) { $0 + $1.changeset.count + StoredPartition.entrySize }
        let unseen =
            history.unseenBytes(by: ident, after: first.serverVersion)
            + history.unseenCount(by: ident, after: first.serverVersion)
        if unseen > 0, size > StoredPartition.mediumMerge / unseen { return .longMerge }
        return size > StoredPartition.smallUpload || unseen > 0 && size > StoredPartition.smallMerge / unseen
            ? .long : .short
    }

    package func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        var budget = MergeBudget(options.longestMerge)
        try integrate(changes, from: ident, &budget)
    }

    private func integrate(
        _ changes: [UploadedChange], from ident: UInt64, _ budget: inout MergeBudget
    ) throws(SessionError) {
        do {
            for record in try history.integrate(changes, from: ident, salt: salt, &budget) {
                record.write(to: &pending)
            }
            // A long upload runs outside the engine's thread, so a bootstrap is created here. Otherwise the next new
            // file would create it on the engine's thread.
            let size = changes.reduce(0) { $0 + $1.originalSize }
            if size > StoredPartition.smallUpload, history.isBootstrapDue { addBootstrap() }
        } catch {
            if error as? MergeError == .tooLong {
                // A client that resets itself sends its changes again, based on the newest version: nothing is merged.
                throw SessionError(.fileExpired, MergeError.tooLong.message)
            }
            guard changes.count > 1 else { throw SessionError(.badChangeset, "\(error)") }
            // One of the changes can't be merged or applied. Those before it can.
            for change in changes { try integrate([change], from: ident, &budget) }
        }
    }

    /// Adds a change made by the server as the next version. It's durable after the next `flush`.
    ///
    /// - Throws: `StateError` if no client can apply it.
    func append(_ changeset: Changeset) throws {
        let bytes = changeset.encoded()
        let version = SaltedVersion(version: newest.version + 1, salt: salt)
        let record = VersionRecord(
            version: version, origin: ServerHistory.ownIdent, clientVersion: 0, serverVersion: newest.version,
            timestamp: max(StoredPartition.timestamp(options.clock()), history.newestTimestamp),
            originalSize: bytes.count, bytes: bytes, forms: [:])
        try apply(.version(record), changeset)
    }

    /// Returns the time of a change, in milliseconds since 2015.
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

    /// The objects that aren't embedded.
    var objects: [ObjectReference] {
        history.state.tables.sorted { $0.key < $1.key }.flatMap { name, table in
            table.objects.keys.sorted().map { ObjectReference(name, $0) }
        }
    }

    func holds(_ object: ObjectReference) -> Bool { history.state.tables[object.table]?.objects[object.key] != nil }

    /// The number of bytes that aren't durable yet.
    var pendingByteCount: Int { pending.bytes.count }

    // MARK: State for tests and metrics

    package var fileCount: Int { history.files.values.count { !$0.isExpired } }
    package var keptVersions: Int { history.versions.count }
    /// The changes that create the state from nothing.
    package var stateChangesets: [Changeset] { history.state.changesets(partSize: 1 << 20, maxParts: .max) }
}
