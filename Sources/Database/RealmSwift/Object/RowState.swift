// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The state that every read of a live object compares, stored by its Realm at a fixed address.
@frozen @usableFromInline
@safe struct ReadState {
    /// Cached results are stale once the clock has another stamp for them.
    @usableFromInline var clock = ChangeClock()
    /// A number for the write transaction in progress, or 0; never reused.
    var write: UInt64 = 0
    /// The write transaction in progress, retained by the Realm; nil outside of writes.
    @safe @usableFromInline var transaction: Unmanaged<WriteTransaction>?
    /// The current version, retained by the Realm; nil during writes, and if several threads may be reading.
    @safe var snapshot: Unmanaged<Snapshot>?
    /// Incremented by `RealmInstance.invalidate()`: objects obtained before are permanently invalid.
    var epoch: UInt32 = 0
    /// The thread whose reads need no further check; 0 if every read needs one, or if reads are tracked.
    @usableFromInline var thread: UInt
    /// The thread that the Realm belongs to; 0 if it belongs to no particular thread.
    private(set) var ownerThread: UInt
    /// A mask for a thread's token: all bits, or none for a frozen Realm, so that every thread compares equal to
    /// ownerThread.
    @usableFromInline var threadMask: UInt
    @usableFromInline var space: NodeSpace
    /// Nodes that were read recently, each in the slot to which its address hashes. Nodes of a frozen Realm, which
    /// several threads may be reading, aren't cached.
    @safe @usableFromInline let children: UnsafeMutablePointer<CachedChild>
    fileprivate var remembersChildren: Bool { unsafe leaves != nil }
    @usableFromInline let knowsSmallStrings = SmallString.isKnown
    /// The leaves in which objects were found recently; nil for a frozen Realm. Retained by this once rather than at
    /// each access.
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

    func deallocate() {
        if remembersChildren { unsafe children.deallocate() }
        unsafe leaves?.release()
    }

    /// Whether the caller's thread is the right one without further checks.
    @inlinable @inline(__always) var allowsCurrentThread: Bool { ThreadToken.current() & threadMask == thread }

    /// Makes the check fail on every thread from now on.
    mutating func close() {
        thread = 1
        ownerThread = 1
    }

    /// Whether the caller's thread is the right one, like `allowsCurrentThread`, but also if reads are tracked.
    var isOnOwnerThread: Bool { ThreadToken.current() & threadMask == ownerThread }
}

/// A node that was read, such as a column leaf: its parent and index, and its position.
@frozen @usableFromInline
@safe struct CachedChild {
    @usableFromInline static var slotCount: Int { @inlinable get { 64 } }

    /// The address of the parent's payload plus the index of the child. A ref takes at least a byte, so no child of
    /// another node has the same tag.
    @usableFromInline var tag: UInt = 0
    @usableFromInline var stamp: ChangeStamp<ColumnLeafExtent> = .never
    @usableFromInline var payload: UnsafeRawPointer
    @usableFromInline var header = NodeHeader(bits: 0)

