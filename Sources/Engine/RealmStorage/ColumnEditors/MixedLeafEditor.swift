// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes leaves of Mixed (content 6.14).
///
/// Invariant of every function: the descriptors of one payload array have exactly the entry numbers 0 … m-1, each once,
/// where m is the number of its entries. The array of collection keys, if it exists, is as long as the descriptors.
///
/// A `MixedLeaf` is a view of nodes that move when they are changed. A function therefore reads everything it needs
/// from the view before its first change.
struct MixedLeafEditor {
    let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    @inline(__always) var space: NodeSpace { store.space }

    func create(count: Int, value: StoredValue) throws -> Ref {
        // Rows must not share a tree.
        let isNested = try MixedEncoding(value)?.payload == .refs
        precondition(count <= 1 || !isNested)
        let descriptors = try store.create()
        var ref = try store.create(
            [descriptors.element, 0, 0, 0, 0, 0], flags: NodeHeader.Flags.hasRefs)
        for row in 0..<count { try insert(&ref, at: row, value) }
        return ref
    }

    func insert(_ ref: inout Ref, at row: Int, _ value: StoredValue) throws {
        let encoding = try MixedEncoding(value)
        let leaf = try completeLeaf(&ref, withKeys: encoding?.payload == .refs)
        guard row <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        let hasKeys = try leaf.hasKeys
        let descriptor = try encoding.map { try addEntry(&ref, $0) } ?? .null
        try store.updateSlot(&ref, FileFormat.Mixed.descriptors) { try store.insert(&$0, row, descriptor.rawValue) }
        if hasKeys {
            try store.updateSlot(&ref, FileFormat.Mixed.keys) { try store.insert(&$0, row, encoding?.key ?? 0) }
        }
    }

    func set(_ ref: inout Ref, at row: Int, _ value: StoredValue) throws {
        let encoding = try MixedEncoding(value)
        let leaf = try completeLeaf(&ref, withKeys: encoding?.payload == .refs)
        let old = try leaf.descriptor(at: row)
        let hasKeys = try leaf.hasKeys
        let isSameCollection = try old.isCollection && old.type == encoding?.type && leaf.key(at: row) == encoding?.key
        var new = MixedDescriptor.null
        if let encoding, encoding.payload == old.payload, encoding.payload != .inline, old != .null {
            let entry = try checkedEntry(leaf, old)
            if old.isCollection, !isSameCollection { try freeNested(leaf, old, unless: encoding) }
            try setEntry(&ref, entry, encoding)
            new = encoding.descriptor(entry)
        } else {
            try removeEntry(&ref, leaf, old)
            if let encoding { new = try addEntry(&ref, encoding) }
        }
        try store.updateSlot(&ref, FileFormat.Mixed.descriptors) { try store.set(&$0, row, new.rawValue) }
        if hasKeys {
            try store.updateSlot(&ref, FileFormat.Mixed.keys) { try store.set(&$0, row, encoding?.key ?? 0) }
        }
    }

    /// Frees nothing.
    func setRoot(_ ref: inout Ref, at row: Int, _ element: Int64) throws {
        let leaf = try completeLeaf(&ref, withKeys: true)
        let descriptor = try leaf.descriptor(at: row)
        guard descriptor.isCollection else {
            throw StorageError.absent("the value isn't a nested collection")
        }
        let entry = try checkedEntry(leaf, descriptor)
        try store.updateSlot(&ref, FileFormat.Mixed.refs) { try store.set(&$0, entry, element) }
    }

    /// Adds missing slots to the leaf; leaves of older formats have fewer (content 13.3).
    func complete(_ ref: inout Ref) throws { _ = try completeLeaf(&ref, withKeys: false) }

    func erase(_ ref: inout Ref, _ range: Range<Int>) throws {
        let leaf = try completeLeaf(&ref, withKeys: false)
        guard range.upperBound <= leaf.count else { throw ColumnLeaf.noRow(ref) }
        if range.count == leaf.count {
            try store.freeTree(ref)
            ref = try create(count: 0, value: .null)
            return
        }
        // From the end: if rows were appended in order, the last entries needn't be moved.
        for row in range.reversed() {
            let leaf = try MixedLeaf(space, space.node(ref))
            try removeEntry(&ref, leaf, leaf.descriptor(at: row))
            try removeRows(&ref, row..<row + 1)
        }
    }

