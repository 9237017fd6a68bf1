// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reading a leaf of timestamps: nullable seconds and, beside them, nanoseconds (content 6.8).
struct TimestampLeaf {
    let seconds: OptionalIntLeaf
    let nanoseconds: Node

    init(_ space: NodeSpace, _ root: Node) throws {
        guard root.isTimestampLeaf else { throw ColumnLeaf.wrongNode(root.ref) }
        seconds = try OptionalIntLeaf(space.node(root.child(0)))
        nanoseconds = try space.node(root.child(1)).plain()
        guard seconds.count == nanoseconds.count else { throw ColumnLeaf.wrongNode(root.ref) }
    }

    var count: Int { seconds.count }

    func value(at row: Int) throws -> Timestamp? {
        guard let value = try seconds.value(at: row) else { return nil }
        guard let fraction = Int32(exactly: nanoseconds[row]) else {
            throw StorageError.corrupt("an impossible date; the file is damaged", at: nanoseconds.ref)
        }
        return Timestamp(seconds: value, nanoseconds: fraction)
    }
}

/// Writing leaves of timestamps. A null has 0 nanoseconds.
extension NodeStore {
    func createTimestamps(count: Int, value: Timestamp?) throws -> Ref {
        try TimestampLeaf.check(value)
        let seconds = try createOptionalInts(repeatElement(value?.seconds, count: count))
        let nanoseconds = try create(repeatElement(Int64(value?.nanoseconds ?? 0), count: count))
        return try createTimestamps(seconds, nanoseconds)
    }

    func timestampInsert(_ ref: inout Ref, at row: Int, _ value: Timestamp?) throws {
        try TimestampLeaf.check(value)
        _ = try TimestampLeaf(space, space.node(ref))
        try updateSlot(&ref, 0) { try optionalIntInsert(&$0, at: row, value?.seconds) }
        try updateSlot(&ref, 1) { try insert(&$0, row, Int64(value?.nanoseconds ?? 0)) }
    }

    func timestampSet(_ ref: inout Ref, at row: Int, _ value: Timestamp?) throws {
        try TimestampLeaf.check(value)
        _ = try TimestampLeaf(space, space.node(ref))
        try updateSlot(&ref, 0) { try optionalIntSet(&$0, at: row, value?.seconds) }
        try updateSlot(&ref, 1) { try set(&$0, row, Int64(value?.nanoseconds ?? 0)) }
    }

    func timestampErase(_ ref: inout Ref, _ range: Range<Int>) throws {
        _ = try TimestampLeaf(space, space.node(ref))
        try updateSlot(&ref, 0) { try optionalIntErase(&$0, range) }
        try updateSlot(&ref, 1) { try remove(&$0, range) }
    }

    func timestampMoveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        _ = try TimestampLeaf(space, space.node(ref))
        let seconds = try updateSlot(&ref, 0) { try optionalIntMoveSuffix(&$0, from: row) }
        let nanoseconds = try updateSlot(&ref, 1) { try packedMoveSuffix(&$0, .int, from: row) }
        return try createTimestamps(seconds, nanoseconds)
    }

    func timestampAppend(_ ref: inout Ref, contentsOf other: Ref) throws {
        _ = try TimestampLeaf(space, space.node(ref))
        let rest = try TimestampLeaf(space, space.node(other))
        try updateSlot(&ref, 0) { try optionalIntAppend(&$0, contentsOf: rest.seconds.node.ref) }
        try updateSlot(&ref, 1) { try packedAppend(&$0, .int, contentsOf: rest.nanoseconds.ref) }
        try free(other)
    }

    private func createTimestamps(_ seconds: Ref, _ nanoseconds: Ref) throws -> Ref {
        try create([seconds, nanoseconds].map(\.element), flags: NodeHeader.Flags.hasRefs)
    }
}

extension TimestampLeaf {
    static func check(_ value: Timestamp?) throws {
        guard value?.isValid ?? true else {
            throw StorageError(.invalidArgument, "a date whose nanoseconds are out of range or of the wrong sign")
        }
    }
}
