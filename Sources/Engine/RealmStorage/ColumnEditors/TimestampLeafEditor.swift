// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of timestamps. A null has 0 nanoseconds.
struct TimestampLeafEditor {
    let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    func create(count: Int, value: Timestamp?) throws -> Ref {
        try TimestampLeaf.check(value)
        let seconds = try OptionalIntLeafEditor(store).create(repeatElement(value?.seconds, count: count))
        let nanoseconds = try store.create(repeatElement(Int64(value?.nanoseconds ?? 0), count: count))
        return try create(seconds, nanoseconds)
    }

    func insert(_ ref: inout Ref, at row: Int, _ value: Timestamp?) throws {
        try TimestampLeaf.check(value)
        _ = try TimestampLeaf(space, space.node(ref))
        try store.updateSlot(&ref, 0) { try OptionalIntLeafEditor(store).insert(&$0, at: row, value?.seconds) }
        try store.updateSlot(&ref, 1) { try store.insert(&$0, row, Int64(value?.nanoseconds ?? 0)) }
    }

    func set(_ ref: inout Ref, at row: Int, _ value: Timestamp?) throws {
        try TimestampLeaf.check(value)
        _ = try TimestampLeaf(space, space.node(ref))
        try store.updateSlot(&ref, 0) { try OptionalIntLeafEditor(store).set(&$0, at: row, value?.seconds) }
        try store.updateSlot(&ref, 1) { try store.set(&$0, row, Int64(value?.nanoseconds ?? 0)) }
    }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        _ = try TimestampLeaf(space, space.node(ref))
        try store.updateSlot(&ref, 0) { try OptionalIntLeafEditor(store).erase(&$0, range) }
        try store.updateSlot(&ref, 1) { try store.remove(&$0, range) }
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        _ = try TimestampLeaf(space, space.node(ref))
        let seconds = try store.updateSlot(&ref, 0) { try OptionalIntLeafEditor(store).moveSuffix(&$0, from: row) }
        let nanoseconds = try store.updateSlot(&ref, 1) { try PackedLeafEditor(store, .int).moveSuffix(&$0, from: row) }
        return try create(seconds, nanoseconds)
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        _ = try TimestampLeaf(space, space.node(ref))
        let rest = try TimestampLeaf(space, space.node(other))
        try store.updateSlot(&ref, 0) {
            try OptionalIntLeafEditor(store).append(&$0, contentsOf: rest.seconds.node.ref)
        }
        try store.updateSlot(&ref, 1) {
            try PackedLeafEditor(store, .int).append(&$0, contentsOf: rest.nanoseconds.ref)
        }
        try store.free(other)
    }

    private func create(_ seconds: Ref, _ nanoseconds: Ref) throws -> Ref {
        try store.create([seconds, nanoseconds].map(\.element), flags: NodeHeader.Flags.hasRefs)
    }
}
