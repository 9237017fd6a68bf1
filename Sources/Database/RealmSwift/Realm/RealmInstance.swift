// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// An open database with its confinement, or frozen at one version, and with its classes: the shared state of the
/// copies of a `Realm`.
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
        tracker = configuration.access.tracksReads ? ReadTracker.make() : nil
        reader = try VersionReader(
            coordinator.host, configuration.readerSettings, at: confinement, version, isTracked: tracker != nil)
        state = reader.state
        writes = WriteSession(reader)
        delivery = Delivery(reader)
        attachParts()
    }

    /// `reader` is a frozen one.
    init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, frozen reader: VersionReader) {
        self.coordinator = coordinator
        self.configuration = configuration
        self.reader = reader
        knownPaths = nil
        tracker = nil
        state = reader.state
        writes = WriteSession(reader)
        delivery = Delivery(reader)
        attachParts()
    }

    convenience init(_ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, frozen snapshot: Snapshot) {
        self.init(
            coordinator, configuration,
            frozen: VersionReader(coordinator.host, configuration.readerSettings, frozen: snapshot))
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
        tracker = nil
        state = reader.state
        writes = WriteSession(reader)
        delivery = Delivery(reader)
        attachParts()
    }

    deinit {
        reference.clear()
        reader.abandonWrite()
    }

    // MARK: Versions

    /// The frozen instance of a version that observers were notified of, for the values that they see.
    func showing(_ version: ObservedVersion) -> RealmInstance {
        RealmInstance(coordinator, configuration, frozen: version.reader)
    }

    /// The frozen instance of the version that is read; during a write, of the version before the write.
    func frozen() -> RealmInstance {
        if isFrozen { return self }
        verifyThread()
        let isSettled = transaction == nil && writes.waiting.inFlight == 0
        if isSettled, let last = lastFrozen, last.version == snapshot?.version, let instance = last.reference.realm {
            return instance
        }
        return requiring {
            guard let version = try settledVersion() else {
                return try coordinator.frozen(
                    try coordinator.database.snapshot(label: FrozenTables.label), configuration)
            }
            let instance = try coordinator.frozen(version, configuration)
            lastFrozen = (version.version, instance.reference)
            return instance
        }
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

extension RealmInstance: DatabaseInstance {}

extension InstanceReference {
    /// All instances of this module are Realms'.
    var realm: RealmInstance? { object.map { unsafe unsafeDowncast($0, to: RealmInstance.self) } }
}

extension CancelledWrites {
    /// Whether an object was created in a write that was cancelled later.
    func contains(_ key: ObjectKey, of managed: ManagedClass, createdInWrite: UInt64) -> Bool {
        guard createdInWrite != 0 else { return false }
        return contains(
            key, of: managed.tableKey, hasPrimaryKey: managed.primaryKey != nil, createdInWrite: createdInWrite)
    }
}
