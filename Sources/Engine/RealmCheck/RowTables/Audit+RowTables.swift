// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Tables of formats 2 to 9, which have columns of rows (older 2, 3).
extension Audit {
    /// A table, or the common part of the rows of a column of tables.
    final class RowTable {
        let name: String
        let columns: [RowColumn]
        /// The number of rows, according to the columns; -1 before the first is read.
        var rowCount = -1
        /// The number of columns and search indexes in the array of columns.
        let elementCount: Int

        init(_ name: String, _ columns: [RowColumn], elementCount: Int) {
            self.name = name
            self.columns = columns
            self.elementCount = elementCount
        }
    }

    final class RowColumn {
        let name: String
        let type: RowType
        let attributes: ColumnAttributes
        let position: Int
        /// The target of links, or the origin of backlinks.
        var table = -1
        /// The column whose links a column of backlinks records.
        var originColumn = -1
        var rows: RowTable?
        var keyCount = 0
        var links: [LinkBook.Entry] = []

        init(_ name: String, _ type: RowType, _ attributes: ColumnAttributes, _ position: Int) {
            self.name = name
            self.type = type
            self.attributes = attributes
            self.position = position
        }

        var isNullable: Bool { attributes.contains(.nullable) }
    }

    func auditRowTables() throws(Damage) {
        let refs = try refArray(top.tables, "tables", limit: FileFormat.maximumTableCount)
        let names = try shortStrings(top.names, .exactly(refs.count), areNames: true)
        var tables: [RowTable?] = []
        var taken: Set<ByteText> = []
        for (number, ref) in refs.enumerated() {
            let name = String(decoding: array(names[number]), as: UTF8.self)
            if name.isEmpty || name.utf8.count > FileFormat.maximumNameByteCount || !isUTF8(names[number])
                || !taken.insert(ByteText(name)).inserted
            {
                violation(top.names, "3:2.3", "name of table \(number): \(name)")
            }
            var table: RowTable?
            guarded(name) { () throws(Damage) in
                guard isRef(ref) else { throw Damage(top.tables, "3:2.3", "table \(number) is \(ref)") }
                table = try readRowTable(name, ref)
                if name == FileFormat.metadataTable { table.map { checkSchemaVersion($0, ref) } }
            }
            tables.append(table)
        }
        for table in tables { table.map { checkRowLinks(of: $0, tables) } }
    }

    private func readRowTable(_ name: String, _ ref: Int64) throws(Damage) -> RowTable {
        let slots = try refArray(ref, "table", limit: FileFormat.Table.count)
        guard slots.count == RowFormat.Table.count, isRef(slots[0]), isRef(slots[1]) else {
            throw Damage(ref, "3:2.4", "table of \(slots.count) slots: an upgrade was begun and not finished")
        }
        let table = try readRowSpec(slots[RowFormat.Table.spec], name, depth: 0)
        try readRows(of: table, slots[RowFormat.Table.columns], depth: 0)
        report.statistics.tableCount += 1
        report.statistics.objectCount += max(table.rowCount, 0)
        return table
    }

    /// The table `metadata` contains the schema version (older 9).
    private func checkSchemaVersion(_ table: RowTable, _ ref: Int64) {
        guard !table.columns.isEmpty else { return }
        let column = table.columns.first { $0.name == "version" }
        if column?.type != .int { return violation(ref, "3:9", "table metadata without an Int column version") }
        if column?.isNullable == true { violation(ref, "3:9", "schema version that is not an integer") }
    }

    // MARK: Specs (older 3)

