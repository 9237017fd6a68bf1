// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The columns of a table's objects, read once each (content 5.3, 6).
extension Audit {
    private enum Side {
        case live
        case tombstone
    }

    func auditObjects(of table: Table) {
        tableBeingRead = table
        defer { tableBeingRead = nil }
        var tombPrimaries: [(key: Int64, value: Datum)] = []
        for column in table.columns {
            read(column, of: table, table.live, .live)
            for (key, value) in read(column, of: table, table.tombs, .tombstone) {
                if column === table.primary {
                    tombPrimaries.append((key, value))
                } else if column.type != .backlink {
                    checkTombstoneValue(table, column, key, value)
                }
            }
            if column.type != .backlink { checkIndexes(column, of: table) }
            if column.isBroken { markUnsure(column, of: table) }
            column.kept = []
            column.wordEnds = []
        }
        guarded(table.name) { () throws(Damage) in try checkTombstones(of: table, tombPrimaries) }
    }

    private func checkIndexes(_ column: Column, of table: Table) {
        if column.indexRoot != 0 { checkIndex(column, of: table) }
        if column === table.primary, !column.isBroken, hasDuplicates(column) {
            violation(table.ref, "2:9 M32", "\(column.label): primary key values are not distinct")
        }
    }

    private func hasDuplicates(_ column: Column) -> Bool {
        let sorted = column.kept.ordered { compare(column.type, $0, $1) < 0 }
        return zip(sorted, sorted.dropFirst()).contains { compare(column.type, $0, $1) == 0 }
    }

    /// Reads one column of all clusters of `rows`. Returns the single values of tombstones, and .null for each of their
    /// empty collections.
    @discardableResult
    private func read(
        _ column: Column, of table: Table, _ rows: ObjectRows, _ side: Side
    ) -> [(key: Int64, value: Datum)] {
        var found: [(key: Int64, value: Datum)] = []
        for cluster in rows.clusters {
            let isSound = guarded(column.label) { () throws(Damage) in
                let values = try cells(column, of: table, cluster, rows, side)
                if side == .tombstone {
                    for (i, value) in values.enumerated() { found.append((rows.key(cluster.firstRow + i), value)) }
                } else if column.indexRoot != 0 && column.indexKind != .words || column === table.primary {
                    column.kept += values
                }
            }
            if !isSound { column.isBroken = true }
        }
        return found
    }

    private func cells(
        _ column: Column, of table: Table, _ cluster: Cluster, _ rows: ObjectRows, _ side: Side
    ) throws(Damage) -> [Datum] {
        let ref = cluster.slots[1 + column.leafIndex]
        if column.type == .backlink {
            try backlinkCells(column, of: table, ref, cluster, rows)
            return []
        }
        if column.kind != nil { return try collectionCells(column, ref, cluster, rows, side) }
        let count = Rows.exactly(cluster.rowCount)
        switch column.type {
        case .link: return try linkCells(column, ref, cluster, rows, side)
        case .mixed: return try mixedCells(column, ref, cluster, rows, side)
        case .typedLink:
            let values = try leaf(.typedLink, nullable: column.isNullable, ref, count)
            enterLinks(column, values, cluster, rows, side)
            return values
        case .string where column.enumKeys != nil: return try enumeratedCells(column, ref, count)
        default: return try leaf(column.type, nullable: column.isNullable, ref, count)
        }
    }

    /// Elements are the object key + 1 (content 6.12).
    private func linkCells(
        _ column: Column, _ ref: Int64, _ cluster: Cluster, _ rows: ObjectRows, _ side: Side
    ) throws(Damage) -> [Datum] {
        let elements = try intLeaf(ref, .exactly(cluster.rowCount))
        if side == .live {
            for (i, element) in elements.enumerated() where element != 0 {
                let owner = rows.key(cluster.firstRow + i)
                forward(column, owner, table: column.oppositeTable, target: element &- 1)
            }
        }
        return elements.map { $0 == 0 ? .null : .link($0 &- 1) }
    }

    private func mixedCells(
        _ column: Column, _ ref: Int64, _ cluster: Cluster, _ rows: ObjectRows, _ side: Side
    ) throws(Damage) -> [Datum] {
        // In a Mixed column each row is independent (content 6.14).
        var keys = CollectionKeys(isTree: false)
        let found = try mixedLeaf(ref, .exactly(cluster.rowCount), &keys)
        enterLinks(column, found.values, cluster, rows, side)
        for item in found.nested {
            let owner = side == .live ? rows.key(cluster.firstRow + item.row) : nil
            nested.append(NestedCollection(ref: item.ref, isList: item.isList, level: 1, owner: owner))
        }
        try readNested(of: column)
        if !column.isNullable, found.values.contains(where: \.isNull) {
            violation(ref, "2:10.1 M41", "null in a column that is not nullable")
        }
        return found.values
    }

