// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Reads an open database at one version, or through the view of a write transaction: the part of a Realm's instance
/// that has no models.
///
/// A live reader is confined to a thread, a queue or an actor, which every entry verifies, so its state needs no lock.
/// A frozen one may be used anywhere, and is immutable.
@usableFromInline
@safe package final class VersionReader {
    /// The holder of the versions that live readers read.
    package static let holder = "Realm"
    /// The holder of the versions that frozen readers read.
    package static let frozenHolder = "frozen"

    package let host: DatabaseHost
    package let database: Database
    package let settings: ReaderSettings
    /// Changes at most once, for a thread, before other uses: when its run loop is found to be running.
    package private(set) var confinement: Confinement
    /// Has the lifetime of the reader; accessors point to it.
    @safe package let state: UnsafeMutablePointer<ReadState>
    /// nil during a write, and after `invalidate()` until something is read.
    @usableFromInline package private(set) var snapshot: Snapshot? {
        didSet { state.pointee.snapshot = unsafe snapshot.map(Unmanaged.passUnretained) }
    }
    @usableFromInline package private(set) var transaction: WriteTransaction? {
        didSet { state.pointee.transaction = unsafe transaction.map(Unmanaged.passUnretained) }
    }
    /// The number of the write in progress; 0 outside of writes.
    package var currentWrite: UInt64 {
        get { state.pointee.write }
        set { state.pointee.write = newValue }
    }
    /// Whether this is the reader of the new Realm of a migration, whose write ends with the migration's block.
    package let isMigrating: Bool
    /// Whether the migration that the reader was created for has ended.
    private var isEnded = false
    /// The first world error of a read; the next commit throws it.
    let trouble = Locked<StorageError?>(nil)
    /// The error that prevents the commit of the write in progress; see `VersionReader+Failure.swift`.
    package internal(set) var writeFailure: StorageError?
    /// The number of invalidations, as `ReadState.epoch` has it.
    package var epoch: UInt32 { state.pointee.epoch }
    /// The version that was read last, or that the write in progress began with.
    package private(set) var lastVersion: UInt64 = 0
    /// Whether anything may depend on the version that is read. Until then another one can replace it. Always true of a
    /// frozen reader, which other threads use.
    package private(set) var hasBeenRead = false

    /// Creates a live reader of the newest version. With `isTracked`, each read is reported to Observation.
    package init(
        _ host: DatabaseHost, _ settings: ReaderSettings, at confinement: Confinement, _ snapshot: Snapshot,
        isTracked: Bool
    ) {
        self.host = host
        database = host.database
        self.settings = settings
        self.confinement = confinement
        isMigrating = false
        self.snapshot = snapshot
        lastVersion = snapshot.version
        state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: ReadState(
                thread: confinement.threadToken, threadMask: .max, space: snapshot.space, isTracked: isTracked))
        state.pointee.snapshot = unsafe .passUnretained(snapshot)
    }

    /// Creates a frozen reader.
    package init(_ host: DatabaseHost, _ settings: ReaderSettings, frozen snapshot: Snapshot) {
        self.host = host
        database = host.database
        self.settings = settings
        confinement = .none
        hasBeenRead = true
        isMigrating = false
        self.snapshot = snapshot
        state = .allocate(capacity: 1)
        unsafe state.initialize(to: ReadState(thread: 0, threadMask: 0, space: snapshot.space))
    }

    /// Creates the reader of a migration: for the version before it or, with `transaction`, for its result.
    package init(
        migrating host: DatabaseHost, _ settings: ReaderSettings, _ snapshot: Snapshot?,
        _ transaction: WriteTransaction?, _ space: NodeSpace
    ) {
        self.host = host
        database = host.database
        self.settings = settings
        confinement = .thread(ThreadToken.current())
        self.snapshot = snapshot
        self.transaction = transaction
        isMigrating = transaction != nil
        hasBeenRead = true
        state = .allocate(capacity: 1)
        unsafe state.initialize(to: ReadState(thread: ThreadToken.current(), threadMask: .max, space: space))
        state.pointee.transaction = unsafe transaction.map(Unmanaged.passUnretained)
        currentWrite = isMigrating ? 1 : 0
    }

    deinit {
        state.pointee.deallocate()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Rolls back the write in progress, because the instance is deallocated.
    package func abandonWrite() {
        guard let transaction else { return }
        host.logRollback("deallocated")
        transaction.rollback()
        self.transaction = nil
    }

    /// Ends the reads of a migration's Realm. The caller owns the transaction. Throws any damage that was found.
    package func endMigration() throws {
        transaction = nil
        currentWrite = 0
        snapshot = nil
        isEnded = true
        changed()
        try verifyUnfailed()
    }

    /// Whether the reader is frozen, and so usable from all threads at once.
    package var isFrozen: Bool { state.pointee.isFrozen }

    /// Adopts the run loop of the confinement's thread if it runs now. Returns whether the confinement has changed.
    package func adoptRunLoop() -> Bool {
        guard case .thread(let token) = confinement, let loop = RunLoopMark.current else { return false }
        confinement = .runLoop(token, loop)
        return true
    }

    // MARK: Reading

    /// The transaction's view during a write, otherwise the snapshot; nil after `invalidate()`.
    package var source: (any TableSource)? { transaction ?? currentSnapshot }

    /// The version that is read outside of writes. Pins the newest version if none is pinned.
    package var currentSnapshot: Snapshot? {
        noteRead()
        if snapshot == nil, !isEnded { reading((), { try advance() }) }
        return snapshot
    }

    /// The source of reads. Throws if the reader failed to move to a new version.
    package func requireSource() throws -> any TableSource {
        guard let source else { throw StorageError(.fileAccess, "the Realm has no version to read from") }
        return source
    }

    /// Whether locations found by one reader are valid for the other.
    package func readsSameVersion(as other: VersionReader) -> Bool {
        guard let snapshot, let version = other.snapshot, transaction == nil, other.transaction == nil,
            !snapshot.isVoid, !version.isVoid
        else { return false }
        return unsafe snapshot.version == version.version && state.pointee.space.base == other.state.pointee.space.base
    }

    package func table(_ key: TableKey) -> Table? {
        if isFrozen { return reading(nil) { try snapshot?.table(key) } }
        return reading(nil) {
            guard let transaction = state.pointee.transaction else { return try source?.table(key) }
            return try unsafe transaction._withUnsafeGuaranteedRef { try $0.table(key) }
        }
    }

    package func find(_ key: ObjectKey, in table: Table) throws -> ClusterTree.Position? {
        unsafe key.rawValue < 0 ? nil : try table.clusters.find(key, state.knownLeaves(of: table.key))
    }

    /// Prevents the version that is read from being replaced by an older one.
    package func noteRead() { if !hasBeenRead { hasBeenRead = true } }

    // MARK: Versions

    package func advance() throws { move(to: try database.snapshot(label: VersionReader.holder)) }

    package func move(to version: Snapshot) {
        snapshot = version
        lastVersion = version.version
        changed(version.space)
    }

    /// Releases the version that is read.
    package func releaseVersion() {
        // Another version may have the number of a void one.
        if snapshot?.isVoid == true { lastVersion = 0 }
        snapshot = nil
    }

    /// Releases the version; everything that was read before becomes invalid.
    package func invalidate() {
        state.pointee.epoch &+= 1
        releaseVersion()
        hasBeenRead = false
        changed()
    }

    /// Marks everything that was read before as possibly changed or moved.
    package func changed(_ space: NodeSpace? = nil) {
        state.pointee.clock.record(.rows)
        if let space { state.pointee.space = space }
    }

    // MARK: Writing

    /// True also if the write has already failed.
    package var isInWriteTransaction: Bool { currentWrite != 0 }

    /// Makes reads use the view of `transaction`. Returns whether its base version differs from the one read before.
    package func read(_ transaction: WriteTransaction, inWrite number: UInt64) -> Bool {
        self.transaction = transaction
        currentWrite = number
        noteRead()
        changed(transaction.space)
        guard transaction.baseVersion != lastVersion else { return false }
        lastVersion = transaction.baseVersion
        return true
    }

    /// Rejects further changes in the write in progress; reads continue to see its previous changes.
    func refuseChanges() {
        // Every change requires `transaction`.
        state.pointee.transaction = nil
        changed()
    }

    /// Makes reads use `version`, or else the result of `newest`, or the newest version of the database.
    package func endReadingWrite(at version: Snapshot?, orNewest newest: () throws -> Snapshot?) throws {
        // If a write couldn't begin, the Realm still has its version.
        let keepsVersion = transaction == nil && snapshot != nil
        writeFailure = nil
        transaction = nil
        currentWrite = 0
        if keepsVersion { return changed() }
        if let version = try version ?? newest() { return move(to: version) }
        try advance()
    }

    package func tableSequences() -> [TableKey: UInt64] {
        var sequences: [TableKey: UInt64] = [:]
        for key in reading([], { try source?.tableKeys() ?? [] }) {
            if let table = table(key) { sequences[key] = table.sequence }
        }
        return sequences
    }
}
