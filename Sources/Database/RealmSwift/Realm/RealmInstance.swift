// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage
import RealmSystem

/// An open database with its confinement, or frozen at one version: the shared state of the copies of a `Realm`. It
/// serves reads; `writes` changes it, and `delivery` notifies observers.
///
/// A live instance is confined to a thread, a queue or an actor, which every entry verifies, so its state needs no
/// lock. It reads either its snapshot or, during a write, the transaction's own view. A frozen one may be used
/// anywhere, and is immutable.
@usableFromInline
@safe final class RealmInstance {
    /// The holder of the versions that live instances read.
    static let holder = "Realm"

    let coordinator: RealmCoordinator
    /// The weak reference through which the instance is looked up while it is retained.
    let reference = InstanceReference()
    let configuration: Realm.Configuration
    /// Changes at most once, for a thread, before other uses: when its run loop is found running.
    private(set) var confinement: Confinement
    /// The tables of a frozen instance; nil of a live one.
    let frozenTables: FrozenTables?
    /// Has the lifetime of the instance; accessors point to it.
    @safe @usableFromInline let state: UnsafeMutablePointer<ReadState>
    /// nil during a write, and after `invalidate()` until something is read.
    private(set) var snapshot: Snapshot? {
        didSet { state.pointee.snapshot = unsafe snapshot.map(Unmanaged.passUnretained) }
    }
    /// The frozen instance that was requested last, and its version.
    @safe @exclusivity(unchecked) private var lastFrozen: (version: UInt64, reference: InstanceReference)?
    private(set) var transaction: WriteTransaction? {
        didSet { state.pointee.transaction = unsafe transaction.map(Unmanaged.passUnretained) }
    }
    /// The number of the write in progress; 0 outside of writes.
    var currentWrite: UInt64 {
        get { state.pointee.write }
        set { state.pointee.write = newValue }
    }
    /// Whether the instance is the new Realm of a migration, whose write ends with the migration's block.
    let isMigrating: Bool
    /// Whether the migration that the instance was created for has ended.
    private var isEnded = false
    let writes = WriteSession()
    let delivery: Delivery
    /// Classes as dynamic objects use them.
    let dynamicClasses = Locked<[TableKey: ManagedClass]>([:])
    /// Classes that were looked up, each in the slot that its type hashes to.
    @safe @exclusivity(unchecked) var knownClasses = [ClassCacheEntry?](repeating: nil, count: 32)
    /// Empty memory for the values of the next new object; nil while one is being added. Used during writes only.
    @safe @exclusivity(unchecked) var spareValues: RowValues?
    /// The objects that objects being added link to.
    let additions = Additions()
    /// Whether class lookups are cached: not if several threads may look up classes, nor while columns are added and
    /// removed.
    var remembersClasses: Bool { knownPaths != nil }
    /// The recently used paths of predicates; nil if class lookups aren't cached.
    let knownPaths: PathBindingCache?
    /// The world error that reads have met; the next commit throws it.
    let trouble = Locked<StorageError?>(nil)
    /// The number of invalidations of the instance, as `ReadState.epoch` has it.
    var epoch: UInt32 { state.pointee.epoch }
    /// Reports reads to Observation; nil if reads aren't tracked.
    let tracker: ReadTracker?
    /// The version that was read last, or that the write in progress began with.
    private var lastVersion: UInt64 = 0
    /// Whether anything may depend on the version that is read. Until then `beginReading(at:)` can replace it. Always
    /// true of a frozen instance, which other threads read.
    private(set) var hasBeenRead = false

