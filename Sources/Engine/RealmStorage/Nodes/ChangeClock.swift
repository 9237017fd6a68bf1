// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The extent of a change, in ascending order. Each extent includes those before it: if a row may have moved, every
/// value may have changed.
@frozen @usableFromInline package enum ChangeExtent {
    /// A value was overwritten in a column leaf, which didn't move.
    case value
    /// A column leaf may have moved or changed its form. Cluster leaves and the rows of objects are unchanged.
    case columnLeaf
    /// A cluster leaf became dirty and moved, or an object was appended to it. Each other object is in the same row of
    /// the same leaf.
    case clusterLeaf
    /// An object may have moved to another row or another leaf.
    case rows
}

/// The extents as types, so the type of a cached result names the extent that invalidates it.
@usableFromInline package enum ValueExtent {}
@usableFromInline package enum ColumnLeafExtent {}
@usableFromInline package enum ClusterLeafExtent {}
@usableFromInline package enum RowExtent {}

/// The state of one extent at one time. A result with a stamp is valid while the clock has the same stamp.
@frozen @usableFromInline
package struct ChangeStamp<Extent>: Equatable {
    @usableFromInline var count: UInt64

    @inlinable init(count: UInt64) { self.count = count }

    @inlinable package static var first: Self { Self(count: 1) }
    /// A stamp that no clock has, for results not found yet. Equals zero-filled memory.
    @inlinable package static var never: Self { Self(count: 0) }

    @inlinable @inline(__always) package static func == (a: Self, b: Self) -> Bool { a.count == b.count }

    @inlinable @inline(__always) mutating func advance() { count &+= 1 }
}

/// Counts changes by their extent. Only the clock determines which cached results a change invalidates.
///
/// A write transaction records the effect of each instruction in its clock. A Realm's clock follows that one during its
/// write, and records `.rows` when the Realm advances to another version. Used from one thread.
@frozen @usableFromInline
package struct ChangeClock {
    @usableFromInline package var value: ChangeStamp<ValueExtent> = .first
    @usableFromInline package var columnLeaf: ChangeStamp<ColumnLeafExtent> = .first
    @usableFromInline package var clusterLeaf: ChangeStamp<ClusterLeafExtent> = .first
    @usableFromInline package var rows: ChangeStamp<RowExtent> = .first

    @inlinable package init() {}

    package var hasRecorded: Bool { value != .first }

    @inlinable @inline(__always) package mutating func record(_ extent: ChangeExtent) {
        value.advance()
        if extent == .value { return }
        columnLeaf.advance()
        if extent == .columnLeaf { return }
        clusterLeaf.advance()
        if extent == .rows { rows.advance() }
    }

    /// Records the changes that another clock recorded between two states. At least a value may have changed.
    @inlinable @inline(__always) package mutating func follow(from earlier: ChangeClock, to later: ChangeClock) {
        if later.clusterLeaf != earlier.clusterLeaf {
            record(later.rows != earlier.rows ? .rows : .clusterLeaf)
        } else {
            record(later.columnLeaf != earlier.columnLeaf ? .columnLeaf : .value)
        }
    }

    /// The number from which collection keys are derived (content 6.14). It changes after each record.
    var count: UInt64 { value.count }
}
