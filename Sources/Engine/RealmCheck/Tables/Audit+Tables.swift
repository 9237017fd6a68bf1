// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Tables of the group and their top arrays (content 2, 3).
extension Audit {
    func readTables() throws(Damage) {
        let refs = try refArray(top.tables, "tables", limit: FileFormat.maximumTableCount)
        let namesNode = try node(top.names)
        if namesNode.count != refs.count {
            throw Damage(top.tables, "1:5.3 W11", "\(namesNode.count) table names, \(refs.count) tables")
        }
        let names = try shortStrings(top.names, .exactly(refs.count), areNames: true)
        var live: Set<[UInt8]> = []
        for (slot, ref) in refs.enumerated() {
            let name = array(names[slot])
            if Tagged.isTagged(ref) {
                checkVacantSlot(slot, name, Tagged.decode(ref))
            } else {
                if !live.insert(name).inserted { violation(top.names, "1:5.3 W11", "two tables of one name") }
                readTable(slot, names[slot], ref)
            }
        }
    }

    private func checkVacantSlot(_ slot: Int, _ name: [UInt8], _ tag: UInt64) {
        if !name.isEmpty { remnant(top.names, "2:2.2", "vacant slot \(slot) has a name") }
        if tag > 0x7FFF { violation(top.tables, "2:2.2", "vacant slot \(slot) holds the tag \(tag)") }
    }

    private func readTable(_ slot: Int, _ run: ByteRun, _ ref: Int64) {
        let name = String(decoding: array(run), as: UTF8.self)
        if run.count > FileFormat.maximumNameByteCount || !isUTF8(run) {
            violation(top.names, "2:2.1 W11", "name of table \(slot): \(name)")
        }
        guarded(name) { () throws(Damage) in
            guard isRef(ref) else { throw Damage(top.tables, "2:2.1", "element \(slot) of the tables array is \(ref)") }
            let table = Table(slot: slot, name: name, ref: ref)
            try readTableTop(table)
            tables.append(table)
            tablesByKey[table.key] = table
            let isSound = guarded { () throws(Damage) in
                try readColumns(of: table)
                try readObjects(of: table)
            }
            table.isBroken = !isSound
            report.statistics.tableCount += 1
            report.statistics.objectCount += table.live.keys.count
            report.statistics.tombstoneCount += table.tombs.keys.count
        }
    }

    private func readTableTop(_ table: Table) throws(Damage) {
        let ref = table.ref
        let node = try expect(ref, "table top", Node.refs)
        guard FileFormat.Table.legalCounts.contains(node.count) else {
            throw Damage(ref, "2:3 R22 M2", "table top of \(node.count) slots")
        }
        if node.count < FileFormat.Table.count { remnant(ref, "1:10.4 M23", "table top of \(node.count) slots") }
        let top = try ints(node) + Array(repeating: 0, count: FileFormat.Table.count - node.count)
        table.top = top
        for slot in [0, 2, 4, 7, 8] where !isRef(top[slot]) {
            throw Damage(ref, "2:3", "slot \(slot) of a table top holds \(top[slot])")
        }
        for slot in [10, 13] where top[slot] & 1 != 0 {
            throw Damage(ref, "2:3", "slot \(slot) of a table top holds \(top[slot])")
        }
        if top[1] != 0 { violation(ref, "2:3", "slot 1 of a table top holds \(top[1])") }
        try readScalars(of: table)
    }

