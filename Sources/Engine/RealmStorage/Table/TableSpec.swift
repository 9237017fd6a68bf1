// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The spec of a table: its columns' types, names, attributes and keys (content 4).
enum TableSpec {
    static func decode(_ ref: Ref, in space: NodeSpace) throws -> [Column] {
        typealias Slot = FileFormat.Spec
        let spec = try space.refs(ref)
        guard spec.count == Slot.count else { throw StorageError.corrupt("a spec of \(spec.count) slots", at: ref) }
        let types = try space.integers(try spec.child(Slot.types))
        let nameNode = try space.node(try spec.child(Slot.names))
        let attributes = try space.integers(try spec.child(Slot.attributes))
        let keys = try space.integers(try spec.child(Slot.keys))
        guard types.count == keys.count, attributes.count == keys.count, nameNode.count <= keys.count,
            keys.count <= FileFormat.leafIndexCount
        else { throw StorageError.corrupt("a spec whose arrays differ in length", at: ref) }
        let names = try NameList.decode(nameNode)
        let enumRef = try spec.child(Slot.enumKeys)
        let enumKeys = enumRef == 0 ? [] : try space.refs(enumRef).byLeafIndex().childRefs()
        return try (0..<keys.count).map { index in
            let key = ColumnKey(UInt64(bitPattern: keys[index]))
            guard key.type != nil, (key.type == .backlink) == (index >= names.count) else {
                throw StorageError.corrupt("a column of unknown type", at: ref)
            }
            return try Column(
                key: key, name: index < names.count ? names[index] : "",
                attributes: ColumnAttributes(rawValue: Int(attributes[index])), typeElement: types[index],
                enumKeys: index < enumKeys.count ? enumKeys[index] : 0)
        }
    }

    /// Frees the spec at `old` (0 for none) and writes the spec of `columns`. Enum key lists stay unchanged.
    static func encode(_ columns: [Column], replacing old: Ref, in store: NodeStore) throws -> Ref {
        typealias Slot = FileFormat.Spec
        try free(old, in: store)
        let named = columns.filter { !$0.isBacklink }
        var slots = [Int64](repeating: 0, count: Slot.count)
        slots[Slot.types] = try store.create(columns.map(\.typeElement)).element
        slots[Slot.names] = try NameList.encode(named.map(\.name), in: store).element
        slots[Slot.attributes] = try store.create(columns.map { Int64($0.attributes.rawValue) }).element
        slots[Slot.keys] = try store.create(columns.map { Int64(bitPattern: $0.key.rawValue) }).element
        if named.contains(where: { $0.enumKeys != 0 }) {
            let enumKeys = named.map(\.enumKeys.element)
            slots[Slot.enumKeys] = try store.create(enumKeys, flags: NodeHeader.Flags.hasRefs).element
        }
        return try store.create(slots, flags: NodeHeader.Flags.hasRefs)
    }

    /// Frees the nodes of a spec (0 for none), except the enum key lists, which belong to the columns.
    static func free(_ ref: Ref, in store: NodeStore) throws {
        guard ref != 0 else { return }
        typealias Slot = FileFormat.Spec
        let spec = try store.node(ref)
        for slot in [Slot.types, Slot.names, Slot.attributes, Slot.enumKeys, Slot.keys] {
            try store.free(try spec.child(slot))
        }
        try store.free(ref)
    }
}
