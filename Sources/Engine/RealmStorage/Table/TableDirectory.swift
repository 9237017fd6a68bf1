// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The tables of a snapshot: names and top arrays by slot (container 5.3, content 2).
struct TableDirectory {
    var names: [String]
    /// The refs of tables' top arrays, or tagged reuse tags of vacant slots.
    var elements: [Int64]

    init(names: [String] = [], elements: [Int64] = []) { (self.names, self.elements) = (names, elements) }

    init(_ top: TopArray, in space: NodeSpace) throws {
        let nameNode = try space.node(try top.child(FileFormat.Top.names))
        let tables = try space.refs(try top.child(FileFormat.Top.tables))
        guard nameNode.count == tables.count, tables.count <= FileFormat.maximumTableCount else {
            throw StorageError.corrupt("table names and tables differ in number", at: top.ref)
        }
        names = try NameList.decode(nameNode)
        elements = tables.elements()
    }

    var count: Int { elements.count }

    /// Returns 0 for a vacant slot, even if it has a name (R13).
    func ref(_ slot: Int) -> Ref {
        slot < elements.count && elements[slot] & 1 == 0 ? Ref(element: elements[slot]) : 0
    }

    /// The first slot of each name. Vacant slots are omitted.
    func slotsByName() -> [ByteText: Int] {
        var slots = [ByteText: Int](minimumCapacity: count)
        for slot in names.indices.reversed() where ref(slot) != 0 { slots[ByteText(names[slot])] = slot }
        return slots
    }
}
