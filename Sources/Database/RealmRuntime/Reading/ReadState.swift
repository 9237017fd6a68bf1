// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The state that every read of a live object compares, stored by its Realm at a fixed address.
@frozen @usableFromInline
@safe package struct ReadState {
    /// Cached results are stale once the clock has another stamp for them.
    @usableFromInline package var clock = ChangeClock()
    /// A number for the write transaction in progress, or 0; never reused.
    @usableFromInline package var write: UInt64 = 0
    /// The write transaction in progress, retained by the Realm; nil outside of writes.
    @safe @usableFromInline package var transaction: Unmanaged<WriteTransaction>?
    /// The current version, retained by the Realm; nil during writes, and if several threads may be reading.
    @safe package var snapshot: Unmanaged<Snapshot>?
    /// Incremented by `RealmInstance.invalidate()`: objects obtained before are permanently invalid.
    @usableFromInline package var epoch: UInt32 = 0
    /// The thread whose reads need no further check; 0 if every read needs one, or if reads are tracked.
    @usableFromInline package var thread: UInt
    /// The thread that the Realm belongs to; 0 if it belongs to no particular thread.
    @usableFromInline package private(set) var ownerThread: UInt
    /// A mask for a thread's token: all bits, or none for a frozen Realm, so that every thread compares equal to
    /// ownerThread.
    @usableFromInline package var threadMask: UInt
    @usableFromInline package var space: NodeSpace
    /// Nodes that were read recently, each in the slot to which its address hashes. Nodes of a frozen Realm, which
    /// several threads may be reading, aren't cached.
    @safe @usableFromInline package let children: UnsafeMutablePointer<CachedChild>
    fileprivate var remembersChildren: Bool { unsafe leaves != nil }
    @usableFromInline package let readsSmallStrings = SmallString.isKnown
    /// The leaves in which objects were found recently; nil for a frozen Realm. Retained by this once rather than at
    /// each access.
    @safe package let leaves: Unmanaged<ClusterLeafCache.Memory>?

    /// With `isTracked`, each read is reported to Observation.
    package init(thread: UInt, threadMask: UInt, space: NodeSpace, isTracked: Bool = false) {
        self.thread = isTracked ? 0 : thread
        ownerThread = thread
        self.threadMask = threadMask
        self.space = space
        let isFrozen = threadMask == 0
        children = unsafe isFrozen ? CachedChild.unknown : CachedChild.makeSlots()
        leaves = unsafe isFrozen ? nil : .passRetained(ClusterLeafCache.Memory())
    }

    package func deallocate() {
        if remembersChildren { unsafe children.deallocate() }
        unsafe leaves?.release()
    }

    /// Whether the caller's thread is the right one without further checks.
    @inlinable @inline(__always) package var allowsCurrentThread: Bool { ThreadToken.current() & threadMask == thread }

    @usableFromInline package var isFrozen: Bool { @inlinable get { threadMask == 0 } }

    /// Makes the check fail on every thread from now on.
    package mutating func close() {
        thread = 1
        ownerThread = 1
    }

    /// Whether the caller's thread is the right one, like `allowsCurrentThread`, but also if reads are tracked.
    @inlinable @inline(__always) package var isOnOwnerThread: Bool { ThreadToken.current() & threadMask == ownerThread }
}

/// A node that was read, such as a column leaf: its parent and index, and its position.
@frozen @usableFromInline
@safe package struct CachedChild {
    @usableFromInline package static var slotCount: Int { @inlinable get { 64 } }

    /// The address of the parent's payload plus the index of the child. A ref takes at least a byte, so no child of
    /// another node has the same tag.
    @usableFromInline package var tag: UInt = 0
    @usableFromInline package var stamp: ChangeStamp<ColumnLeafExtent> = .never
    @usableFromInline package var payload: UnsafeRawPointer
    @usableFromInline package var header = NodeHeader(bits: 0)

    package static func makeSlots() -> UnsafeMutablePointer<CachedChild> {
        let slots = UnsafeMutablePointer<CachedChild>.allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: CachedChild(nowhere: slots), count: slotCount)
        return unsafe slots
    }

    /// Empty slots that are never written, so that any thread may read them.
    package nonisolated(unsafe) static let unknown = unsafe makeSlots()

    private init(nowhere: UnsafeRawPointer) { unsafe payload = unsafe nowhere }

    @inlinable package init(tag: UInt, stamp: ChangeStamp<ColumnLeafExtent>, _ node: Node) {
        self.tag = tag
        self.stamp = stamp
        unsafe payload = unsafe node.payload
        header = node.header
    }

    @inlinable @inline(__always) package static func slot(of tag: UInt) -> Int {
        Int(truncatingIfNeeded: (tag &+ tag >> 9) & UInt(truncatingIfNeeded: slotCount &- 1))
    }
}

extension UnsafeMutablePointer<ReadState> {
    /// Returns the cached leaves of a table in the current version; nil if other threads may be reading.
    package func knownLeaves(of table: TableKey) -> ClusterLeafCache? {
        unsafe pointee.leaves?._withUnsafeGuaranteedRef { unsafe $0.leaves(of: table, pointee.clock.clusterLeaf) }
    }

    @inlinable @inline(__always)
    package func child(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Node? {
        unsafe knownChild(index, of: payload) ?? findChild(index, of: payload, header)
    }

    /// Returns the child at `index` of a node, if it was read recently.
    @inlinable @inline(__always) package func knownChild(_ index: Int, of payload: UnsafeRawPointer) -> Node? {
        let tag = UInt(bitPattern: payload) &+ UInt(bitPattern: index)
        let known = unsafe pointee.children + CachedChild.slot(of: tag)
        guard unsafe known.pointee.tag == tag, unsafe known.pointee.stamp == pointee.clock.columnLeaf else {
            return nil
        }
        return unsafe Node(header: known.pointee.header, payload: known.pointee.payload, in: pointee.space)
    }

    /// Reads and caches the child at `index` of a node, which wasn't read recently; nil if it doesn't exist.
    @inline(never) @usableFromInline
    package func findChild(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Node? {
        unsafe Node.childRef(index, of: payload, header).flatMap { unsafe findNode($0, index, of: payload) }
    }

    /// Returns the node at `ref`, and caches it as the child at `index` of a node.
    @inline(__always)
    package func findNode(_ ref: Ref, _ index: Int, of payload: UnsafeRawPointer) -> Node? {
        guard let node = unsafe pointee.space.nodeOrNil(ref) else { return nil }
        if unsafe pointee.remembersChildren {
            let tag = UInt(bitPattern: payload) &+ UInt(bitPattern: index)
            unsafe pointee.children[CachedChild.slot(of: tag)] = unsafe CachedChild(
                tag: tag, stamp: pointee.clock.columnLeaf, node)
        }
        return node
    }
}
