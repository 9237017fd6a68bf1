// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// What every read of a live object compares, kept by its Realm in one place that never moves.
@frozen @usableFromInline
@safe struct ReadState {
    /// What was found before is stale once the clock shows another stamp for it.
    @usableFromInline var clock = ChangeClock()
    /// A number for the write transaction in progress, or 0; never repeated.
    var write: UInt64 = 0
    /// That transaction, which the Realm holds; nil outside of writes.
    @safe @usableFromInline var transaction: Unmanaged<WriteTransaction>?
    /// The version that is read, which the Realm holds; nil during writes, and where many threads may be reading.
    @safe var snapshot: Unmanaged<Snapshot>?
    /// Grows with `RealmInstance.invalidate()`: what was got before is gone for good.
    var epoch: UInt32 = 0
    /// The thread whose reads need no other check; 0 if there is none: something else decides, or looks on.
    @usableFromInline var thread: UInt
    /// The thread that the Realm belongs to; 0 if it belongs to none.
    private(set) var ownerThread: UInt
    /// What of a thread's token counts: all, or nothing of a frozen Realm, which is at ownerThread on every thread.
    @usableFromInline var threadMask: UInt
    /// Where refs of the current version lead.
    @usableFromInline var space: NodeSpace
    /// Nodes that were read lately, each in the slot that its place hashes to. Those of a frozen Realm, which many
    /// threads may be reading, stay unknown.
    @safe @usableFromInline let children: UnsafeMutablePointer<CachedChild>
    fileprivate var remembersChildren: Bool { unsafe leaves != nil }
    /// A copy of `SmallString.isKnown`.
    @usableFromInline let knowsSmallStrings = SmallString.isKnown
    /// The leaves in which objects were found lately; nil of a frozen Realm. Held by this, not counted at each look.
    @safe let leaves: Unmanaged<ClusterLeafCache.Memory>?

    /// With `isTracked`, each read is reported to Observation.
    init(thread: UInt, threadMask: UInt, space: NodeSpace, isTracked: Bool = false) {
        self.thread = isTracked ? 0 : thread
        ownerThread = thread
        self.threadMask = threadMask
        self.space = space
        let isFrozen = threadMask == 0
        children = unsafe isFrozen ? CachedChild.unknown : CachedChild.makeSlots()
        leaves = unsafe isFrozen ? nil : .passRetained(ClusterLeafCache.Memory())
    }

    /// Gives up what `init` has allocated.
    func deallocate() {
        if remembersChildren { unsafe children.deallocate() }
        unsafe leaves?.release()
    }

    /// Whether the caller's thread is known to be right.
    @inlinable @inline(__always) var allowsCurrentThread: Bool { ThreadToken.current() & threadMask == thread }

    /// From now on no thread is right.
    mutating func close() {
        thread = 1
        ownerThread = 1
    }

    /// Whether the caller's thread is the right one, as `allowsCurrentThread` has it, also where reads are tracked.
    var isOnOwnerThread: Bool { ThreadToken.current() & threadMask == ownerThread }
}

/// A node that was read, such as a column leaf: whose child it is, and where it lay.
@frozen @usableFromInline
@safe struct CachedChild {
    @usableFromInline static var slotCount: Int { @inlinable get { 64 } }

    /// The address of the parent's payload plus the number of the child. A ref takes at least a byte, so no child of
    /// another node has the same.
    @usableFromInline var tag: UInt = 0
    /// When it was found.
    @usableFromInline var stamp: ChangeStamp<ColumnLeafExtent> = .never
    @usableFromInline var payload: UnsafeRawPointer
    @usableFromInline var header = NodeHeader(bits: 0)

    /// Slots in which nothing is known.
    static func makeSlots() -> UnsafeMutablePointer<CachedChild> {
        let slots = UnsafeMutablePointer<CachedChild>.allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: CachedChild(nowhere: slots), count: slotCount)
        return unsafe slots
    }

    /// Slots in which nothing is ever written, so that any thread may look.
    nonisolated(unsafe) static let unknown = unsafe makeSlots()

    private init(nowhere: UnsafeRawPointer) { unsafe payload = unsafe nowhere }

    @inlinable init(tag: UInt, stamp: ChangeStamp<ColumnLeafExtent>, _ node: Node) {
        self.tag = tag
        self.stamp = stamp
        unsafe payload = unsafe node.payload
        header = node.header
    }

    @inlinable @inline(__always) static func slot(of tag: UInt) -> Int {
        Int(truncatingIfNeeded: (tag &+ tag >> 9) & UInt(truncatingIfNeeded: slotCount &- 1))
    }
}

extension UnsafeMutablePointer<ReadState> {
    /// The leaves of a table in the version that is read; nil where other threads may be reading.
    func knownLeaves(of table: TableKey) -> ClusterLeafCache? {
        unsafe pointee.leaves?._withUnsafeGuaranteedRef { unsafe $0.leaves(of: table, pointee.clock.clusterLeaf) }
    }

