// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The spec and the arrays by leaf index, which define the columns of a table (content 3.1, 4).
extension Audit {
    private static let columnLimit = 65_536

    func readSpec(of table: Table) throws(Damage) {
        let ref = table.top[FileFormat.Table.spec]
        let slots = try refArray(ref, "spec", limit: FileFormat.Spec.count)
        guard slots.count == FileFormat.Spec.count, slots[3] == 0, slots[4] & 1 == 0,
            [0, 1, 2, 5].allSatisfy({ isRef(slots[$0]) })
        else { throw Damage(ref, "2:4 M23", "spec with slots \(slots)") }
        let keys = try intArray(slots[FileFormat.Spec.keys], "column keys", limit: Self.columnLimit)
        let types = try intArray(slots[FileFormat.Spec.types], "column types", limit: Self.columnLimit)
        let attributes = try intArray(slots[FileFormat.Spec.attributes], "column attributes", limit: Self.columnLimit)
        guard types.count == keys.count, attributes.count == keys.count else {
            throw Damage(
                ref, "2:4", "spec of \(types.count) types, \(attributes.count) attributes, \(keys.count) keys")
        }
        let backlinkCode = Int64(ColumnType.backlink.rawValue)
        let publicCount = keys.count { $0 >> 16 & 0x3F != backlinkCode }
        let nameCount = try node(slots[FileFormat.Spec.names]).count
        guard nameCount == publicCount else {
            throw Damage(ref, "2:4 M25", "\(nameCount) names for \(publicCount) public columns")
        }
        let names = try shortStrings(slots[FileFormat.Spec.names], .exactly(publicCount), areNames: true)
        for (i, key) in keys.enumerated() {
            let name = i < names.count ? String(decoding: array(names[i]), as: UTF8.self) : nil
            table.columns.append(try makeColumn(table, UInt64(bitPattern: key), attributes[i], name))
        }
        checkTypes(table, slots[FileFormat.Spec.types], types)
        checkNames(slots[FileFormat.Spec.names], names)
        if slots[FileFormat.Spec.enumKeys] != 0 {
            try readEnumKeys(table, slots[FileFormat.Spec.enumKeys], publicCount: publicCount)
        }
    }

    private func makeColumn(
        _ table: Table, _ rawKey: UInt64, _ attributes: Int64, _ name: String?
    ) throws(Damage) -> Column {
        if rawKey >> 62 != 0 { throw Damage(table.ref, "2:1.2", "column key \(hex(rawKey)) of more than 62 bits") }
        let key = ColumnKey(rawKey)
        guard var type = key.type, ![.list, .set, .dictionary].contains(type) else {
            throw Damage(table.ref, "2:4.2", "column of type \(rawKey >> 16 & 0x3F)")
        }
        if type == .linkList {
            if era == nil { violation(table.ref, "1:10.3", "obsolete type 13 in column key \(hex(rawKey))") }
            type = .link
        }
        return Column(key: key, type: type, attributes: attributes, name: name, table: table.name)
    }

    /// The type entries repeat the column keys, except for the obsolete code 13 (content 4.1).
    private func checkTypes(_ table: Table, _ ref: Int64, _ types: [Int64]) {
        for (column, entry) in zip(table.columns, types) {
            let code = entry & 0xFFFF
            if code == Int64(ColumnType.linkList.rawValue), column.type == .link, column.kind == .list {
                remnant(ref, "2:13.1 M3", "obsolete type 13 in a spec")
            } else if code != Int64(column.type.rawValue) {
                violation(ref, "2:4.1 M3", "\(column.label): type entry \(code), key says \(column.type)")
            }
            switch (entry >> 16, column.kind) {
            case (0, .dictionary): column.keyType = .int
            case (2, .dictionary), (0, _): break
            default: violation(ref, "2:4.1 M16", "\(column.label): dictionary key type \(entry >> 16)")
            }
        }
    }

    private func checkNames(_ ref: Int64, _ names: [ByteRun]) {
        var seen: Set<[UInt8]> = []
        for name in names {
            if name.count > FileFormat.maximumNameByteCount || !isUTF8(name) {
                violation(ref, "2:10.3 M40", "column name \(String(decoding: array(name), as: UTF8.self))")
            }
            if !seen.insert(array(name)).inserted { violation(ref, "2:10.3 M40", "two columns of one name") }
        }
    }

    /// Content 4.5.
    private func readEnumKeys(_ table: Table, _ ref: Int64, publicCount: Int) throws(Damage) {
        let roots = try refArray(ref, "enum keys", limit: publicCount)
        guard roots.count == publicCount else {
            throw Damage(ref, "2:4.5", "\(roots.count) enum key slots for \(publicCount) public columns")
        }
        for (column, root) in zip(table.columns, roots) where root != 0 {
            guard isRef(root), column.type == .string, column.kind == nil else {
                throw Damage(ref, "2:4.5", "enum keys of \(column.label)")
            }
            let root = try node(root)
            if root.flags == Node.bytes, root.width == 0, root.count > 1 {
                throw Damage(root.ref, "2:4.5", "enum keys of \(column.label) are not distinct")
            }
            let keys = try stringLeaf(root.ref, .upTo(NodeHeader.maximumCount))
            column.enumKeys = keys
            column.enumKeyIsText = keys.map { $0.isNull || isUTF8($0) }
            if Set(keys.map { $0.isNull ? nil : array($0) }).count != keys.count {
                violation(root.ref, "2:4.5", "enum keys of \(column.label) are not distinct")
            }
        }
    }

