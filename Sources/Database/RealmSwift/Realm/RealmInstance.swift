// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage
import RealmSystem

/// A database opened at one place, or frozen at one version: what the copies of a `Realm` share. It is what reads see;
/// `writes` changes it, and `delivery` tells observers.
///
/// A live instance is confined to a thread, a queue or an actor, which every entry verifies, so its state needs no
/// lock. It reads either the snapshot it is at or, during a write, the transaction's own view. A frozen one may be used
/// anywhere, and nothing of it changes.
@usableFromInline
@safe final class RealmInstance {
    /// The holder of the versions that live instances read.
    static let holder = "Realm"

    let coordinator: RealmCoordinator
    /// What finds the instance again as long as it is kept.
    let reference = InstanceReference()
    let configuration: Realm.Configuration
    /// Changes once at most, for a thread, before it is used otherwise: when its run loop is found running.
    private(set) var confinement: Confinement
    /// The tables of a frozen instance; nil of a live one.
    let frozenTables: FrozenTables?
    /// Lives as long as the instance; accessors point to it.
    @safe @usableFromInline let state: UnsafeMutablePointer<ReadState>
    /// nil during a write, and after `invalidate()` until something is read.
    private(set) var snapshot: Snapshot? {
        didSet { state.pointee.snapshot = unsafe snapshot.map(Unmanaged.passUnretained) }
    }
    /// The frozen instance that was asked for last, and of which version it is.
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
    /// Whether a migration has ended that the instance was made for.
    private var isEnded = false
    let writes = WriteSession()
    let delivery: Delivery
    /// Classes as dynamic objects see them.
    let dynamicClasses = Locked<[TableKey: ManagedClass]>([:])
    /// Classes that were asked for, each in the slot that its type hashes to.
    @safe @exclusivity(unchecked) var knownClasses = [ClassCacheEntry?](repeating: nil, count: 32)
    /// Room for the values of the next new object, empty; nil while one is being added. Touched during writes only.
    @safe @exclusivity(unchecked) var spareValues: RowValues?
    /// What objects that are being added link to.
    let additions = Additions()
    /// Whether classes are looked up once only: not where several threads may ask, nor while columns come and go.
    var remembersClasses: Bool { knownPaths != nil }
    /// What predicates were about lately; nil where classes are looked up more than once.
    let knownPaths: PathBindingCache?
    /// What the world has done to reads; the next commit throws it.
    let trouble = Locked<StorageError?>(nil)
    /// How often the instance was invalidated, as `ReadState.epoch` has it.
    var epoch: UInt32 { state.pointee.epoch }
    /// Tells Observation what is read here; nil if reads are not tracked.
    let tracker: ReadTracker?
    /// The version that was read last, or that the write in progress began with.
    private var lastVersion: UInt64 = 0
    /// Whether anything may depend on the version that is read. Until then `beginReading(at:)` can exchange it. Always
    /// true of a frozen instance, of which other threads read.
    private(set) var hasBeenRead = false

    /// With `version`, this is the newest one and nothing has been read of it but the schema.
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

    /// Whether work can be sent here. A thread is asked again and again, because its run loop may begin to run after
    /// the Realm was opened.
    func attachToRunLoop() -> Bool {
        if case .thread(let token) = confinement, let loop = RunLoopMark.current {
            confinement = .runLoop(token, loop)
            delivery.openPort()
        }
        return confinement.canSchedule
    }

    /// A frozen instance. Only the coordinator makes them.
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

    /// For a migration: the version before it or, with `transaction`, what becomes of it.
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

    /// Ends what a migration's Realm sees; the transaction is not its own. Throws what damage was met.
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

    /// What reads see: the transaction's view during a write, else the snapshot; nil after `invalidate()`.
    var source: (any TableSource)? { transaction ?? currentSnapshot }

    /// The version that is read outside of writes; the newest one, if there is none yet.
    var currentSnapshot: Snapshot? {
        noteRead()
        if snapshot == nil, !isEnded { reading((), { try advance() }) }
        return snapshot
    }

    /// Whether what one has found is where it is for the other too.
    func readsSameVersion(as other: RealmInstance) -> Bool {
        guard let snapshot, let version = other.snapshot, transaction == nil, other.transaction == nil else {
            return false
        }
        return unsafe snapshot.version == version.version && state.pointee.space.base == other.state.pointee.space.base
    }

    /// The table with this key, as it is now.
    func table(_ key: TableKey) -> Table? {
        if let frozenTables { return reading(nil) { try frozenTables.table(key) } }
        return reading(nil) {
            guard let transaction = state.pointee.transaction else { return try source?.table(key) }
            return try unsafe transaction._withUnsafeGuaranteedRef { try $0.table(key) }
        }
    }