    static func makeSlots() -> UnsafeMutablePointer<CachedChild> {
        let slots = UnsafeMutablePointer<CachedChild>.allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: CachedChild(nowhere: slots), count: slotCount)
        return unsafe slots
    }

    /// Empty slots that are never written, so that any thread may read them.
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
    /// Returns the cached leaves of a table in the current version; nil if other threads may be reading.
    func knownLeaves(of table: TableKey) -> ClusterLeafCache? {
        unsafe pointee.leaves?._withUnsafeGuaranteedRef { unsafe $0.leaves(of: table, pointee.clock.clusterLeaf) }
    }

    @inlinable @inline(__always)
    func child(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Node? {
        unsafe knownChild(index, of: payload) ?? findChild(index, of: payload, header)
    }

    /// Returns the child at `index` of a node, if it was read recently.
    @inlinable @inline(__always) func knownChild(_ index: Int, of payload: UnsafeRawPointer) -> Node? {
        let tag = UInt(bitPattern: payload) &+ UInt(bitPattern: index)
        let known = unsafe pointee.children + CachedChild.slot(of: tag)
        guard unsafe known.pointee.tag == tag, unsafe known.pointee.stamp == pointee.clock.columnLeaf else {
            return nil
        }
        return unsafe pointee.space.node(header: known.pointee.header, payload: known.pointee.payload)
    }

    /// Reads and caches the child at `index` of a node, which wasn't read recently; nil if it doesn't exist.
    @inline(never) @usableFromInline
    func findChild(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Node? {
        unsafe Node.childRef(index, of: payload, header).flatMap { unsafe findNode($0, index, of: payload) }
    }

    /// Returns the node at `ref`, and caches it as the child at `index` of a node.
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

/// The row of a managed object and its cached position.
///
/// `leaf`, `leafHeader` and `row` are valid while `stamp` is that of the Realm's clock; the mapping they point into
/// exists as long as the Realm's snapshot, which is why the clock records `.rows` with each snapshot. For a frozen
/// object they are written before any other thread can access it, and never afterwards.
@frozen @usableFromInline
@safe struct RowState {
    /// The Realm's state; nil for an unmanaged object. Valid as long as `realm`.
    @safe @usableFromInline var state: UnsafeMutablePointer<ReadState>?
    @usableFromInline var stamp: ChangeStamp<ClusterLeafExtent> = .never
    @safe @usableFromInline var leaf: UnsafeRawPointer?
    /// `leaf` without the check for nil, valid while `stamp` is that of the Realm's clock: code that writes `stamp`
    /// writes `leaf` too.
    @usableFromInline var knownLeaf: UnsafeRawPointer {
        @inlinable @inline(__always) get { unsafe leaf.unsafelyUnwrapped }
    }
    @usableFromInline var leafHeader = NodeHeader(bits: 0)
    @usableFromInline var row = 0
    /// The key minus the row: equal for all rows of a leaf without gaps, so that a step from one to the next changes
    /// only the row.
    private var keyOffset: Int64 = -1
    /// Valid as long as `owner`.
    @safe @usableFromInline unowned(unsafe) var realm: RealmInstance?
    /// Retains the Realm: the Realm itself or, for objects created by an iteration, their `IterationContext`.
    var owner: AnyObject?
    @usableFromInline var managed: ManagedClass?
    @inline(__always) var key: ObjectKey {
        get { ObjectKey(keyOffset &+ Int64(row)) }
        set { keyOffset = newValue.rawValue &- Int64(row) }
    }
    /// The write transaction in which the accessor was created, or 0. Cancelling it also invalidates a new object.
    var createdInWrite: UInt64 = 0
    /// Set when the object was deleted through this accessor: it remains set even if the deletion is rolled back.
    var isDeleted = false
    /// The value of `ReadState.epoch` when the accessor was created.
    var epoch: UInt32 = 0

    init() {}

    /// The owner, if it is an `IterationContext`, which creates the targets of links. Use this only while
    /// the object, which retains it, exists.
    var rowKeeper: Unmanaged<IterationContext>? {
        // A comparison instead of a cast, because each read of a link performs it.
        guard let owner, type(of: owner) == IterationContext.self else { return nil }
        return unsafe .passUnretained(unsafeDowncast(owner, to: IterationContext.self))
    }

    /// Makes this the state of an accessor. The row's position may be nil. `owner` retains the Realm.
    mutating func become(
        _ realm: RealmInstance, _ managed: ManagedClass, _ key: ObjectKey, at place: RowLocation?,
        keptBy owner: AnyObject
    ) {
        state = realm.state
        self.realm = realm
        self.owner = owner
        self.managed = managed
        unsafe move(to: key, at: place, realm.state)
    }

    /// Moves the state of an accessor to another row of its current leaf, whose keys have no gaps, in the same version.
    ///
    /// The other values that `move` writes are unchanged then: when the write transaction or the epoch changes, so does
    /// the clock.
    @inlinable @inline(__always)
    mutating func step(to row: Int) { self.row = row }

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

    /// Stores the position and preserves the key, which is stored relative to the row.
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
