// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Goes from one row of a leaf to the next with one accessor, as long as the caller does not keep it.
///
/// This is inlined into the caller's loop. The loop lets go of the accessor by an atomic operation, before and after
/// which nothing else goes on, so each store and each instruction between two of them shows.
@frozen @usableFromInline
@safe struct AccessorStepper {
    /// The row that comes next.
    @usableFromInline var row = 0
    /// Before this row, a step is all it takes: the accessor is of a row of the same leaf, whose keys have no gaps.
    @usableFromInline private(set) var end = 0
    /// The same, where the accessor must first be asked whether its collections are in use.
    private var askingEnd = 0
    @usableFromInline private(set) var spare: RecyclableAccessor?
    @safe @usableFromInline private(set) var state: UnsafeMutablePointer<ReadState>?
    @usableFromInline private(set) var stamp: ChangeStamp<ClusterLeafExtent> = .never

    /// Nothing can be stepped to.
    init() {}

    /// Leads to the rows before `end` with the accessor made last, as long as the Realm is at that stamp.
    mutating func begin(_ maker: AccessorFactory, before end: Int, at stamp: ChangeStamp<ClusterLeafExtent>) {
        spare = maker.spare
        guard spare != nil else { return stop() }
        (self.end, askingEnd) = maker.hasCollections ? (0, end) : (end, 0)
        state = maker.state
        self.stamp = stamp
    }

    /// Leads nowhere.
    mutating func stop() { (end, askingEnd) = (0, 0) }

    /// The accessor, of the next row; nil if that needs more than a step.
    @inlinable @inline(__always)
    mutating func next() -> ObjectBase? { next(before: end) { _ in true } }

    /// The same, of an accessor that has these collections.
    @inline(__always)
    mutating func next(unlessUsing collections: [ManagedClass.Binding]) -> ObjectBase? {
        next(before: askingEnd) { !$0.isUsing(collections) }
    }

    @inlinable @inline(__always)
    mutating func next(before end: Int, _ mayStep: (ObjectBase) -> Bool) -> ObjectBase? {
        guard row < end, unsafe state.unsafelyUnwrapped.pointee.clock.clusterLeaf == stamp,
            let unused = unsafe spare.unsafelyUnwrapped.unused, unsafe unused._withUnsafeGuaranteedRef(mayStep)
        else { return nil }
        unsafe unused._withUnsafeGuaranteedRef { $0._rlmRow.step(to: row) }
        row &+= 1
        return unsafe spare.unsafelyUnwrapped.vend()
    }
}
