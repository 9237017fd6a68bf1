// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Goes from one row of a leaf to the next with one accessor, as long as nobody keeps it.
///
/// This is inlined into the loop of whoever iterates. The loop lets go of the accessor by an atomic operation, before
/// and after which nothing else goes on, so each store and each instruction between two of them shows.
@frozen @usableFromInline
struct AccessorStep {
    /// The row that comes next.
    @usableFromInline var row = 0
    /// Before this row, a step is all it takes: the accessor is of a row of the same leaf, whose keys have no gaps.
    @usableFromInline private(set) var end = 0
    @usableFromInline private(set) var spare: SpareObject?
    @usableFromInline private(set) var state: UnsafeMutablePointer<ReadState>?
    @usableFromInline private(set) var generation: UInt64 = 0

    /// Nothing can be stepped to.
    init() {}

    /// Has `next` lead to the rows before `end`, as long as the Realm is in that generation; nowhere, without an
    /// accessor.
    mutating func begin(
        _ spare: SpareObject?, before end: Int, _ state: UnsafeMutablePointer<ReadState>, at generation: UInt64
    ) {
        self.spare = spare
        self.end = spare == nil ? 0 : end
        self.state = state
        self.generation = generation
    }

    /// Has `next` lead nowhere.
    mutating func stop() { end = 0 }

    /// The accessor, of the next row; nil if that needs more than a step.
    @inlinable @inline(__always)
    mutating func next() -> ObjectBase? {
        guard row < end, state.unsafelyUnwrapped.pointee.generation == generation,
            let unused = spare.unsafelyUnwrapped.unused
        else { return nil }
        unused._withUnsafeGuaranteedRef { $0._rlmRow.step(to: row) }
        row &+= 1
        return spare.unsafelyUnwrapped.handOut()
    }
}
