// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Makes tables of our format of those of formats 2 to 9, whose objects are rows (older 10).
///
/// All is written anew, column by column and leaf by leaf: the values of a column are read once, from left to right,
/// and make leaves of a cluster's rows; the clusters are put together when the columns are there. The object in row r
/// gets the key r, so that links and lists of links hold the same numbers as before.
final class RowUpgrade {
    private let transaction: WriteTransaction
    private let purpose: Upgrade.Purpose
    private let converter: RowConverter
    private var tables: [RowTable] = []
    /// By the number that the file gives a table; nil for one that ours has not.
    private var tablesByNumber: [RowTable?] = []
    private var namesInUse: Set<String> = []

    private var store: NodeStore { transaction.store }
    private var reader: RowReader { converter.reader }
    private var capacity: Int { store.clusterCapacity }

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
        namesInUse = Set(old.names)
        for (number, table) in tables.enumerated() {
            guard let keys = try RowPrimaryKeys(table, converter) else { continue }
            keys.enter(into: tables) { hidden.contains(ObjectIdentifier($0)) ? 1 : 0 }
            tables.remove(at: number)
            tablesByNumber[number] = nil
            break
        }
    }

    /// A table, and whether its first column is left out: the object ids of synchronised files.
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

    /// As the first column has it. A table that is only linked to has a column of backlinks, and no other.
    private func rowCount(_ columns: [RowColumn], _ roots: Node) throws -> Int {
        if let first = columns.first { return try RowCount(reader).rows(of: first, try roots.child(first.position)) }
        return roots.count == 0 ? 0 : try RowCount(reader).rowsOfBacklinks(try roots.child(0))
    }

    // MARK: Tables in rows

    /// Makes a table of the rows that a column of tables holds. Such tables come behind those of the file.
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
        namesInUse.insert(name)
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
        var taken: Set<String> = []
        for (slot, table) in tables.enumerated() {
            table.key = TableKey(slot: slot, tag: 0)
            guard !table.name.isEmpty, table.name.utf8.count <= FileFormat.maximumNameByteCount,
                taken.insert(table.name).inserted
            else {
                throw StorageError(
                    .invalidDatabase,
                    "a table '\(table.name)' that files of format 24 cannot have: its name is empty, too long or there twice"
                )
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

    /// The table that a column of links leads to; nil for other columns.
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

    // MARK: Columns

    /// The leaves of all columns of a table. Links are noted where they lead to.
    private func convert(_ table: RowTable) throws -> [[Ref]] {
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

    /// A column of links, which hold the row and one in both formats.
    private func links(_ links: RowLinks, _ roots: [Ref], _ form: RowConverter.Form) throws -> RowConverter.Made {
        var row = 0
        return try converter.integers(roots, form) { element, _ in
            defer { row += 1 }
            if element != 0 { links.add(from: row, to: try links.requireRow(element &- 1)) }
            return element
        }
    }

    /// A column of lists, each made of an element of the file.
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
            return try store.createIntegers(elements, flags: NodeHeader.Flags.hasRefs)
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

    /// A column of lists of embedded objects, which were rows of tables: those of one row lie side by side.
    private func embedded(_ subtables: RowSubtables, _ links: RowLinks) throws -> RowConverter.Made {
        var made = collectionGatherer()
        var end = 0
        for (row, count) in subtables.counts {
            while made.count < row { try made.append(0) }
            var leaves = RowGatherer<Int64>(capacity: store.treeCapacity) { [store] in try store.createIntegers($0) }
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

    // MARK: Tables

    private func make(_ old: RowTable, _ leaves: [[Ref]]) throws -> Table {
        let table = Table(space: transaction.space, key: old.key, name: old.name, kind: old.kind)
        table.columns = try columns(of: old)
        guard table.columns.count <= FileFormat.leafIndexCount else {
            throw StorageError(.limitExceeded, "'\(old.name)' has too many columns")
        }
        unsafe table.indexes = TableIndexes(roots: Array(repeating: 0, count: table.columns.count))
        enterOpposites(of: old, into: table)
        table.columnsChanged()
        let backlinks = try old.backlinks.map {
            try $0.leaves(rowCount: old.rowCount, capacity: capacity, in: store)
        }
        table.clusterRoot = try RowClusters(store: store).tree(leaves + backlinks, rowCount: old.rowCount, table.layout)
        unsafe table.sequence = UInt64(old.rowCount)
        return table
    }

    private func columns(of table: RowTable) throws -> [Column] {
        let names = RowNames.distinct(table.columns.map(\.name))
        let columns = try names.indices.map { index in
            let key = table.columnKey(index)
            return try Column(
                key: key, name: names[index], attributes: key.attributes,
                typeElement: Int64(key.type?.rawValue ?? 0), enumKeys: table.enumKeys[index]?.ref ?? 0)
        }
        return try columns
            + table.backlinks.indices.map { index in
                try Column(
                    key: table.backlinkKey(index), name: "", attributes: [],
                    typeElement: Int64(ColumnType.backlink.rawValue), enumKeys: 0)
            }
    }

    private func enterOpposites(of old: RowTable, into table: Table) {
        table.oppositeTables = Array(repeating: .null, count: table.columns.count)
        table.oppositeColumns = Array(repeating: .null, count: table.columns.count)
        for (number, links) in old.links {
            table.oppositeTables[number] = links.target.key
            table.oppositeColumns[number] = links.target.backlinkKey(links.number)
        }
        for (number, links) in old.backlinks.enumerated() {
            table.oppositeTables[old.columns.count + number] = links.origin.key
            table.oppositeColumns[old.columns.count + number] = links.origin.columnKey(links.column)
        }
    }

    private func install(_ made: [Table]) throws {
        transaction.directoryChanged = true
        transaction.directory = TableDirectory(
            names: made.map(\.name), elements: Array(repeating: 0, count: made.count))
        for table in made {
            transaction.install(table)
            transaction.changed(table, [.contents, .indexes, .schema])
        }
        for (old, table) in zip(tables, made) {
            for (index, column) in old.columns.enumerated()
            where column.isIndexed && column.type.valueType?.isIndexable == true {
                try transaction.addIndex(old.columnKey(index), of: table.key)
            }
            guard let index = old.primaryKey else { continue }
            // Nobody checked that the values are distinct. If they are not, the property stays what it is.
            do {
                try transaction.setPrimaryKey(old.columnKey(index), of: table.key)
            } catch let error as StorageError where error.code == .invalidArgument {
                transaction.database.upgradeNotes.append(
                    "'\(old.name)' has lost its primary key in the upgrade: \(error.message)")
            }
        }
    }
}
