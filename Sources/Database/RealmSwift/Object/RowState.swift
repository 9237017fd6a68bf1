// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

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
