// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Converts tables of formats 2 to 9, whose objects are rows, to the current format (older 10).
///
/// Everything is rewritten, column by column and leaf by leaf. The values of a column are read once, from left to
/// right, and written to leaves for a cluster's rows. The clusters are assembled when all columns are complete. The
/// object in row r gets the key r, so links and lists of links contain the same numbers as before.
final class RowUpgrade {
    let transaction: WriteTransaction
    private let purpose: Upgrade.Purpose
    let converter: RowConverter
    private(set) var tables: [RowTable] = []
    /// Tables by their number in the file. Nil for a table that isn't converted.
    private var tablesByNumber: [RowTable?] = []
    private var namesInUse: Set<ByteText> = []

    var store: NodeStore { transaction.store }
    var reader: RowReader { converter.reader }
    var capacity: Int { store.clusterCapacity }

    init(
        _ transaction: WriteTransaction, for purpose: Upgrade.Purpose,
        _ report: (@Sendable (UpgradeProgress) -> Void)?
    ) {
        self.transaction = transaction
        self.purpose = purpose
        converter = RowConverter(
            reader: RowReader(transaction.space), store: transaction.store, progress: RowProgress(report))
    }

    func run() throws {
        let old = try RowDirectory(transaction.directory, transaction.space)
        try readTables(old)
        try findSubtables()
        try nameTables()
        try findLinks()
        let columns = try tables.map { try convert($0) }
        let made = try zip(tables, columns).map { try make($0, $1) }
        if purpose == .commit { for ref in old.refs { try store.freeTree(ref) } }
        try install(made)
    }

    // MARK: Reading

    private func readTables(_ old: RowDirectory) throws {
        var hidden: Set<ObjectIdentifier> = []
        for (name, ref) in zip(old.names, old.refs) {
            let (table, hasHidden) = try read(name, ref)
            if hasHidden { hidden.insert(ObjectIdentifier(table)) }
            tables.append(table)
        }
        tablesByNumber = tables
        namesInUse = Set(old.names.map { ByteText($0) })
        for (number, table) in tables.enumerated() {
            guard let keys = try RowPrimaryKeys(table, converter) else { continue }
            keys.enter(into: tables) { hidden.contains(ObjectIdentifier($0)) ? 1 : 0 }
            tables.remove(at: number)
            tablesByNumber[number] = nil
            break
        }
    }

    /// Reads a table. Also returns whether its first column is omitted, which contains the object ids of synchronised
    /// files.
    private func read(_ name: String, _ ref: Ref) throws -> (RowTable, hasHiddenColumn: Bool) {
        let top = try reader.refs(ref)
        let spec = try RowSpec(reader: reader).columns(try top.child(RowFormat.Table.spec))
        let roots = try reader.refs(try top.child(RowFormat.Table.columns))
        guard roots.count == spec.elementCount else {
            throw StorageError.corrupt("'\(name)' has \(roots.count) columns and indexes", at: roots.ref)
        }
        var columns = spec.columns
        let rowCount = try rowCount(columns, roots)
        let hasHidden = columns.first.map { $0.name == RowFormat.Name.objectId && $0.type == .int } ?? false
        if hasHidden { columns.removeFirst() }
        let table = RowTable(
            name: name, kind: .topLevel, columns: columns, roots: try columns.map { [try roots.child($0.position)] },
            rowCount: rowCount)
        return (table, hasHidden)
    }

    /// The number of rows of the first column. A table without columns may have a column of backlinks.
    private func rowCount(_ columns: [RowColumn], _ roots: Node) throws -> Int {
        if let first = columns.first { return try RowCount(reader).rows(of: first, try roots.child(first.position)) }
        return roots.count == 0 ? 0 : try RowCount(reader).rowsOfBacklinks(try roots.child(0))
    }

    // MARK: Subtables

    private func findSubtables() throws {
        var index = 0
        while index < tables.count {
            let table = tables[index]
            for (number, column) in table.columns.enumerated() where column.holdsRows {
                let subtables = try findSubtables(of: table, number, column)
                table.subtables[number] = subtables
                tables.append(subtables.table)
            }
            index += 1
        }
    }

    private func findSubtables(of table: RowTable, _ number: Int, _ column: RowColumn) throws -> RowSubtables {
        let name = RowNames.table("\(table.name)_\(column.name)", namesInUse)
        namesInUse.insert(ByteText(name))
        let inner = RowTable(
            name: name, kind: .embedded, columns: column.subcolumns,
            roots: Array(repeating: [], count: column.subcolumns.count), rowCount: 0)
        var result = RowSubtables(table: inner)
        var row = 0
        for root in table.roots[number] {
            var elements = RowInts(reader, root, holdsRefs: true)
            while let element = try elements.next()?.value {
                defer { row += 1 }
                guard let rows = try RowSubtable(reader, element, column.subcolumns) else { continue }
                let count = try rows.count(reader, column.subcolumns)
                try reader.spendRow(count, at: root)
                guard count > 0 else { continue }
                for (index, root) in rows.roots.enumerated() { inner.roots[index].append(root) }
                inner.rowCount += count
                result.counts.append((row, count))
            }
        }
        result.rowCount = row
        return result
    }

    // MARK: Schema

    private func nameTables() throws {
        guard tables.count <= FileFormat.maximumTableCount else {
            throw StorageError(.limitExceeded, "too many tables")
        }
        var taken: Set<ByteText> = []
        for (slot, table) in tables.enumerated() {
            table.key = TableKey(slot: slot, tag: 0)
            guard !table.name.isEmpty, table.name.utf8.count <= FileFormat.maximumNameByteCount,
                taken.insert(ByteText(table.name)).inserted
            else {
                throw StorageError(
                    .invalidDatabase,
                    "a table '\(table.name)' that files of format 24 cannot have: its name is empty, too long or there "
                        + "twice")
            }
        }
    }

    private func findLinks() throws {
        for table in tables {
            for (number, column) in table.columns.enumerated() {
                guard let target = try target(of: column, number, in: table) else { continue }
                let links = RowLinks(from: number, of: table, to: target)
                table.links[number] = links
                target.backlinks.append(links)
            }
        }
    }

    private func target(of column: RowColumn, _ number: Int, in table: RowTable) throws -> RowTable? {
        if let subtables = table.subtables[number] { return subtables.table }
        guard column.type == .link || column.type == .linkList else { return nil }
        guard tablesByNumber.indices.contains(column.target), let target = tablesByNumber[column.target] else {
            throw StorageError(
                .invalidDatabase,
                "'\(column.name)' of '\(table.name)' links to a table that is not there; the file is damaged")
        }
        return target
    }
}
