// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Table {
    /// Performs step 1 of a commit: writes the changes as dirty nodes and returns the ref of the table's top array. The
    /// table may be changed and encoded again.
    func encode(in store: NodeStore) throws -> Ref {
        guard unsafe !changes.isEmpty else { return ref }
        try flushDeletes()
        contentVersion += 1
        if unsafe changes.contains(.schema) { try encodeSchema(in: store) }
        if unsafe changes.contains(.indexes) {
            let roots = try indexRoots()
            try store.free(indexesRef)
            indexesRef = try store.create(roots.map(\.element), flags: NodeHeader.Flags.hasRefs)
        }
        typealias Slot = FileFormat.Table
        var slots = [Int64](repeating: 0, count: Slot.count)
        slots[Slot.spec] = specRef.element
        slots[Slot.clusters] = clusterRoot.element
        slots[Slot.key] = Tagged.encode(UInt64(key.rawValue))
        slots[Slot.indexes] = indexesRef.element
        slots[Slot.columnKeyCounter] = Tagged.encode(columnKeyCounter)
        slots[Slot.contentVersion] = Tagged.encode(contentVersion)
        slots[Slot.oppositeTables] = oppositeTablesRef.element
        slots[Slot.oppositeColumns] = oppositeColumnsRef.element
        slots[Slot.sequence] = unsafe Tagged.encode(sequence)
        slots[Slot.collisions] = collisionsRef.element
        slots[Slot.primaryKey] = primaryKey.map { Tagged.encode($0.rawValue) } ?? 0
        slots[Slot.flags] = Tagged.encode(flags)
        slots[Slot.tombstones] = tombstoneRoot.element
        try store.free(ref)
        ref = try store.create(slots, flags: NodeHeader.Flags.hasRefs)
        unsafe changes = []
        return ref
    }

    private func encodeSchema(in store: NodeStore) throws {
        specRef = try TableSpec.encode(columns, replacing: specRef, in: store)
        try store.free(oppositeTablesRef)
        oppositeTablesRef = try store.create(oppositeTables.map { Int64($0.rawValue) })
        try store.free(oppositeColumnsRef)
        oppositeColumnsRef = try store.create(oppositeColumns.map { Int64(bitPattern: $0.rawValue) })
    }
}
