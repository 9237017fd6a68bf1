// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// What every read of a live object compares, kept by its Realm in one place that never moves.
@frozen @usableFromInline
struct ReadState {
    /// Grows whenever a row that was found before may have moved.
    @usableFromInline var generation: UInt64
    /// Grows whenever anything that was read before may have changed.
    var contents: UInt64 = 1
    /// The thread whose reads need no other check; 0 if there is none: something else decides, or looks on.
    @usableFromInline var thread: UInt
    /// The thread that the Realm belongs to; 0 if it belongs to none.
    private(set) var home: UInt
    /// What of a thread's token counts: all, or nothing of a frozen Realm, which is at home on every thread.
    @usableFromInline var threadMask: UInt
    /// Where refs of the current version lead.
    @usableFromInline var space: NodeSpace

    /// With `isTracked`, each read has somebody look on.
    init(generation: UInt64, thread: UInt, threadMask: UInt, space: NodeSpace, isTracked: Bool = false) {
        self.generation = generation
        self.thread = isTracked ? 0 : thread
        home = thread
        self.threadMask = threadMask
        self.space = space
    }

    /// Whether the caller's thread is known to be right.
    @inlinable @inline(__always) var admitsThread: Bool { ThreadToken.current() & threadMask == thread }

    /// From now on no thread is right.
    mutating func shut() {
        thread = 1
        home = 1
    }

    /// As `admitsThread`, where nobody looks on.
    var isAtHome: Bool { ThreadToken.current() & threadMask == home }
}

/// A managed object's row: which one it is, and where it was found last.
///
/// `leaf`, `leafHeader` and `row` hold as long as `generation` is the Realm's; the mapping they lead into lives as
/// long as the Realm's snapshot does, which is why the generation changes with the snapshot. Of a frozen object they
/// are written before anybody else can have it, and never again.
@frozen @usableFromInline
struct RowState {
    /// The Realm's state; nil for an unmanaged object. Alive as long as `realm`.
    @usableFromInline var state: UnsafeMutablePointer<ReadState>?
    @usableFromInline var generation: UInt64 = 0
    @usableFromInline var leaf: UnsafeRawPointer?
    @usableFromInline var leafHeader = NodeHeader(bits: 0)
    @usableFromInline var row = 0
    /// Alive as long as `keeper`.
    @usableFromInline unowned(unsafe) var realm: RealmInstance?
    /// What keeps the Realm alive: itself or, for objects that are made one after the other, their `RowKeeper`.
    var keeper: AnyObject?
    @usableFromInline var managed: ManagedClass?
    @usableFromInline var key = ObjectKey(-1)
    /// The write transaction in which the accessor was made, or 0. If that one is cancelled, so is a new object.
    var bornIn: UInt64 = 0
    /// Set when the object was deleted through this accessor: it stays so even if the deletion is rolled back.
    var isDeleted = false
    /// As `RealmInstance.epoch` when the accessor was made.
    var epoch: UInt32 = 0

    init() {}

    /// Makes the state of a fresh object that of an accessor, of a row whose place is known or not. `keeper` keeps the
    /// Realm alive.
    mutating func become(
        _ realm: RealmInstance, _ managed: ManagedClass, _ key: ObjectKey, at place: RowPlace?, keptBy keeper: AnyObject
    ) {
        state = realm.state
        self.realm = realm
        self.keeper = keeper
        self.managed = managed
        self.key = key
        bornIn = realm.currentWrite
        epoch = realm.epoch
        guard let place else { return }
        leaf = place.leaf
        leafHeader = place.leafHeader
        row = place.row
        generation = place.generation
    }
}

/// Keeps a Realm alive for many objects.
///
/// The Realm itself is referred to weakly, by which its count of references has moved to a place of its own; to count
/// there takes longer than to make an object.
final class RowKeeper {
    private let realm: RealmInstance

    init(_ realm: RealmInstance) { self.realm = realm }
}