    // MARK: Column keys and attributes (content 1.2, 4.3, 4.4)

    func checkColumns(of table: Table) throws(Damage) {
        var leafIndexes: Set<Int> = []
        var sawBacklink = false
        for column in table.columns {
            if !leafIndexes.insert(column.leafIndex).inserted {
                throw Damage(table.ref, "2:1.2 M24", "leaf index \(column.leafIndex) used twice")
            }
            if column.leafIndex > 32_767, column.type == .mixed || column.kind != nil {
                violation(table.ref, "2:10.3 M40", "\(column.label): leaf index \(column.leafIndex)")
            }
            if column.type == .backlink {
                sawBacklink = true
            } else if sawBacklink {
                throw Damage(table.ref, "2:4 M25", "public column after a backlink column")
            }
            checkAttributes(table, column)
            // The tag is the counter when the column was added, XOR the table key. The counter never decreases.
            let counter = UInt64(column.key.tag ^ UInt32(truncatingIfNeeded: table.key))
            if counter > table.columnKeyCounter {
                // Releases of the reference gave columns such tags when they created or upgraded tables. Every engine
                // reads them (row A8).
                remnant(
                    table.ref, "2:1.2 M24",
                    "\(column.label): tag \(column.key.tag) from no counter up to \(table.columnKeyCounter)")
            }
        }
    }

    private func checkAttributes(_ table: Table, _ column: Column) {
        let outside = Int64(ColumnAttributes.notInKey.rawValue)
        let indexed = Int64(ColumnAttributes.indexed.rawValue | ColumnAttributes.fullTextIndexed.rawValue)
        if column.attributes & ~outside != Int64(column.key.attributes.rawValue) {
            violation(
                table.ref, "2:4.3",
                "\(column.label): attributes \(column.attributes), key says \(column.key.attributes.rawValue)")
        }
        if column.attributes & Int64(ColumnAttributes.unique.rawValue) != 0 || column.attributes & indexed == indexed {
            violation(table.ref, "2:4.3", "\(column.label): attributes \(column.attributes)")
        }
        if !column.hasLegalAttributes {
            violation(
                table.ref, "2:4.4",
                "\(column.label): attributes \(column.key.attributes.rawValue) for type \(column.type)")
        }
    }

    // MARK: Arrays by leaf index (content 3.1)

    func readByLeafIndex(_ table: Table) throws(Damage) {
        let indexes = try refArray(table.top[FileFormat.Table.indexes], "search indexes", limit: Self.columnLimit)
        let tables = try intArray(table.top[FileFormat.Table.oppositeTables], "opposites", limit: Self.columnLimit)
        let columns = try intArray(table.top[FileFormat.Table.oppositeColumns], "opposites", limit: Self.columnLimit)
        let needed = table.highestLeafIndex + 1
        guard min(indexes.count, tables.count) >= needed, tables.count == columns.count else {
            throw Damage(
                table.ref, "2:3.1 M26",
                "arrays of \(indexes.count), \(tables.count), \(columns.count) elements for \(needed) leaf indexes")
        }
        var isLive = Array(repeating: false, count: max(indexes.count, tables.count))
        for column in table.columns {
            isLive[column.leafIndex] = true
            column.indexRoot = indexes[column.leafIndex]
            column.oppositeTable = tables[column.leafIndex]
            column.oppositeColumn = UInt64(bitPattern: columns[column.leafIndex])
        }
        for i in isLive.indices where !isLive[i] {
            let hasOpposite =
                i < tables.count
                && (tables[i] != Int64(TableKey.null.rawValue)
                    || UInt64(bitPattern: columns[i]) != ColumnKey.null.rawValue)
            if hasOpposite || i < indexes.count && indexes[i] != 0 {
                violation(table.ref, "2:3.1 M26", "leaf index \(i) has no column but entries in slots 4, 7, 8")
            }
        }
        for column in table.columns { try checkIndexPresence(table, column) }
    }

    private func checkIndexPresence(_ table: Table, _ column: Column) throws(Damage) {
        let marks = ColumnAttributes.indexed.rawValue | ColumnAttributes.fullTextIndexed.rawValue
        if column.indexRoot != 0 {
            if !isRef(column.indexRoot) {
                throw Damage(table.top[FileFormat.Table.indexes], "2:3 M18", "search index \(column.indexRoot)")
            }
            if column.indexKind == nil {
                violation(table.ref, "2:9 M18", "\(column.label): a search index on this kind of column")
            }
        } else if column.attributes & Int64(marks) != 0 {
            violation(table.ref, "2:3.1 M18", "\(column.label): marked as indexed but has no index")
        }
    }

    /// Content 3 slot 11, 9, 11.1.
    func checkPrimaryKey(of table: Table) {
        guard let key = table.primaryKey else { return }
        guard let column = table.columnsByKey[key] else {
            return violation(table.ref, "2:3", "primary key column \(hex(key)) does not exist")
        }
        table.primary = column
        if !column.type.canBePrimaryKey || column.kind != nil {
            violation(table.ref, "2:11.1", "\(column.label): not a type for primary keys")
        }
        // Formats before 22 may have no index: there the object key follows from the value (container 10.2).
        let needsIndex = !(era?.hashesPrimaryKeys ?? false)
        if column.indexRoot == 0 && needsIndex || column.isFullText {
            violation(table.ref, "2:9 M32", "\(column.label): primary key without a value index")
        }
        if table.kind == .embedded { violation(table.ref, "2:11.1", "embedded table with a primary key") }
    }
}