    /// Creates a live instance. `version`, if given, is the newest one, of which only the schema has been read.
    init(
        _ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, at confinement: Confinement,
        _ version: Snapshot? = nil
    ) throws {
        self.coordinator = coordinator
        self.configuration = configuration
        self.confinement = confinement
        frozenTables = nil
        knownPaths = PathBindingCache()
        isMigrating = false
        delivery = Delivery(autorefresh: true)
        let snapshot = try version ?? coordinator.database.snapshot(label: RealmInstance.holder)
        self.snapshot = snapshot
        lastVersion = snapshot.version
        tracker = ReadTracker.make(configuration)
        state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: ReadState(
                thread: confinement.threadToken, threadMask: .max, space: snapshot.space,
                isTracked: tracker != nil))
        state.pointee.snapshot = unsafe .passUnretained(snapshot)
        attachParts()
        if confinement.canSchedule { delivery.openPort() }
    }

    private func attachParts() {
        reference.refer(to: self)
        writes.attach(to: self)
        delivery.attach(to: self)
    }

    /// Whether work can be sent to this thread. This is checked repeatedly, because its run loop may start after the
    /// Realm was opened.
    func attachToRunLoop() -> Bool {
        if case .thread(let token) = confinement, let loop = RunLoopMark.current {
            confinement = .runLoop(token, loop)
            delivery.openPort()
        }
        return confinement.canSchedule
    }

    /// Creates a frozen instance. Only called by the coordinator.
    init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, frozen snapshot: Snapshot) {
        self.coordinator = coordinator
        self.configuration = configuration
        confinement = .none
        hasBeenRead = true
        frozenTables = FrozenTables(snapshot)
        knownPaths = nil
        isMigrating = false
        delivery = Delivery(autorefresh: false)
        self.snapshot = snapshot
        tracker = nil
        state = .allocate(capacity: 1)
        unsafe state.initialize(to: ReadState(thread: 0, threadMask: 0, space: snapshot.space))
        attachParts()
    }

    /// Creates the instance of a migration: for the version before it or, with `transaction`, for its result.
    init(
        migrating coordinator: RealmCoordinator, _ configuration: Realm.Configuration, _ snapshot: Snapshot?,
        _ transaction: WriteTransaction?, _ space: NodeSpace
    ) {
        self.coordinator = coordinator
        self.configuration = configuration
        confinement = .thread(ThreadToken.current())
        frozenTables = nil
        knownPaths = nil
        self.snapshot = snapshot
        self.transaction = transaction
        isMigrating = transaction != nil
        hasBeenRead = true
        delivery = Delivery(autorefresh: true)
        tracker = nil
        state = .allocate(capacity: 1)
        unsafe state.initialize(to: ReadState(thread: ThreadToken.current(), threadMask: .max, space: space))
        state.pointee.transaction = unsafe transaction.map(Unmanaged.passUnretained)
        currentWrite = isMigrating ? 1 : 0
        attachParts()
    }

    /// Ends the reads of a migration's Realm, whose transaction belongs to the caller. Throws the damage that was met.
    func endMigration() throws {
        transaction = nil
        currentWrite = 0
        snapshot = nil
        isEnded = true
        changed()
        try verifyUnfailed()
    }

    deinit {
        reference.clear()
        if transaction != nil {
            warnOfRollback("deallocated")
            transaction?.rollback()
        }
        state.pointee.deallocate()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    private func warnOfRollback(_ reason: String) {
        coordinator.logger.log(
            .warn,
            """
            An RLMRealm instance was \(reason) during a write transaction and all pending changes have been rolled \
            back.
            """)
    }

    // MARK: Reading

    /// The source of reads: the transaction's view during a write, else the snapshot; nil after `invalidate()`.
    var source: (any TableSource)? { transaction ?? currentSnapshot }

    /// The version that is read outside of writes. Begins to read the newest one if none is being read.
    var currentSnapshot: Snapshot? {
        noteRead()
        if snapshot == nil, !isEnded { reading((), { try advance() }) }
        return snapshot
    }

    /// Whether locations found in one instance are valid in the other.
    func readsSameVersion(as other: RealmInstance) -> Bool {
        guard let snapshot, let version = other.snapshot, transaction == nil, other.transaction == nil else {
            return false
        }
        return unsafe snapshot.version == version.version && state.pointee.space.base == other.state.pointee.space.base
    }

    func table(_ key: TableKey) -> Table? {
        if let frozenTables { return reading(nil) { try frozenTables.table(key) } }
        return reading(nil) {
            guard let transaction = state.pointee.transaction else { return try source?.table(key) }
            return try unsafe transaction._withUnsafeGuaranteedRef { try $0.table(key) }
        }
    }

    /// The position of an object in a table of the version that is read.
    func find(_ key: ObjectKey, in table: Table) throws -> ClusterTree.Position? {
        unsafe key.rawValue < 0 ? nil : try table.clusters.find(key, state.knownLeaves(of: table.key))
    }

    /// Prevents the version that is read from being replaced by an older one.
    func noteRead() { if !hasBeenRead { hasBeenRead = true } }

    // MARK: Versions

    /// Reads `version`, which may be older than the one that was opened, if nothing has been read yet. A Realm that
    /// follows others' commits soon advances.
    func beginReading(at version: Snapshot) {
        noteRead()
        guard snapshot?.version != version.version else { return }
        move(to: version)
        delivery.port?.wake()
    }

    /// Moves to the newest version. Returns whether that is a different one. Notifies all observers of pending changes;
    /// does nothing within one of their blocks.
    @discardableResult
    func refresh() -> Bool {
        verifyThread()
        guard !isInWriteTransaction, !delivery.observers.isDelivering else { return false }
        let hasMoved = moveToNewest()
        if !isFrozen { delivery.deliver() }
        return hasMoved
    }

    /// Moves to the newest version like `refresh()`, but notifies observers later.
    @discardableResult
    func moveToNewest() -> Bool {
        // If a commit of this instance isn't durable yet, its version is the newest one.
        guard !isInWriteTransaction, !isFrozen, writes.waiting.inFlight == 0 else { return false }
        noteRead()
        return reading(false) {
            guard snapshot?.version != coordinator.database.version else { return false }
            follow(to: try coordinator.database.snapshot(label: RealmInstance.holder))
            return true
        }
    }

    func advance() throws {
        move(to: try coordinator.database.snapshot(label: RealmInstance.holder))
    }

    /// Returns to the last durable version after a failed commit: its version must no longer be read.
    func returnToCommitted() throws {
        guard let snapshot, snapshot.version != coordinator.database.version else { return }
        try advance()
        // A version that was rolled back can't be compared with.
        tracker?.forgetVersion()
        tracker?.moved(self)
    }

    private func move(to version: Snapshot) {
        snapshot = version
        lastVersion = version.version
        changed(version.space)
    }

    /// Moves to a version of another writer.
    func follow(to version: Snapshot) {
        move(to: version)
        delivery.resumeWaiters()
        delivery.movedByOthers()
        tracker?.moved(self)
    }

    /// The frozen instance of the version that is read; during a write, of the version before the write.
    func frozen() -> RealmInstance {
        if isFrozen { return self }
        verifyThread()
        let isSettled = transaction == nil && writes.waiting.inFlight == 0
        if isSettled, let last = lastFrozen, last.version == snapshot?.version, let instance = last.reference.instance {
            return instance
        }
        return requiring {
            // A frozen version must be durable: it can't be rolled back.
            if writes.waiting.inFlight > 0, transaction == nil {
                writes.finishCommits()
                try returnToCommitted()
            }
            guard transaction == nil, let version = currentSnapshot else {
                return try coordinator.frozen(
                    try coordinator.database.snapshot(label: FrozenTables.label), configuration)
            }
            let instance = try coordinator.frozen(version, configuration)
            lastFrozen = (version.version, instance.reference)
            return instance
        }
    }

    /// Releases the version while `body` runs, which must not read, and then moves to the newest one.
    func withoutVersion<Result>(_ body: () throws -> Result) throws -> Result {
        writes.yieldTurn()
        writes.finishCommits()
        snapshot = nil
        tracker?.forgetVersion()
        let result: Result
        do {
            result = try body()
        } catch {
            try? advance()
            throw error
        }
        try advance()
        tracker?.moved(self)
        return result
    }

    /// Releases the version; everything that was read from this Realm before becomes invalid.
    ///
    /// A frozen instance retains its version until the Realm is deallocated, because other threads may be reading.
    func invalidate() {
        verifyThread()
        guard !isFrozen else {
            state.pointee.close()
            return
        }
        if isInWriteTransaction {
            warnOfRollback("invalidated")
            writes.cancel()
        }
        writes.finishCommits()
        state.pointee.epoch &+= 1
        snapshot = nil
        hasBeenRead = false
        changed()
        tracker?.moved(self)
        delivery.notifyOfInvalidation()
    }

    /// Marks everything that was read before as possibly changed or moved.
    func changed(_ space: NodeSpace? = nil) {
        state.pointee.clock.record(.rows)
        if let space { state.pointee.space = space }
    }

    // MARK: Writing

    /// Whether a write is in progress, including one that has already failed.
    var isInWriteTransaction: Bool { currentWrite != 0 }

    /// Releases the version that is read, before a write begins.
    func releaseVersion() { snapshot = nil }

    /// Makes reads use the view of `transaction`. Returns whether it began with another version than was read before.
    func read(_ transaction: WriteTransaction, inWrite number: UInt64) -> Bool {
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
    func endReadingWrite(at version: Snapshot?, orNewest newest: () throws -> Snapshot?) throws {
        // A write that couldn't begin has left the version unchanged.
        let keepsVersion = transaction == nil && snapshot != nil
        transaction = nil
        currentWrite = 0
        if keepsVersion { return changed() }
        if let version = try version ?? newest() { return move(to: version) }
        try advance()
    }

    /// The current sequence numbers of all tables.
    func tableSequences() -> [TableKey: UInt64] {
        var sequences: [TableKey: UInt64] = [:]
        for key in reading([], { try source?.tableKeys() ?? [] }) {
            if let table = table(key) { sequences[key] = table.sequence }
        }
        return sequences
    }

    /// Whether the object was created in a write that was cancelled later.
    func wasCancelled(_ object: ObjectBase) -> Bool {
        guard object._rlmRow.createdInWrite != 0, let managed = object._rlmRow.managed else { return false }
        return writes.cancelled.contains(
            object._rlmRow.key, of: managed, createdInWrite: object._rlmRow.createdInWrite)
    }

    /// Runs an instruction of the write in progress. If the engine rejects it, that is a programmer error; a world
    /// error makes the write fail. Returns nil if the write has failed. No instruction ends the write, so nothing has
    /// to be retained for one.
    @discardableResult
    func change<Result>(_ body: (WriteTransaction) throws -> Result) -> Result? {
        guard let transaction = state.pointee.transaction else {
            if writes.failure == nil { throwRealmException("Cannot modify the Realm outside of a write transaction.") }
            return nil
        }
        let before = unsafe transaction._withUnsafeGuaranteedRef { $0.clock }
        let result: Result
        do {
            result = try unsafe transaction._withUnsafeGuaranteedRef { try body($0) }
        } catch {
            writes.fail(worldFailure(error))
            return nil
        }
        unsafe state.pointee.clock.follow(from: before, to: transaction._withUnsafeGuaranteedRef { $0.clock })
        return result
    }
}