    func readRowSpec(_ ref: Int64, _ name: String, depth: Int) throws(Damage) -> RowTable {
        typealias Slot = RowFormat.Spec
        if depth > RowFormat.maximumDepth { throw Damage(ref, "3:11.1", "subspecs nested without end") }
        let slots = try refArray(ref, "spec", limit: Slot.legalCounts.upperBound)
        guard Slot.legalCounts.contains(slots.count) else { throw Damage(ref, "3:3", "spec of \(slots.count) slots") }
        let types = try intArray(slots[Slot.types], "spec", limit: FileFormat.leafIndexCount)
        let names = try shortStrings(slots[Slot.names], .upTo(types.count), areNames: true)
        let attributes = try intArray(slots[Slot.attributes], "spec", limit: FileFormat.leafIndexCount)
        guard attributes.count == types.count else {
            throw Damage(ref, "3:3", "\(types.count) types, \(attributes.count) attributes")
        }
        var subspecs = try optionalArray(slots, Slot.subspecs)[...]
        var enumKeys = try optionalArray(slots, Slot.enumKeys)[...]
        var columns: [RowColumn] = []
        var position = 0
        for (index, code) in types.enumerated() {
            guard let type = RowType(rawValue: code), (type == .backlink) == (index >= names.count),
                depth == 0 || !type.isLink
            else { throw Damage(ref, "3:3", "column \(index) of type \(code)") }
            let flags = ColumnAttributes(rawValue: Int(attributes[index]))
            let text = index < names.count ? String(decoding: array(names[index]), as: UTF8.self) : ""
            let column = RowColumn(text, type, flags, position)
            try readSubspecs(of: column, &subspecs, &enumKeys, ref, depth)
            columns.append(column)
            position += flags.contains(.indexed) ? 2 : 1
        }
        if !subspecs.isEmpty || !enumKeys.isEmpty {
            violation(ref, "3:3", "\(subspecs.count) subspecs and \(enumKeys.count) lists of strings too many")
        }
        return RowTable(name, columns, elementCount: position)
    }

    private func optionalArray(_ slots: [Int64], _ slot: Int) throws(Damage) -> [Int64] {
        guard slot < slots.count, slots[slot] != 0 else { return [] }
        return try refArray(slots[slot], "spec", limit: 2 * FileFormat.leafIndexCount)
    }

    private func readSubspecs(
        of column: RowColumn, _ subspecs: inout ArraySlice<Int64>, _ enumKeys: inout ArraySlice<Int64>, _ ref: Int64,
        _ depth: Int
    ) throws(Damage) {
        guard subspecs.count >= column.type.subspecCount else { throw Damage(ref, "3:3", "too few subspecs") }
        switch column.type {
        case .table:
            column.rows = try readRowSpec(subspecs.removeFirst(), column.name, depth: depth + 1)
        case .link, .linkList:
            column.table = Int(clamping: try tagged(subspecs.removeFirst(), ref, 3, orZero: false))
        case .backlink:
            column.table = Int(clamping: try tagged(subspecs.removeFirst(), ref, 3, orZero: false))
            column.originColumn = Int(clamping: try tagged(subspecs.removeFirst(), ref, 3, orZero: false))
        case .enumerated:
            guard let keys = enumKeys.popFirst(), isRef(keys) else {
                throw Damage(ref, "3:3", "no list of the strings of column \(column.name)")
            }
            column.keyCount = try readTree(keys, "strings") { ref throws(Damage) in
                try rowStrings(ref, .treeLeaf).count
            }
        default: break
        }
    }

    // MARK: Links (older 6)

    /// Each link leads to a row, and has its backlink if the target has a column for them.
    private func checkRowLinks(of table: RowTable, _ tables: [RowTable?]) {
        for (number, column) in table.columns.enumerated() {
            place = table.name + "." + column.name
            defer { place = "" }
            switch column.type {
            case .link, .linkList:
                report.statistics.linkCount += column.links.count
                guard tables.indices.contains(column.table) else {
                    violation(top.tables, "3:6", "links to table \(column.table), which is not there")
                    continue
                }
                guard let target = tables[column.table] else { continue }
                if let stray = column.links.first(where: { !(0..<Int64(target.rowCount) ~= $0.target) }) {
                    violation(
                        top.tables, "3:6", "row \(stray.origin) links to row \(stray.target) of \(target.rowCount)")
                }
                compare(column, number, of: table, tables, with: target)
            case .backlink:
                let origin = tables.indices.contains(column.table) ? tables[column.table] : nil
                if let origin, !origin.columns.indices.contains(column.originColumn) {
                    violation(top.tables, "3:5.8", "backlinks of column \(column.originColumn), which is not there")
                }
            default: break
            }
        }
    }

    private func compare(
        _ column: RowColumn, _ number: Int, of table: RowTable, _ tables: [RowTable?], with target: RowTable
    ) {
        let back = target.columns.first {
            $0.type == .backlink && $0.originColumn == number && tables.indices.contains($0.table)
                && tables[$0.table] === table
        }
        guard let back else { return violation(top.tables, "3:5.8", "links without a column of backlinks") }
        let (links, backlinks) = (LinkBook.summed(column.links), LinkBook.summed(back.links))
        let isEqual = links.elementsEqual(backlinks) {
            $0.target == $1.target && $0.origin == $1.origin && $0.count == $1.count
        }
        if !isEqual { violation(top.tables, "3:5.8", "backlinks are not those of the links") }
    }
}
