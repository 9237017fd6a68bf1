// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmSystem

/// Confined to the engine's thread, unless it's busy.
package final class StoredPartition: PartitionStore {
    package struct Options: Sendable {
        /// The time after which the data of an offline client is discarded, in seconds.
        package var clientExpiry: UInt64 = 30 * 24 * 3600
        /// In seconds since 1970.
        package var clock: @Sendable () -> UInt64 = { UInt64(max(0, CurrentProcess.time / 1_000_000_000)) }
        /// The minimum size of a log to replace by a snapshot, in bytes.
        package var smallLog = 8 << 20
        package var openLogs = 256
        /// The cost corresponds to about half a minute.
        package var longestMerge = 1 << 31
        /// Whether clients can create objects of asymmetric classes. Flexible sync has them, partitions don't (§5.6).
        package var ingests = false
        var ingest = IngestLog.Options()
        /// The schema of the app; nil if clients can make any changes to the classes and properties.
        var schema: (any SchemaGate)?
        var queryableFields = QueryableFields.all
        /// The property with the partition value, in an app that was moved from partitions (§5.8).
        var partitionField: Text?
        /// The number of objects of which a state is in memory as a whole.
        package var maxWhole = 4096
        /// The size of the latest versions that stay in memory, in bytes. Older ones are in a file.
        package var versionMemory = 4 << 20
        /// The open files of documents.
        package var documents = OpenDocuments(limit: 1)
        /// Tests inject failures.
        package var calls = SystemCalls()
        /// The owner of long work.
        var app = ByteText("")

        package init() {}
    }

    /// While another thread uses the partition for an upload or a compaction, the engine's thread uses only this
    /// property, `finishDocuments`, and `finishCopy`.
    package var isBusy = false {
        didSet { if !isBusy { didStore() } }
    }

    let folder: String
    let log: any RecordLog
    let options: Options
    var history: PartitionHistory
    /// The records that aren't in the log yet.
    var pending = RecordWriter()
    /// The files of ingested records; `nil` if none was ever ingested, or if nodes share the partition.
    let ingest: IngestLog?
    /// The ingested records; `nil` if none was ever ingested, and clients can't ingest.
    package let ingestFeed: IngestFeed?
    /// The ingested records of `pending`.
    var pendingIngest: [IngestRecord] = []
    /// The documents on which the queries of a flexible app are evaluated. Nil until they are needed, and after an
    /// error.
    var queryDocuments: QueryDocuments?
    /// Nil without restrictions.
    package var rights: GrantedRights?
    /// The version of each file up to which the client has received error 230 for its rejected objects.
    var reportedRejections: [UInt64: UInt64] = [:]
    /// The newest version that is durable.
    private(set) var flushedVersion: UInt64 = 0
    /// Lets a client detect that the server has lost versions: each run has its own salt.
    let salt = StoredPartition.newSalt()
    /// The version of the documents, if known.
    var documented: SaltedVersion?
    /// The generation of the state in the running update of the documents.
    var storing: UInt64?
    /// The result of an update that the state doesn't reflect yet, because the partition was busy.
    var storedUpdate: (version: SaltedVersion, generation: UInt64)?
    /// The newest version of the last update of the documents. A failed update is repeated after the next change.
    var lastDocumentsUpdate: UInt64 = 0
    /// The time before which a failed snapshot isn't tried again, in seconds since 1970.
    var nextCompaction: UInt64 = 0
    /// The version of the copy of the documents, if known.
    var copied: SaltedVersion?
    /// The newest version of the last update of the copy.
    var lastCopiedVersion: UInt64 = 0
    var isCopying = false
    /// The number of attempts without success since the last copy.
    var failedCopies = 0
    /// Whether sessions wait for the append lock.
    package private(set) var isLockDue = false
    /// The files with records of other nodes, where they have sessions now.
    private(set) var foreignFiles: Set<UInt64> = []

    static func newSalt() -> UInt64 { .random(in: 1...UInt64(Int64.max)) }

    /// Creates an empty partition if it doesn't exist.
    ///
    /// - Throws: `StoreError` if its files are damaged, `SystemError`.
    ///
    /// - Parameter isFlexible: Whether the files have subscriptions.
    package convenience init(
        folder: String, partition: String, isFlexible: Bool = false, _ options: Options = Options()
    ) throws {
        try self.init(
            folder: folder, partition: partition, isFlexible: isFlexible, options, OpenLogs(limit: 1))
    }

    convenience init(
        folder: String, partition: String, isFlexible: Bool = false, _ options: Options, _ logs: OpenLogs
    ) throws {
        let log = try PartitionLog(folder: folder, partition: partition, logs, calls: options.calls)
        let ingest = try StoredPartition.ingestLog(of: folder, partition, options)
        try self.init(folder: folder, log, ingest, ingest?.feed, isFlexible: isFlexible, options)
    }

    /// Opens a store that several nodes share.
    ///
    /// - Parameters:
    ///   - folder: The folder of the documents, which is created if it doesn't exist.
    ///   - feed: The feed of the ingested records, or `nil` for a new one.
    ///   - title: The location for errors.
    /// - Throws: `StoreError`, `SystemError`, or an error of the database.
    package convenience init(
        folder: String, _ frames: any SharedFrames, feed: IngestFeed? = nil, title: String, isFlexible: Bool,
        _ options: Options = Options()
    ) throws {
        if try Folder.create(folder, mode: 0o700) { DiskFile.syncDirectory(of: folder) }
        let feed = options.ingests ? try feed ?? IngestFeed(frames.ingested()) : nil
        try self.init(
            folder: folder, SharedLog(frames, title: title), nil, feed, isFlexible: isFlexible, options)
    }

    init(
        folder: String, _ log: any RecordLog, _ ingest: IngestLog?, _ feed: IngestFeed?, isFlexible: Bool,
        _ options: Options
    ) throws {
        (self.folder, self.log, self.ingest, self.ingestFeed, self.options) = (folder, log, ingest, feed, options)
        var history = PartitionHistory(isFlexible: isFlexible, maxMemory: options.versionMemory)
        history.spool = SpoolFile(folder: folder)
        let stored = StoredPartition.largeDocuments(in: folder, options)
        if stored != nil { history.deferState() }
        try StoredPartition.open(log, &history, ingest)
        if let stored { try history.restoreState(stored, folder, options.documents) }
        history.queryableFields = options.queryableFields
        history.partitionField = options.partitionField
        self.history = history
        flushedVersion = history.newest.version
    }

    /// The size per object of a file whose objects aren't read into memory, in bytes.
    private static let objectSize = 256

    /// Returns the documents of a large partition.
    private static func largeDocuments(in folder: String, _ options: Options) -> DocumentSnapshot? {
        let path = PartitionDocuments.path(in: folder)
        guard Folder.holds(path), let size = try? DiskFile.open(path, readOnly: true).size(),
            size > options.maxWhole * objectSize
        else {
            return nil
        }
        return try? options.documents.snapshot(folder, containing: nil)
    }

    private static func ingestLog(of folder: String, _ partition: String, _ options: Options) throws -> IngestLog? {
        let path = IngestLog.folder(in: folder)
        guard options.ingests || Folder.holds(path) else { return nil }
        return try IngestLog(folder: path, partition: partition, options.ingest, calls: options.calls)
    }

    private static func open(_ log: any RecordLog, _ history: inout PartitionHistory, _ ingest: IngestLog?) throws {
        var missing: [IngestRecord] = []
        try log.open { record in
            if let ingest, case .ingest(let ingested) = record, ingested.sequence > ingest.last {
                missing.append(ingested)
            }
            try history.apply(record)
        }
        try ingest?.restore(missing, newest: history.ingested)
        if let ingest { history.skipIngested(through: ingest.last) }
    }

    /// Removes the changes that no client can apply. No server can have the partition open. All clients must then reset
    /// themselves, and keep their own changes. A partition without such changes is unchanged.
    ///
    /// - Throws: `StoreError` if its files are damaged, `SystemError`.
    static func repair(folder: String, partition: String, isFlexible: Bool = false) throws -> RepairReport {
        try repair(
            PartitionLog(folder: folder, partition: partition), ingestLog(of: folder, partition, Options()),
            folder: folder, isFlexible: isFlexible)
    }

    /// - Parameter folder: The folder of the documents.
    static func repair(
        _ log: any RecordLog, _ ingest: IngestLog?, folder: String, isFlexible: Bool
    ) throws -> RepairReport {
        var history = PartitionHistory(isFlexible: isFlexible, repairs: true)
        try open(log, &history, ingest)
        try log.lock { try history.apply($0) }
        let report = history.repair ?? RepairReport()
        guard report.count > 0 else {
            log.abandon()
            return report
        }
        try history.restart()
        try ingest?.sync()
        try log.begin { try history.records($0) }
        return report
    }

    private func apply(_ record: StoreRecord, _ changeset: Changeset? = nil) throws {
        assert(isLocked, "a change needs the append lock")
        try history.apply(record, changeset)
        try record.write(to: &pending)
    }

    /// Writes records that the history already contains.
    func write(_ records: [StoreRecord]) {
        assert(isLocked, "a change needs the append lock")
        // Only a bootstrap that isn't in memory can't be written.
        do { for record in records { try record.write(to: &pending) } } catch {
            preconditionFailure("a record of our own can't be written: \(error)")
        }
    }

    /// The record is always valid.
    func note(_ record: StoreRecord) {
        do { try apply(record) } catch { preconditionFailure("a record of our own was refused: \(error)") }
    }

    // MARK: Append lock

    /// The number of the store in the database that several nodes share.
    var sharedStore: UInt64? { (log as? SharedLog)?.store }

    package var isShared: Bool { log.isShared }

    /// Whether the partition can be changed. Always true unless several nodes share it.
    package var isLocked: Bool { log.isLocked }

    /// Acquires the append lock until `flush`, and applies the changes of other nodes. Can wait for other nodes.
    ///
    /// - Throws: The error of the log. Then the partition must not be used.
    package func lock() throws {
        try log.lock { try applyForeign($0) }
        didFollow()
    }

    /// Applies the durable changes of other nodes.
    ///
    /// - Throws: `StoreError` and `SharedLogError` if the partition must not be used any more, or another error if the
    ///   database isn't available.
    package func follow() throws {
        try log.follow { try applyForeign($0) }
        didFollow()
    }

    private func applyForeign(_ record: StoreRecord) throws {
        switch record {
        case .advance(let ident, _, _), .view(let ident, _, _): foreignFiles.insert(ident)
        case .version(let version): foreignFiles.insert(version.origin)
        default: break
        }
        guard case .version(let version) = record else { return try history.apply(record) }
        let changeset = try Changeset(decoding: version.bytes)
        try history.apply(record, changeset)
        guard let queryDocuments, queryDocuments.isValid else { return }
        do { try queryDocuments.apply(changeset) } catch { queryDocuments.invalidate() }
    }

    private func didFollow() {
        if !isDirty { flushedVersion = newest.version }
        if log.takeSnapshotChange() { history.trim() }
    }

    /// Returns the files that other nodes have changed since the last call.
    package func takeForeignFiles() -> Set<UInt64> {
        defer { foreignFiles = [] }
        return foreignFiles
    }

    package func beginWriting() -> Bool {
        if !log.isLocked { isLockDue = true }
        return log.isLocked
    }

    /// Returns whether sessions have waited for the append lock, which is held now. Their messages have to be requested
    /// again.
    package func takeLockRequest() -> Bool {
        guard log.isLocked else { return false }
        defer { isLockDue = false }
        return isLockDue
    }

    /// Ends the use of a partition whose latest changes may not be durable.
    package func abandon() {
        queryDocuments?.rollBack()
        queryDocuments = nil
        log.abandon()
    }

    /// Records that this node serves the file, so that an earlier session at another node ends before its next change.
    package func didIdentify(_ ident: UInt64) {
        guard log.isShared, let file = history.files[ident], !file.isExpired else { return }
        note(.advance(ident, file.upload, seen: options.clock()))
    }

    // MARK: Durability

    package var isDirty: Bool { !pending.bytes.isEmpty }

    /// Makes the data received so far durable. `compacts` is whether a snapshot replaces a long log.
    ///
    /// - Throws: `SystemError`. Then the partition must not be used, because it's unknown which data is durable.
    package func flush(compacts: Bool = true) throws {
        if isDirty {
            try log.append(pending.bytes, ingesting: pendingIngest)
            pending = RecordWriter()
        }
        try log.sync()
        flushedVersion = newest.version
        history.state.releaseRows()
        try publishIngested()
        if compacts, isCompactionDue { try compact() }
    }

    /// The records are durable.
    private func publishIngested() throws {
        guard let last = pendingIngest.last else { return }
        if let ingest { try ingest.append(pendingIngest[...]) } else { ingestFeed?.source.publish(last.sequence) }
        pendingIngest = []
    }

    // MARK: Sessions

    package var newest: SaltedVersion { history.newest }

    package func salt(of version: UInt64) -> UInt64? { history.salt(of: version) }

    package func file(_ ident: UInt64) -> KnownFile? {
        guard let file = history.files[ident] else { return nil }
        let now = options.clock()
        if !file.isExpired, now > file.seen + min(3600, options.clientExpiry / 4), beginWriting() {
            let isSilent = now > file.seen + options.clientExpiry
            note(isSilent ? .expire(ident) : .advance(ident, file.upload, seen: now))
        }
        return KnownFile(
            salt: file.salt.salt, upload: file.upload,
            kept: min(file.upload.serverVersion, newest.version)...newest.version,
            isExpired: history.files[ident]?.isExpired != false)
    }

    package func addFile() throws(SessionError) -> SaltedIdent {
        if !history.isFlexible, history.isBootstrapDue { addBootstrap() }
        let ident = SaltedIdent(ident: history.lastIdent + 1, salt: StoredPartition.newSalt())
        // A file with subscriptions receives its objects with the bootstrap of a query.
        let start = history.isFlexible ? newest.version : history.latestBootstrap
        note(.file(PartitionFile(ident, bootstrap: start, seen: options.clock())))
        return ident
    }

    /// The change is durable after the next `flush`.
    ///
    /// - Parameter bytes: The encoded changeset.
    /// - Throws: `StateError` if no client can apply it.
    func append(_ changeset: Changeset, _ bytes: [UInt8]) throws {
        try apply(.version(history.ownVersion(newest.version + 1, nextVersion, bytes)), changeset)
    }

    /// Returns milliseconds since 2015.
    static func timestamp(_ seconds: UInt64) -> UInt64 {
        let epoch = UInt64(SyncClock.epoch)
        return (max(seconds, epoch) - epoch) * 1000
    }

    package func advance(_ ident: UInt64, to cursor: UploadCursor) {
        if let reported = reportedRejections[ident], reported <= cursor.clientVersion {
            reportedRejections[ident] = nil
        }
        guard let file = history.files[ident], !file.isExpired,
            cursor.clientVersion > file.upload.clientVersion || cursor.serverVersion > file.upload.serverVersion
        else { return }
        note(.advance(ident, cursor, seen: options.clock()))
    }

    package func downloads(
        for ident: UInt64, after version: UInt64, limit: Int
    ) throws(SessionError) -> DownloadBatch {
        do { return try history.downloads(for: ident, after: version, limit: limit) } catch {
            throw SessionError(.other, "the bootstrap can't be read now")
        }
    }

    // MARK: Ingested records

    func expireIngested() throws { try ingestFeed?.expire(options.ingest, now: options.clock()) }

    // MARK: State

    var schema: AppSchema { AppSchema(history.state) }

    /// Returns the objects without embedded ones, ordered by class and key.
    func objects() throws -> [ObjectReference] {
        try history.state.tables.keys.sorted().flatMap { name in
            try history.state.keys(of: name).map { ObjectReference(name, $0) }
        }
    }

    func holds(_ object: ObjectReference) throws -> Bool { try history.state.holds(object) }

    var pendingByteCount: Int { pending.bytes.count }

    // MARK: Tests and metrics

    package var keptVersions: Int { history.versions.count }
    var fileCount: Int { history.files.count }
    var files: some Sequence<PartitionFile> { history.files.values }
    var logSize: Int { log.size }
    func unseenBytes(by ident: UInt64, after version: UInt64) -> Int { history.unseenBytes(by: ident, after: version) }
    package func stateChangesets() throws -> [Changeset] {
        try history.state.changesets(partSize: 1 << 20, maxParts: .max)
    }
}
