// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Converts tables in mixed values to lists of dictionaries, because the current format has no such tables.
struct RowNested {
    let converter: RowConverter

    private var reader: RowReader { converter.reader }
    private var store: NodeStore { converter.store }

    /// Converts the rows of a table. `element` refers to its columns. `key` distinguishes the list from its neighbours.
    func rows(_ element: Int64, _ columns: [RowColumn], depth: Int, key: Int64) throws -> StoredValue {
        // Each level of tables becomes two levels of collections.
        guard depth < FileFormat.maximumNestingLevel / 2 else { throw RowReader.endless(Ref(element: element)) }
        guard let table = try RowSubtable(reader, element, columns), !columns.isEmpty else {
            return .list(0, key: key)
        }
        let values = try columns.indices.map { try self.values(of: columns[$0], table.roots[$0], depth) }
        guard values.allSatisfy({ $0.count == values[0].count }) else {
            throw StorageError.corrupt("columns of different lengths; the file is damaged", at: Ref(element: element))
        }
        let names = RowNames.dictionaryKeys(columns.map(\.name))
        let order = columns.indices.ordered { ByteOrder.compare(names[$0], names[$1]) < 0 }
        let list = try values[0].indices.map { row in
            let keys = try BPlusTreeEditor(store, .string).create(order.map { ExactValue.text(names[$0]) })
            let entries = try BPlusTreeEditor(store, .mixed).create(order.map { values[$0][row] })
            let root = try store.create([keys, entries].map(\.element), flags: NodeHeader.Flags.hasRefs)
            return ExactValue.other(.dictionary(root, key: Int64(row + 1)))
        }
        return .list(list.isEmpty ? 0 : try BPlusTreeEditor(store, .mixed).create(list), key: key)
    }

    private func values(of column: RowColumn, _ root: Ref, _ depth: Int) throws -> [ExactValue] {
        switch column.type {
        case .mixed:
            var values: [ExactValue] = []
            var mixed = try RowMixed(converter, root, depth: depth)
            while let value = try mixed.next() { try append(value, to: &values, root) }
            return values
        case .table: return try tables(column, root, depth)
        case .link, .linkList, .backlink: preconditionFailure("the spec of a table in a value has no links")
        default: return try scalars(of: column, root)
        }
    }

    /// Reads values by means of temporary leaves of the current format.
    private func scalars(of column: RowColumn, _ root: Ref) throws -> [ExactValue] {
        let form = RowConverter.Form(isNullable: column.isNullable, capacity: store.treeCapacity)
        let kind = column.leafKind(isNullable: column.isNullable)
        var values: [ExactValue] = []
        for ref in try converter.leaves(of: column, [root], form).leaves {
            let leaf = try ColumnLeaf(store.space, ref, kind)
            for row in 0..<leaf.count { try append(try ExactValue(leaf, row), to: &values, root) }
            try store.freeTree(ref)
        }
        return values
    }

    private func tables(_ column: RowColumn, _ root: Ref, _ depth: Int) throws -> [ExactValue] {
        var values: [ExactValue] = []
        var elements = RowInts(reader, root, holdsRefs: true)
        while let element = try elements.next()?.value {
            let key = Int64(values.count + 1)
            var value = StoredValue.list(0, key: key)
            if let only = column.elements {
                if let list = try RowSubtable(reader, element, [only]) {
                    let elements = try self.values(of: only, list.roots[0], depth + 1)
                    value = .list(try BPlusTreeEditor(store, .mixed).create(elements), key: key)
                }
            } else {
                value = try rows(element, column.subcolumns, depth: depth + 1, key: key)
            }
            try append(.other(value), to: &values, root)
        }
        return values
    }

    private func append(_ value: ExactValue, to values: inout [ExactValue], _ root: Ref) throws {
        try reader.spendRow(at: root)
        values.append(value)
    }
}
