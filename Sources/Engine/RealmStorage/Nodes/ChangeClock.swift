// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The extent of a change, in ascending order. Each extent includes those before it: if a row may have moved, every
/// value may have changed.
@frozen @usableFromInline package enum ChangeExtent {
    /// A value was written over another, in a column leaf that stays where it is.
    case value
    /// A column leaf may lie elsewhere or have another form; cluster leaves stay, and so does the row of each object.
    case columnLeaf
    /// A cluster leaf became dirty, and lies elsewhere, or got one more object at its end; each object is in the same
    /// row of the same leaf.
    case clusterLeaf
    /// An object may be in another row or another leaf.
    case rows
}

/// The extents as types, so that the type of a cached result names the extent that makes it stale.
@usableFromInline package enum ValueExtent {}
@usableFromInline package enum ColumnLeafExtent {}
@usableFromInline package enum ClusterLeafExtent {}
@usableFromInline package enum RowExtent {}

/// The state of one extent at a moment. A result found at a stamp is valid while the clock shows that stamp.
@frozen @usableFromInline
package struct ChangeStamp<Extent>: Equatable {
    @usableFromInline var count: UInt64

    @inlinable init(count: UInt64) { self.count = count }

    /// The stamp of a clock that has recorded nothing.
    @inlinable package static var first: Self { Self(count: 1) }
    /// A stamp that no clock shows: nothing was found yet. Zero-filled memory holds it.
    @inlinable package static var never: Self { Self(count: 0) }

    @inlinable @inline(__always) package static func == (a: Self, b: Self) -> Bool { a.count == b.count }

    @inlinable @inline(__always) mutating func advance() { count &+= 1 }
}

/// Counts changes by their extent. It alone decides which cached results a change makes stale.
///
/// A write transaction records the effect of each instruction in its clock; a Realm's clock follows that one while its
/// write is in progress, and records `.rows` when it advances to another version. Used from one thread.
@frozen @usableFromInline
package struct ChangeClock {
    @usableFromInline package var value: ChangeStamp<ValueExtent> = .first
    @usableFromInline package var columnLeaf: ChangeStamp<ColumnLeafExtent> = .first
    @usableFromInline package var clusterLeaf: ChangeStamp<ClusterLeafExtent> = .first
    @usableFromInline package var rows: ChangeStamp<RowExtent> = .first

    @inlinable package init() {}

    /// Whether anything was recorded.
    package var hasRecorded: Bool { value != .first }

    @inlinable @inline(__always) package mutating func record(_ extent: ChangeExtent) {
        value.advance()
        if extent == .value { return }
        columnLeaf.advance()
        if extent == .columnLeaf { return }
        clusterLeaf.advance()
        if extent == .rows { rows.advance() }
    }

    /// Records the changes that another clock has recorded between two moments, and that something may have changed.
    @inlinable @inline(__always) package mutating func follow(from earlier: ChangeClock, to later: ChangeClock) {
        if later.clusterLeaf != earlier.clusterLeaf {
            record(later.rows != earlier.rows ? .rows : .clusterLeaf)
        } else {
            record(later.columnLeaf != earlier.columnLeaf ? .columnLeaf : .value)
        }
    }

    /// The number from which collection keys are made (content 6.14). It changes after each record.
    var count: UInt64 { value.count }
}