    /// The place of an object of a table of the version that is read.
    func find(_ key: ObjectKey, in table: Table) throws -> ClusterTree.Position? {
        unsafe key.rawValue < 0 ? nil : try table.clusters.find(key, state.knownLeaves(of: table.key))
    }

    /// Keeps the version that is read from being exchanged for an older one.
    func noteRead() { if !hasBeenRead { hasBeenRead = true } }

    // MARK: Versions

    /// Reads `version`, which may be older than the one that was opened, as long as nothing has been read. A Realm that
    /// follows others' commits moves on soon.
    func beginReading(at version: Snapshot) {
        noteRead()
        guard snapshot?.version != version.version else { return }
        move(to: version)
        delivery.port?.wake()
    }

    /// Moves to the newest version. True if it is another one. Tells all observers what they do not know yet; nothing
    /// happens within one of their blocks.
    @discardableResult
    func refresh() -> Bool {
        verifyThread()
        guard !isInWriteTransaction, !delivery.observers.isDelivering else { return false }
        let hasMoved = moveToNewest()
        if !isFrozen { delivery.deliver() }
        return hasMoved
    }

    /// Moves to the newest version like `refresh()`, but observers are told later.
    @discardableResult
    func moveToNewest() -> Bool {
        // A commit of ours that is not durable yet is the newest version there is.
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

    /// After a commit that failed: the version that it was to make must not be read any more.
    func returnToCommitted() throws {
        guard let snapshot, snapshot.version != coordinator.database.version else { return }
        try advance()
        // What was void cannot be compared with.
        tracker?.forgetVersion()
        tracker?.moved(self)
    }

    private func move(to version: Snapshot) {
        snapshot = version
        lastVersion = version.version
        changed(version.space)
    }

    /// Moves to a version that others have made.
    func follow(to version: Snapshot) {
        move(to: version)
        delivery.resumeWaiters()
        delivery.movedByOthers()
        tracker?.moved(self)
    }

    /// The frozen instance of the version that is read; during a write, of the one that the write began with.
    func frozen() -> RealmInstance {
        if isFrozen { return self }
        verifyThread()
        let isSettled = transaction == nil && writes.waiting.inFlight == 0
        if isSettled, let last = lastFrozen, last.version == snapshot?.version, let instance = last.reference.instance {
            return instance
        }
        return requiring {
            // What is frozen must be durable: it could not be taken back.
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

    /// Lets go of the version while `body` runs, which must not read, and moves to the newest one after that.
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

    /// Lets go of the version; everything got from this Realm before is invalid.
    ///
    /// A frozen one keeps it until the Realm is released, because other threads may be reading.
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

    /// Whatever was read before may have changed or moved.
    func changed(_ space: NodeSpace? = nil) {
        state.pointee.clock.record(.rows)
        if let space { state.pointee.space = space }
    }

    // MARK: Writing

    /// Whether one is in progress, even one that has failed already.
    var isInWriteTransaction: Bool { currentWrite != 0 }

    /// Lets go of the version that is read, for a write to begin.
    func releaseVersion() { snapshot = nil }

    /// From now on reads see what `transaction` writes. True if it began with another version than was read before.
    func read(_ transaction: WriteTransaction, inWrite number: UInt64) -> Bool {
        self.transaction = transaction
        currentWrite = number
        noteRead()
        changed(transaction.space)
        guard transaction.baseVersion != lastVersion else { return false }
        lastVersion = transaction.baseVersion
        return true
    }

    /// From now on the write in progress changes nothing; reads go on to see what it has changed.
    func refuseChanges() {
        // Each change asks for this one.
        state.pointee.transaction = nil
        changed()
    }

    /// From now on reads see `version`, or else what `newest` gives, or the newest version of the database.
    func endReadingWrite(at version: Snapshot?, orNewest newest: () throws -> Snapshot?) throws {
        // A write that could not begin has left the version as it was.
        let keepsVersion = transaction == nil && snapshot != nil
        transaction = nil
        currentWrite = 0
        if keepsVersion { return changed() }
        if let version = try version ?? newest() { return move(to: version) }
        try advance()
    }

    /// The sequence numbers of all tables, as they are now.
    func tableSequences() -> [TableKey: UInt64] {
        var sequences: [TableKey: UInt64] = [:]
        for key in reading([], { try source?.tableKeys() ?? [] }) {
            if let table = table(key) { sequences[key] = table.sequence }
        }
        return sequences
    }

    /// Whether the object came into being in a write that was cancelled since.
    func wasCancelled(_ object: ObjectBase) -> Bool {
        guard object._rlmRow.createdInWrite != 0, let managed = object._rlmRow.managed else { return false }
        return writes.cancelled.contains(
            object._rlmRow.key, of: managed, createdInWrite: object._rlmRow.createdInWrite)
    }

    /// Runs an instruction of the write in progress. What it refuses is a programmer error; a world error makes the
    /// write fail. nil if the write has failed. No instruction ends the write, so nothing has to be retained for one.
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