    /// The child at `index` of a node; nil unless there is one.
    @inlinable @inline(__always)
    func child(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Node? {
        unsafe knownChild(index, of: payload) ?? findChild(index, of: payload, header)
    }

    /// The same, if it was read lately.
    @inlinable @inline(__always) func knownChild(_ index: Int, of payload: UnsafeRawPointer) -> Node? {
        let tag = UInt(bitPattern: payload) &+ UInt(bitPattern: index)
        let known = unsafe pointee.children + CachedChild.slot(of: tag)
        guard unsafe known.pointee.tag == tag, unsafe known.pointee.stamp == pointee.clock.columnLeaf else {
            return nil
        }
        return unsafe pointee.space.node(header: known.pointee.header, payload: known.pointee.payload)
    }

    /// The child at `index` of a node, which was not read lately, and remembers it; nil unless there is one.
    @inline(never) @usableFromInline
    func findChild(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Node? {
        unsafe Node.childRef(index, of: payload, header).flatMap { unsafe findNode($0, index, of: payload) }
    }

    /// The node at `ref`, which is the child at `index` of a node; remembers it as that.
    @inline(__always)
    func findNode(_ ref: Ref, _ index: Int, of payload: UnsafeRawPointer) -> Node? {
        guard let node = unsafe pointee.space.nodeOrNil(ref) else { return nil }
        if unsafe pointee.remembersChildren {
            let tag = UInt(bitPattern: payload) &+ UInt(bitPattern: index)
            unsafe pointee.children[CachedChild.slot(of: tag)] = unsafe CachedChild(
                tag: tag, stamp: pointee.clock.columnLeaf, node)
        }
        return node
    }
}

/// A managed object's row: which one it is, and where it was found last.
///
/// `leaf`, `leafHeader` and `row` hold as long as `stamp` is that of the Realm's clock; the mapping they lead into
/// lives as long as the Realm's snapshot does, which is why the clock records `.rows` with each snapshot. Of a frozen
/// object they are written before any other thread can have it, and never again.
@frozen @usableFromInline
@safe struct RowState {
    /// The Realm's state; nil for an unmanaged object. Alive as long as `realm`.
    @safe @usableFromInline var state: UnsafeMutablePointer<ReadState>?
    @usableFromInline var stamp: ChangeStamp<ClusterLeafExtent> = .never
    @safe @usableFromInline var leaf: UnsafeRawPointer?
    /// The same while `stamp` is that of the Realm's clock: code that writes that writes `leaf` too.
    @usableFromInline var knownLeaf: UnsafeRawPointer {
        @inlinable @inline(__always) get { unsafe leaf.unsafelyUnwrapped }
    }
    @usableFromInline var leafHeader = NodeHeader(bits: 0)
    @usableFromInline var row = 0
    /// The key less the row: the same for all rows of a leaf without gaps, so that a step from one to the next changes
    /// nothing but the row.
    private var keyOffset: Int64 = -1
    /// Alive as long as `keeper`.
    @safe @usableFromInline unowned(unsafe) var realm: RealmInstance?
    /// What keeps the Realm alive: itself or, for objects that are made one after the other, their `IterationContext`.
    var keeper: AnyObject?
    @usableFromInline var managed: ManagedClass?
    @inline(__always) var key: ObjectKey {
        get { ObjectKey(keyOffset &+ Int64(row)) }
        set { keyOffset = newValue.rawValue &- Int64(row) }
    }
    /// The write transaction in which the accessor was made, or 0. If that one is cancelled, so is a new object.
    var createdInWrite: UInt64 = 0
    /// Set when the object was deleted through this accessor: it stays so even if the deletion is rolled back.
    var isDeleted = false
    /// The value of `ReadState.epoch` when the accessor was made.
    var epoch: UInt32 = 0

    init() {}

    /// The keeper, if it makes what links lead to. For use while the object is there, which holds it.
    var rowKeeper: Unmanaged<IterationContext>? {
        // A comparison, and no cast, because each read of a link asks.
        guard let keeper, type(of: keeper) == IterationContext.self else { return nil }
        return unsafe .passUnretained(unsafeDowncast(keeper, to: IterationContext.self))
    }

    /// Makes the state of a fresh object that of an accessor, of a row whose place is known or not. `keeper` keeps the
    /// Realm alive.
    mutating func become(
        _ realm: RealmInstance, _ managed: ManagedClass, _ key: ObjectKey, at place: RowLocation?,
        keptBy keeper: AnyObject
    ) {
        state = realm.state
        self.realm = realm
        self.keeper = keeper
        self.managed = managed
        unsafe move(to: key, at: place, realm.state)
    }

    /// Makes the state of an accessor that of another row of the leaf it is in, whose keys have no gaps, in the same
    /// version.
    ///
    /// Whatever else `move` writes is the same then: when the write transaction or the epoch changes, so does the
    /// clock.
    @inlinable @inline(__always)
    mutating func step(to row: Int) { self.row = row }

    /// Makes the state of an accessor that of another row of its class.
    mutating func move(to key: ObjectKey, at place: RowLocation?, _ state: UnsafeMutablePointer<ReadState>) {
        self.key = key
        createdInWrite = unsafe state.pointee.write
        isDeleted = false
        epoch = unsafe state.pointee.epoch
        guard let place else {
            stamp = .never
            return
        }
        remember(place)
    }

    /// Notes where the row is.
    @inline(__always)
    mutating func remember(_ place: RowLocation) {
        let key = key
        leaf = place.leaf
        leafHeader = place.leafHeader
        row = place.row
        stamp = place.stamp
        self.key = key
    }
}