    private func readScalars(of table: Table) throws(Damage) {
        let (top, ref) = (table.top, table.ref)
        table.key = try tagged(top[FileFormat.Table.key], ref, 3, orZero: false)
        table.columnKeyCounter = try tagged(top[FileFormat.Table.columnKeyCounter], ref, 5, orZero: false)
        _ = try tagged(top[FileFormat.Table.contentVersion], ref, 6, orZero: false)
        table.sequence = try tagged(top[FileFormat.Table.sequence], ref, 9)
        if table.sequence >= FileFormat.keyNumberLimit {
            remnant(ref, "2:1.3", "sequence \(table.sequence) leaves no room for objects")
        }
        let primaryKey = top[FileFormat.Table.primaryKey]
        table.primaryKey = primaryKey == 0 ? nil : try tagged(primaryKey, ref, 11)
        table.flags = try tagged(top[FileFormat.Table.flags], ref, 12)
        if table.key & 0xFFFF != UInt64(table.slot) || table.key >> 31 != 0 {
            violation(ref, "2:1.1", "table key \(table.key) in slot \(table.slot)")
        }
        if table.flags & 3 == 3 { violation(ref, "2:3", "table flags \(table.flags)") }
    }

    private func readColumns(of table: Table) throws(Damage) {
        try readSpec(of: table)
        try checkColumns(of: table)
        for column in table.columns { table.columnsByKey[column.key.rawValue] = column }
        try readByLeafIndex(table)
        checkPrimaryKey(of: table)
    }

    // MARK: Objects

    private func readObjects(of table: Table) throws(Damage) {
        table.live = try readClusters(table.top[FileFormat.Table.clusters], highestLeafIndex: table.highestLeafIndex)
        // Ascending by unsigned key: negative keys are last.
        if let last = table.live.keys.last, Int64(bitPattern: last) < 0 {
            violation(table.top[2], "2:1.3", "live object with a negative key")
        }
        if table.top[FileFormat.Table.tombstones] != 0 {
            table.tombs = try readClusters(table.top[13], highestLeafIndex: table.highestLeafIndex)
            if table.tombs.keys.contains(where: { Int64(bitPattern: $0) > -2 }) {
                violation(table.top[13], "2:5.8", "tombstone with a resolved key")
            }
        }
        try checkSlots(of: table)
        checkSequence(of: table)
        table.parentCounts = Array(repeating: 0, count: table.kind == .embedded ? table.live.keys.count : 0)
        table.tombBacklinks = Array(repeating: 0, count: table.tombs.keys.count)
    }

    /// Requires a ref for every live column, and no other elements (content 5.2).
    private func checkSlots(of table: Table) throws(Damage) {
        var isLive = Array(repeating: false, count: table.highestLeafIndex + 2)
        for column in table.columns { isLive[1 + column.leafIndex] = true }
        for cluster in table.live.clusters + table.tombs.clusters {
            for (slot, element) in cluster.slots.enumerated() where slot > 0 {
                if slot < isLive.count, isLive[slot] {
                    if isRef(element) { continue }
                    throw Damage(cluster.ref, "2:5.2 M27", "slot \(slot) of a cluster leaf holds \(element)")
                }
                if element != 0 {
                    throw Damage(
                        cluster.ref, "2:5.2 M27", "slot \(slot) of a cluster leaf, without column, holds \(element)")
                }
            }
        }
    }

    /// In an embedded table no key that is yet to be generated may be in use (content 1.3).
    private func checkSequence(of table: Table) {
        guard table.kind == .embedded else { return }
        var highest: UInt64?
        for key in table.live.keys where key >> 8 & 0xFF == 0 && key >> 40 == 0 {
            highest = max(highest ?? 0, key & 0xFF | (key >> 16 & 0xFF_FFFF) << 8)
        }
        if let highest, highest >= table.sequence {
            violation(
                table.ref, "2:1.3", "sequence \(table.sequence) would produce key number \(highest) again")
        }
    }

    /// The table `metadata` contains the schema version (content 11.2).
    func checkSchemaVersion() throws(Damage) {
        guard let table = tables.first(where: { $0.name == FileFormat.metadataTable }), !table.isBroken,
            !table.columns.isEmpty
        else { return }
        guard let column = table.columns.first(where: { $0.name == "version" }), column.type == .int, column.kind == nil
        else { throw Damage(table.ref, "2:11.2", "table metadata without an Int column version") }
        if column.isNullable { throw Damage(table.ref, "2:11.2", "schema version that is not an integer") }
    }
}
