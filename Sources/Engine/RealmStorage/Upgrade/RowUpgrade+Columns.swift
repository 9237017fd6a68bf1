// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RowUpgrade {
    /// Converts all columns of a table to leaves. Links are recorded in their targets' `RowLinks`.
    func convert(_ table: RowTable) throws -> [[Ref]] {
        converter.progress.begin(table.name, rowCount: table.rowCount, columnCount: table.columns.count)
        let leaves = try table.columns.indices.map { index in
            let (leaves, count) = try convert(index, of: table)
            guard count == table.rowCount else {
                throw StorageError(
                    .invalidDatabase,
                    "'\(table.name)' has \(table.rowCount) rows, and its column '\(table.columns[index].name)' "
                        + "\(count) values; the file is damaged")
            }
            return leaves
        }
        converter.progress.end()
        return leaves
    }

    private func convert(_ index: Int, of table: RowTable) throws -> RowConverter.Made {
        let column = table.columns[index]
        let roots = table.roots[index]
        var form = RowConverter.Form(isNullable: column.isNullable, capacity: capacity)
        if let links = table.links[index] {
            if let subtables = table.subtables[index] { return try embedded(subtables, links) }
            if column.type == .link { return try self.links(links, roots, form) }
            return try lists(roots) { row, element in element == 0 ? 0 : try self.linkList(element, from: row, links) }
        }
        if let elements = column.elements {
            return try lists(roots) { [converter] _, element in try converter.list(element, of: elements, in: column) }
        }
        form.enumKeys = try converter.enumKeys(of: column)
        table.enumKeys[index] = form.enumKeys
        return try converter.leaves(of: column, roots, form)
    }

    /// Converts a column of links. An element is the row plus one in both formats.
    private func links(_ links: RowLinks, _ roots: [Ref], _ form: RowConverter.Form) throws -> RowConverter.Made {
        var row = 0
        return try converter.integers(roots, form) { element, _ in
            defer { row += 1 }
            if element != 0 { links.add(from: row, to: try links.requireRow(element &- 1)) }
            return element
        }
    }

    /// Converts a column of lists. `list` converts each element of the file.
    private func lists(_ roots: [Ref], _ list: (Int, Int64) throws -> Ref) throws -> RowConverter.Made {
        var made = collectionGatherer()
        for root in roots {
            var elements = RowInts(reader, root, holdsRefs: true)
            while let element = try elements.next()?.value { try made.append(try list(made.count, element).element) }
        }
        return (try made.finish(), made.count)
    }

    private func collectionGatherer() -> RowGatherer<Int64> {
        RowGatherer(capacity: capacity) { [store, converter] elements in
            converter.progress.advance(by: elements.count)
            return try ColumnLeafBuilder(store).integers(elements, flags: NodeHeader.Flags.hasRefs)
        }
    }

    private func linkList(_ element: Int64, from row: Int, _ links: RowLinks) throws -> Ref {
        let form = RowConverter.Form(isNullable: false, capacity: store.treeCapacity)
        return try converter.list(
            try converter.integers([Ref(element: element)], form) { target, _ in
                links.add(from: row, to: try links.requireRow(target))
                return target
            })
    }

    /// Converts the tables in a column's rows to lists of embedded objects. Those of one row are consecutive.
    private func embedded(_ subtables: RowSubtables, _ links: RowLinks) throws -> RowConverter.Made {
        var made = collectionGatherer()
        var end = 0
        for (row, count) in subtables.counts {
            while made.count < row { try made.append(0) }
            var leaves = RowGatherer<Int64>(capacity: store.treeCapacity) { [store] in
                try ColumnLeafBuilder(store).integers($0)
            }
            for key in end..<end + count {
                links.add(from: row, to: key)
                try leaves.append(Int64(key))
            }
            try made.append(try converter.list((try leaves.finish(), count)).element)
            end += count
        }
        while made.count < subtables.rowCount { try made.append(0) }
        return (try made.finish(), made.count)
    }
}