    func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        let leaf = try completeLeaf(&ref, withKeys: false)
        let count = leaf.count
        guard row <= count else { throw ColumnLeaf.noRow(ref) }
        var suffix = try create(count: 0, value: .null)
        if try !leaf.hasKeys && leaf.isInline(row..<count) {
            let moved = (row..<count).map { leaf.descriptors[$0] }
            try store.updateSlot(&suffix, FileFormat.Mixed.descriptors) { try store.insert(&$0, 0, contentsOf: moved) }
            try store.updateSlot(&ref, FileFormat.Mixed.descriptors) { try store.truncate(&$0, to: row) }
            return suffix
        }
        try moveRows(&ref, row..<count, to: &suffix)
        try erase(&ref, row..<count)
        return suffix
    }

    func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        var other = other
        _ = try completeLeaf(&ref, withKeys: false)
        let count = try completeLeaf(&other, withKeys: false).count
        try moveRows(&other, 0..<count, to: &ref)
        try store.freeTree(other)
    }

    // MARK: Rows

    /// An array of collection keys, if it exists or `withKeys` requires it, has full length.
    private func completeLeaf(_ ref: inout Ref, withKeys: Bool) throws -> MixedLeaf {
        let before = try MixedLeaf(space, space.node(ref))
        if try before.hasAllSlots && !withKeys && !before.hasKeys { return before }
        for _ in before.root.count..<FileFormat.Mixed.count { try store.append(&ref, 0) }
        let leaf = try MixedLeaf(space, space.node(ref))
        let keys = try leaf.slot(FileFormat.Mixed.keys)
        if keys == 0, withKeys {
            try store.set(&ref, FileFormat.Mixed.keys, child(store.create(count: leaf.count)))
        } else if keys != 0, try space.node(keys).plain().count != leaf.count {
            try store.updateSlot(&ref, FileFormat.Mixed.keys) {
                try store.truncate(&$0, to: leaf.count)
                while try space.node($0).count < leaf.count { try store.append(&$0, 0) }
            }
        }
        return try MixedLeaf(space, space.node(ref))
    }

    private func removeRows(_ ref: inout Ref, _ range: Range<Int>) throws {
        try store.updateSlot(&ref, FileFormat.Mixed.descriptors) { try store.remove(&$0, range) }
        guard try MixedLeaf(space, space.node(ref)).hasKeys else { return }
        try store.updateSlot(&ref, FileFormat.Mixed.keys) { try store.remove(&$0, range) }
    }

    /// The ownership of the rows' nodes moves; the caller erases the remaining rows.
    private func moveRows(_ source: inout Ref, _ range: Range<Int>, to target: inout Ref) throws {
        let needsKeys = try MixedLeaf(space, space.node(source)).hasKeys
        let hasKeys = try completeLeaf(&target, withKeys: needsKeys).hasKeys
        for row in range {
            let leaf = try MixedLeaf(space, space.node(source))
            let key = try leaf.key(at: row)
            let descriptor = try moveEntry(&source, leaf, leaf.descriptor(at: row), to: &target)
            try store.updateSlot(&target, FileFormat.Mixed.descriptors) { try store.append(&$0, descriptor.rawValue) }
            if hasKeys { try store.updateSlot(&target, FileFormat.Mixed.keys) { try store.append(&$0, key) } }
        }
    }

    private func moveEntry(
        _ source: inout Ref, _ leaf: MixedLeaf, _ descriptor: MixedDescriptor, to target: inout Ref
    ) throws -> MixedDescriptor {
        guard descriptor != .null, descriptor.payload != .inline else { return descriptor }
        guard let payload = descriptor.payload else { throw leaf.damaged() }
        let entry = try checkedEntry(leaf, descriptor)
        try ensurePayload(&target, payload)
        let new = try entryCount(MixedLeaf(space, space.node(target)), payload)
        switch payload {
        case .inline: break
        case .ints: try addNumbers(&target, payload, [leaf.int(descriptor)])
        case .pairs:
            let pair = try leaf.pair(descriptor)
            try addNumbers(&target, payload, [pair.0, pair.1])
        case .strings:
            try store.updateSlot(&target, payload.slot) { strings in
                try store.updateSlot(&source, payload.slot) {
                    try BytesLeafEditor(store, .string).take(from: &$0, entry, to: &strings)
                }
            }
        case .refs:
            try addNumbers(&target, payload, [child(leaf.tree(descriptor))])
            try store.updateSlot(&source, payload.slot) { try store.set(&$0, entry, 0) }
        }
        return descriptor.moved(to: new)
    }

    // MARK: Entries

    private func addEntry(_ ref: inout Ref, _ encoding: MixedEncoding) throws -> MixedDescriptor {
        if encoding.payload == .inline { return encoding.descriptor(0) }
        try ensurePayload(&ref, encoding.payload)
        let entry = try entryCount(MixedLeaf(space, space.node(ref)), encoding.payload)
        switch encoding.content {
        case .inline: break
        case .int(let number): try addNumbers(&ref, .ints, [number])
        case .pair(let first, let second): try addNumbers(&ref, .pairs, [first, second])
        case .tree(let root, _): try addNumbers(&ref, .refs, [child(root)])
        case .bytes:
            try store.updateSlot(&ref, FileFormat.Mixed.strings) { strings in
                unsafe try encoding.withBytes {
                    try unsafe BytesLeafEditor(store, .string).insert(&strings, at: entry, $0)
                }
            }
        }
        return encoding.descriptor(entry)
    }

    private func addNumbers(_ ref: inout Ref, _ payload: MixedDescriptor.Payload, _ numbers: [Int64]) throws {
        try store.updateSlot(&ref, payload.slot) { for number in numbers { try store.append(&$0, number) } }
    }

    private func setEntry(_ ref: inout Ref, _ entry: Int, _ encoding: MixedEncoding) throws {
        try store.updateSlot(&ref, encoding.payload.slot) { payload in
            switch encoding.content {
            case .inline: break
            case .int(let number): try store.set(&payload, entry, number)
            case .pair(let first, let second):
                try store.set(&payload, 2 * entry, first)
                try store.set(&payload, 2 * entry + 1, second)
            case .tree(let root, _): try store.set(&payload, entry, child(root))
            case .bytes:
                unsafe try encoding.withBytes {
                    try unsafe BytesLeafEditor(store, .string).set(&payload, at: entry, $0)
                }
            }
        }
    }

    /// The array's last entry moves to the index of the removed one.
    private func removeEntry(_ ref: inout Ref, _ leaf: MixedLeaf, _ descriptor: MixedDescriptor) throws {
        guard descriptor != .null, descriptor.payload != .inline else { return }
        guard let payload = descriptor.payload else { throw leaf.damaged() }
        let entry = try checkedEntry(leaf, descriptor)
        let last = try entryCount(leaf, payload) - 1
        if payload == .refs { try store.freeTree(leaf.tree(descriptor)) }
        if entry < last { try patchDescriptor(&ref, leaf, payload, from: last, to: entry) }
        try store.updateSlot(&ref, payload.slot) { array in
            if payload == .strings { return try BytesLeafEditor(store, .string).replaceByLast(&array, at: entry) }
            let size = payload == .pairs ? 2 : 1
            for index in 0..<size where entry < last {
                try store.set(&array, size * entry + index, try space.integers(array).element(size * last + index))
            }
            try store.remove(&array, size * last..<size * (last + 1))
        }
    }

    private func patchDescriptor(
        _ ref: inout Ref, _ leaf: MixedLeaf, _ payload: MixedDescriptor.Payload, from last: Int, to entry: Int
    ) throws {
        let row = (0..<leaf.count).first {
            let descriptor = MixedDescriptor(rawValue: leaf.descriptors[$0])
            return descriptor.payload == payload && descriptor.number == Int64(last)
        }
        guard let row else { throw leaf.damaged() }
        let moved = MixedDescriptor(rawValue: leaf.descriptors[row]).moved(to: entry)
        try store.updateSlot(&ref, FileFormat.Mixed.descriptors) { try store.set(&$0, row, moved.rawValue) }
    }

    private func freeNested(_ leaf: MixedLeaf, _ old: MixedDescriptor, unless new: MixedEncoding) throws {
        let root = try leaf.tree(old)
        if case .tree(let kept, _) = new.content, kept == root { return }
        try store.freeTree(root)
    }

    private func ensurePayload(_ ref: inout Ref, _ payload: MixedDescriptor.Payload) throws {
        guard try space.refs(ref).child(payload.slot) == 0 else { return }
        let array: Ref
        switch payload {
        case .inline: return
        case .ints, .pairs: array = try store.create()
        case .strings: array = try unsafe BytesLeafEditor(store, .string).create(count: 0, value: nil)
        case .refs: array = try store.create(flags: NodeHeader.Flags.hasRefs)
        }
        try store.set(&ref, payload.slot, child(array))
    }

    private func entryCount(_ leaf: MixedLeaf, _ payload: MixedDescriptor.Payload) throws -> Int {
        let ref = try leaf.slot(payload.slot)
        switch payload {
        case .inline: return 0
        case .ints: return try space.node(ref).plain().count
        case .pairs: return try space.node(ref).plain().count / 2
        case .strings: return try BytesLeaf(space, ref, .string).count
        case .refs: return try space.refs(ref).count
        }
    }

    private func checkedEntry(_ leaf: MixedLeaf, _ descriptor: MixedDescriptor) throws -> Int {
        guard let payload = descriptor.payload else { throw leaf.damaged() }
        let entry = try descriptor.entry(leaf.root)
        guard entry < (try entryCount(leaf, payload)) else { throw leaf.damaged() }
        return entry
    }

    private func child(_ ref: Ref) -> Int64 { ref.element }
}