    private func enterLinks(
        _ column: Column, _ values: [Datum], _ cluster: Cluster, _ rows: ObjectRows, _ side: Side
    ) {
        guard side == .live else { return }
        for (i, value) in values.enumerated() {
            if case .typedLink(let table, let target) = value {
                forward(column, rows.key(cluster.firstRow + i), table: table, target: target)
            }
        }
    }

    /// Content 6.6.4.
    private func enumeratedCells(_ column: Column, _ ref: Int64, _ count: Rows) throws(Damage) -> [Datum] {
        let keys = column.enumKeys ?? []
        let numbers = try intLeaf(ref, count)
        guard numbers.allSatisfy({ $0 >= 0 && $0 < keys.count }) else {
            throw Damage(ref, "2:6.6.4", "enumerated string outside its key list")
        }
        let values = numbers.map { keys[Int($0)].isNull ? Datum.null : .string(keys[Int($0)]) }
        if !column.isNullable, values.contains(where: \.isNull) {
            violation(ref, "2:10.1 M41", "null in a column that is not nullable")
        }
        for number in numbers where !column.enumKeyIsText[Int(number)] { reportText(ref) }
        return values
    }

    // MARK: Cells that are refs (content 6.15, 6.16)

    private func refCells(_ ref: Int64, _ cluster: Cluster) throws(Damage) -> [Int64] {
        let node = try expect(ref, "column leaf", Node.refs)
        try require(ref, node.count, .exactly(cluster.rowCount))
        return try ints(node)
    }

    /// Damage is caught per collection, so that a broken one doesn't hide the others.
    private func collectionCells(
        _ column: Column, _ ref: Int64, _ cluster: Cluster, _ rows: ObjectRows, _ side: Side
    ) throws(Damage) -> [Datum] {
        var values: [Datum] = []
        for (i, root) in try refCells(ref, cluster).enumerated() {
            let owner = side == .live ? rows.key(cluster.firstRow + i) : nil
            var count = 0
            let isSound = guarded { () throws(Damage) in count = try collection(column, root, owner: owner) }
            if !isSound {
                column.isBroken = true
                nested.removeAll()
            }
            if column.isWordList, side == .live { column.wordEnds.append(column.kept.count) }
            if side == .tombstone { values.append(count == 0 ? .null : .list) }
        }
        return values
    }

    private func backlinkCells(
        _ column: Column, of table: Table, _ ref: Int64, _ cluster: Cluster, _ rows: ObjectRows
    ) throws(Damage) {
        let origin = backlinkOrigin(column, of: table)
        for (i, cell) in try refCells(ref, cluster).enumerated() where cell != 0 {
            let key = rows.key(cluster.firstRow + i)
            try backlinkCell(cell) { origin.enter(target: key, origin: $0, count: $1, self) }
            if key < 0, let tomb = table.tombs.row(of: key) { table.tombBacklinks[tomb] += 1 }
        }
    }

    /// Reads a cell in any of its three forms (content 6.16).
    private func backlinkCell(_ cell: Int64, each: (Int64, Int) -> Void) throws(Damage) {
        if Tagged.isTagged(cell) { return each(Int64(Tagged.decode(cell)), 1) }
        let isSingleLeaf = !(try node(cell).isInner)
        let count = try readTree(cell, "backlinks") { ref throws(Damage) in
            let node = try expect(ref, "backlinks leaf", Node.plain)
            if node.count > FileFormat.treeNodeCapacity {
                guard isSingleLeaf else { throw Damage(ref, "1:4.4 W9", "backlinks leaf of \(node.count) elements") }
                remnant(ref, "2:13.2 W9", "backlinks of \(node.count) elements in one leaf")
            }
            if node.width < 8 {
                for (key, n) in tally(node).enumerated() where n > 0 { each(Int64(key), n) }
            } else {
                for key in try ints(node) { each(key, 1) }
            }
            return node.count
        }
        if count < 2 { remnant(cell, "2:6.16 M35", "list of \(count) backlinks") }
    }

    /// Counts each value in a node of less than eight bits per element, which may have millions of elements.
    private func tally(_ node: Node) -> [Int] {
        var counts = Array(repeating: 0, count: 16)
        if node.width == 0 { counts[0] = node.count }
        for i in 0..<(node.width == 0 ? 0 : node.count) {
            let bit = i * node.width
            let element = bytes.byte(at: node.payload + bit >> 3) >> UInt8(bit & 7) & UInt8(1 << node.width - 1)
            counts[Int(element)] += 1
        }
        return counts
    }
}
