// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Steps from one row of a leaf to the next with one accessor, as long as the caller doesn't retain it.
///
/// This is inlined into the caller's loop. The loop releases the accessor by an atomic operation, which nothing
/// overlaps, so each store and each instruction between two of them is measurable.
@frozen @usableFromInline
@safe struct AccessorStepper {
    @usableFromInline var row = 0
    /// The row before which a step suffices: the accessor is of a row of the same leaf, whose keys have no
    /// gaps.
    @usableFromInline private(set) var end = 0
    /// Like `end`, if the accessor's collections must first be checked for being in use.
    private var askingEnd = 0
    @usableFromInline private(set) var recyclable: RecyclableAccessor?
    @safe @usableFromInline private(set) var state: UnsafeMutablePointer<ReadState>?
    @usableFromInline private(set) var stamp: ChangeStamp<ClusterLeafExtent> = .never

    init() {}

    /// Prepares for the rows before `end` with the accessor created last, valid while the Realm has this stamp.
    mutating func begin(_ factory: AccessorFactory, before end: Int, at stamp: ChangeStamp<ClusterLeafExtent>) {
        recyclable = factory.recyclable
        guard recyclable != nil else { return stop() }
        (self.end, askingEnd) = factory.hasCollections ? (0, end) : (end, 0)
        state = factory.state
        self.stamp = stamp
    }

    mutating func stop() { (end, askingEnd) = (0, 0) }

    /// Returns the accessor, moved to the next row; nil if that needs more than a step.
    @inlinable @inline(__always)
    mutating func next() -> ObjectBase? { next(before: end) { _ in true } }

    /// Returns the accessor, moved to the next row, unless one of these collections is in use.
    @inline(__always)
    mutating func next(unlessUsing collections: [ClassModel.Binding]) -> ObjectBase? {
        next(before: askingEnd) { !$0.isUsing(collections) }
    }

    @inlinable @inline(__always)
    mutating func next(before end: Int, _ mayStep: (ObjectBase) -> Bool) -> ObjectBase? {
        guard row < end, unsafe state.unsafelyUnwrapped.pointee.clock.clusterLeaf == stamp,
            let unused = unsafe recyclable.unsafelyUnwrapped.unused, unsafe unused._withUnsafeGuaranteedRef(mayStep)
        else { return nil }
        unsafe unused._withUnsafeGuaranteedRef { $0._rlmRow.step(to: row) }
        row &+= 1
        return unsafe recyclable.unsafelyUnwrapped.vend()
    }
}
