// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// An open database with its confinement, or frozen at one version: the shared state of the copies of a `Realm`. It
/// serves reads; `writes` changes it, and `delivery` notifies observers.
///
/// A live instance is confined to a thread, a queue or an actor, which every entry verifies, so its state needs no
/// lock. It reads either its snapshot or, during a write, the transaction's own view. A frozen one may be used
/// anywhere, and is immutable.
@usableFromInline
@safe final class RealmInstance {
    /// Reads the database for the instance.
    let reader: VersionReader
    let coordinator: RealmCoordinator
    let reference = InstanceReference()
    let configuration: Realm.Configuration
    /// Deallocated with the instance; accessors point to it.
    @safe @usableFromInline let state: UnsafeMutablePointer<ReadState>
    @safe @exclusivity(unchecked) private var lastFrozen: (version: UInt64, reference: InstanceReference)?
    let writes: WriteSession
    let delivery: Delivery
    let dynamicClasses = Locked<[TableKey: ManagedClass]>([:])
    /// Caches class lookups; the slot is a hash of the type.
    @safe @exclusivity(unchecked) var knownClasses = [ClassCacheEntry?](repeating: nil, count: 32)
    /// Memory for the values of the next new object, or nil while one is being added. Used during writes only.
    @safe @exclusivity(unchecked) var spareValues: RowValues?
    let additions = Additions()
    /// Whether class lookups are cached. They aren't if several threads may look up classes, or while columns are added
    /// and removed.
    var remembersClasses: Bool { knownPaths != nil }
    let knownPaths: PathBindingCache?
    let tracker: ReadTracker?

    /// `version`, if given, is the newest one, of which only the schema has been read.
    init(
        _ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, at confinement: Confinement,
        _ version: Snapshot? = nil
    ) throws {
        self.coordinator = coordinator
        self.configuration = configuration
        knownPaths = PathBindingCache()
        delivery = Delivery(autorefresh: true)
        tracker = ReadTracker.make(configuration)
        reader = try VersionReader(
            coordinator.host, configuration.readerSettings, at: confinement, version, isTracked: tracker != nil)
        state = reader.state
        writes = WriteSession(reader)
        attachParts()
        if confinement.canSchedule { delivery.openPort() }
    }

    private func attachParts() {
        reference.refer(to: self)
        writes.attach(to: self)
        delivery.attach(to: self)
    }

    /// Whether work can be sent to this thread. Checked repeatedly, because its run loop may start after the Realm was
    /// opened.
    func attachToRunLoop() -> Bool {
        if reader.adoptRunLoop() { delivery.openPort() }
        return confinement.canSchedule
    }

    init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, frozen snapshot: Snapshot) {
        self.coordinator = coordinator
        self.configuration = configuration
        reader = VersionReader(coordinator.host, configuration.readerSettings, frozen: snapshot)
        knownPaths = nil
        delivery = Delivery(autorefresh: false)
        tracker = nil
        state = reader.state
        writes = WriteSession(reader)
        attachParts()
    }

    /// Creates the instance of a migration: for the version before it or, with `transaction`, for its result.
    init(
        migrating coordinator: RealmCoordinator, _ configuration: Realm.Configuration, _ snapshot: Snapshot?,
        _ transaction: WriteTransaction?, _ space: NodeSpace
    ) {
        self.coordinator = coordinator
        self.configuration = configuration
        reader = VersionReader(
            migrating: coordinator.host, configuration.readerSettings, snapshot, transaction, space)
        knownPaths = nil
        delivery = Delivery(autorefresh: true)
        tracker = nil
        state = reader.state
        writes = WriteSession(reader)
        attachParts()
    }

    deinit {
        reference.clear()
        reader.abandonWrite()
    }

    // MARK: Versions

    /// Reads `version`, which may be older than the one that was opened, if nothing has been read yet. A Realm with
    /// automatic refresh soon advances.
    func beginReading(at version: Snapshot) {
        noteRead()
        guard snapshot?.version != version.version else { return }
        reader.move(to: version)
        delivery.port?.wake()
    }

    /// Moves to the newest version. Returns whether the version changed. Notifies all observers of pending changes;
    /// does nothing within one of their blocks.
    @discardableResult
    func refresh() -> Bool {
        verifyThread()
        guard !isInWriteTransaction, !delivery.observers.isDelivering else { return false }
        let hasMoved = moveToNewest()
        if !isFrozen { delivery.deliver() }
        return hasMoved
    }

    @discardableResult
    func moveToNewest() -> Bool {
        // If a commit of this instance isn't durable yet, its version is the newest one.
        guard !isInWriteTransaction, !isFrozen, writes.waiting.inFlight == 0 else { return false }
        noteRead()
        return reading(false) {
            guard snapshot?.version != coordinator.database.version else { return false }
            follow(to: try coordinator.database.snapshot(label: VersionReader.holder))
            return true
        }
    }

    /// Returns to the last durable version after a commit failed: the failed version must no longer be read.
    func returnToCommitted() throws {
        guard let snapshot, snapshot.version != coordinator.database.version else { return }
        try advance()
        // The failed version can't be compared with another one.
        tracker?.forgetVersion()
        tracker?.moved(self)
    }

    func follow(to version: Snapshot) {
        reader.move(to: version)
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

    /// Releases the version while `body` runs, and then moves to the newest one. `body` must not read from the Realm.
    func withoutVersion<Result>(_ body: () throws -> Result) throws -> Result {
        writes.yieldTurn()
        writes.finishCommits()
        reader.releaseVersion()
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
            coordinator.host.logRollback("invalidated")
            writes.cancel()
        }
        writes.finishCommits()
        reader.invalidate()
        tracker?.moved(self)
        delivery.notifyOfInvalidation()
    }

    // MARK: Writing

    func wasCancelled(_ object: ObjectBase) -> Bool {
        guard object._rlmRow.createdInWrite != 0, let managed = object._rlmRow.managed else { return false }
        return writes.cancelled.contains(
            object._rlmRow.key, of: managed, createdInWrite: object._rlmRow.createdInWrite)
    }

    /// Runs an instruction of the write in progress. An instruction that the engine rejects is a programmer error; a
    /// world error makes the write fail. Returns nil if the write has failed. No instruction ends the write, so the
    /// transaction needn't be retained for it.
    @discardableResult
    func change<Result>(_ body: (WriteTransaction) throws -> Result) -> Result? {
        guard let transaction = state.pointee.transaction else {
            if reader.writeFailure == nil {
                throwRealmException("Cannot modify the Realm outside of a write transaction.")
            }
            return nil
        }
        let before = unsafe transaction._withUnsafeGuaranteedRef { $0.clock }
        let result: Result
        do {
            result = try unsafe transaction._withUnsafeGuaranteedRef { try body($0) }
        } catch {
            reader.failWrite(reader.worldFailure(error))
            return nil
        }
        unsafe state.pointee.clock.follow(from: before, to: transaction._withUnsafeGuaranteedRef { $0.clock })
        return result
    }
}
