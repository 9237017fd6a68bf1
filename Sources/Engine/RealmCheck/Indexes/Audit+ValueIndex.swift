// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Value indexes contain every object of their column once, at the path of its value (content 9.4).
extension Audit {
    func checkValueIndex(_ column: Column, _ table: Table, _ index: IndexEntries) {
        var isFound = Array(repeating: false, count: table.live.keys.count)
        var foundCount = 0
        for entry in index.entries {
            var rows: [Int] = []
            for key in index.keys[entry.keys] {
                guard let row = table.live.row(of: key) else {
                    violation(entry.ref, "2:9.4 M34", "index names object \(key), which does not exist")
                    continue
                }
                rows.append(row)
                checkPath(entry, index, column, row, key)
                if isFound[row] {
                    violation(entry.ref, "2:9.4 M34", "index names object \(key) twice")
                } else {
                    isFound[row] = true
                    foundCount += 1
                }
            }
            if entry.isList { checkList(entry, column, table, rows) }
        }
        if foundCount < isFound.count, let row = isFound.firstIndex(of: false) {
            violation(
                column.indexRoot, "2:9.4 M34",
                "\(isFound.count - foundCount) objects are not in the index, first \(table.live.key(row))")
        }
    }

    private func checkPath(
        _ entry: IndexEntries.Entry, _ index: IndexEntries, _ column: Column, _ row: Int, _ key: Int64
    ) {
        let value = column.kept[row]
        let data = AuditedIndexData(value)
        if index.matches(entry, data, self) { return }
        if column.type == .mixed, value.isNumber {
            remnant(entry.ref, "2:13.8 M33", "number of object \(key) is filed under the data of an equal one")
        } else if column.type == .mixed, data.isNone, isLinkPath(index.chunks(entry.path)) {
            remnant(entry.ref, "2:13.18 M34", "object \(key) is filed under a link it no longer holds")
        } else {
            violation(entry.ref, "2:9.4 M33 M34", "object \(key) is filed under the chunks of another value")
        }
    }

    /// Whether the first chunk is the key of a table, as in the index data of a typed link (content 9.1).
    private func isLinkPath(_ chunks: [Int32]) -> Bool {
        guard let first = chunks.first else { return false }
        return tablesByKey[UInt64(UInt32(bitPattern: first).byteSwapped)] != nil
    }

    /// An unresolved link reads as null, and is ordered like null (content 9.1).
    private func filed(_ value: Datum) -> Datum { AuditedIndexData(value).isNone ? .null : value }

    /// Lists are ordered by value, equal values by key, and contain identical index data above the last level.
    private func checkList(_ entry: IndexEntries.Entry, _ column: Column, _ table: Table, _ rows: [Int]) {
        guard let first = rows.first else { return }
        let isLast = entry.levels > Self.lastIndexLevel
        let isNumeric = column.type == .mixed && rows.allSatisfy { column.kept[$0].isNumber }
        let data = AuditedIndexData(column.kept[first])
        if !isLast, !isNumeric, !rows.allSatisfy({ AuditedIndexData(column.kept[$0]).equals(data, self) }) {
            violation(entry.ref, "2:9.4 M33", "list of objects with different index data")
        }
        let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { a, b in
            let values = compare(column.type, filed(column.kept[a]), filed(column.kept[b]))
            return values < 0 || values == 0 && table.live.key(a) < table.live.key(b)
        }
        if isOrdered { return }
        if isLast || isNumeric || era != nil {
            remnant(entry.ref, "2:13.5 M33", "index list is not ordered by value and key")
        } else {
            violation(entry.ref, "2:9.4 M33", "index list is not ordered by value and key")
        }
    }
}
