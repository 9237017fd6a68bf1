// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmValues

/// Copies the readable content of a damaged file to a new one: first all objects with their own values, under their
/// previous keys, then links.
final class Salvage {
    private let source: SalvageReader
    private let database: Database
    private let progress: Progress
    private let budget: ReadBudget
    private var report = SalvageReport()
    private var write: WriteTransaction
    private var pending = 0
    /// The salvaged tables, keyed by those of the damaged file.
    private var tables: [TableKey: TableKey] = [:]
    /// The columns of each table that have a counterpart, by index, in the order of the damaged file.
    private var columns: [TableKey: [(place: Int, column: ColumnKey)]] = [:]

    private static let batchCount = 50_000

    init(_ source: SalvageReader, byteCount: Int, into database: Database, _ progress: Progress) throws {
        self.source = source
        self.database = database
        self.progress = progress
        // Everything is read twice.
        budget = ReadBudget(byteCount: 2 * byteCount)
        write = try database.beginWrite()
    }

    func run() throws -> SalvageReport {
        defer { if write.isOpen { write.rollback() } }
        report.lostTables = source.lostTables
        report.isOlder = source.isOlder
        report.hasMadeUpNames = source.hasMadeUpNames
        for table in source.tables { try create(table) }
        for (place, table) in source.tables.enumerated() { try addColumns(of: table, place) }
        for (place, table) in source.tables.enumerated() where !table.table.isEmbedded {
            try copyObjects(of: table, place)
        }
        for (place, table) in source.tables.enumerated() where !table.table.isEmbedded {
            try copyLinks(of: table, place)
        }
        try write.commit()
        return report
    }

    // MARK: Schema

    private func create(_ table: SalvagedTable) throws {
        var entry = SalvageReport.TableReport(
            name: table.table.className ?? table.table.name, announced: table.announcedCount)
        entry.isOlder = table.isOlder
        // Embedded objects are counted with their owners.
        if table.table.isEmbedded { entry.announced = 0 }
        if table.table.canBeSalvaged, let key = try? write.schema.addTable(table.table.name, kind: table.table.kind) {
            tables[table.table.key] = key
        } else {
            report.lostTables.append(table.table.name)
        }
        report.tables.append(entry)
    }

    private func addColumns(of salvaged: SalvagedTable, _ place: Int) throws {
        let table = salvaged.table
        guard let key = tables[table.key] else { return }
        for (index, column) in table.publicColumns.enumerated() {
            do {
                let new = try add(column, of: table, to: key)
                columns[table.key, default: []].append((index, new))
            } catch let error as StorageError {
                guard error.code != .outOfSpace else { throw error }
                report.tables[place].lostProperties.append(column.name)
            }
        }
    }

    private func add(_ column: Column, of table: Table, to key: TableKey) throws -> ColumnKey {
        var target: TableKey?
        if column.type == .link {
            target = tables[table.oppositeTables[column.leafIndex]]
            guard target != nil else { throw StorageError.absent("the table it links to is lost") }
        }
        let kept: ColumnAttributes = [.nullable, .list, .set, .dictionary]
        let new = try write.schema.addColumn(
            column.name, column.type, column.key.attributes.intersection(kept), target: target, to: key)
        if column.key == table.primaryKey {
            try write.schema.setPrimaryKey(new, of: key)
        } else if table.hasIndex(column.key) {
            try? write.indexes.add(new, column.isFullTextIndexed ? .fullText : .general, of: key)
        }
        return new
    }

    // MARK: Objects

    private func copyObjects(of salvaged: SalvagedTable, _ place: Int) throws {
        let table = salvaged.table
        guard let key = tables[table.key] else { return }
        let own = (columns[table.key] ?? []).filter { $0.column.type != .link }
        let reader = ObjectReader(salvaged.snapshot, budget: budget) { [self] _ in report.tables[place].lostValues += 1
        }
        try forEachObject(salvaged, reader) { object, values in
            let writer = ObjectWriter(write: write) { _ in nil }
            let target = try write.require(key)
            let simple = try own.compactMap { pair -> (column: Column, value: DetachedValue)? in
                let column = try target.require(pair.column)
                guard Salvage.isSimple(values[pair.place], column) else { return nil }
                return (column, Salvage.admitted(values[pair.place], column))
            }
            if try attempt({ _ = try writer.create(in: target, object, simple) }) {
                report.tables[place].saved += 1
            } else if try create(object, in: target, simple, writer, place) {
                report.tables[place].saved += 1
            } else {
                report.tables[place].refused += 1
            }
        }
    }

    /// Creates an object again without the rejected values. Returns whether it exists afterwards.
    private func create(
        _ object: ObjectKey, in table: Table, _ values: [(column: Column, value: DetachedValue)],
        _ writer: ObjectWriter, _ place: Int
    ) throws -> Bool {
        let name = values.filter { $0.column.key == table.primaryKey }
        guard try attempt({ _ = try writer.create(in: table, object, name) }) else { return false }
        for (column, value) in values where column.key != table.primaryKey {
            if try !attempt({ try writer.set(value, column, of: object, in: table.key, isNew: true) }) {
                report.tables[place].lostValues += 1
            }
        }
        return true
    }

    /// Returns whether `body` succeeds. Throws errors that don't concern the values, such as a full disk.
    private func attempt(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as StorageError {
            guard [.invalidArgument, .limitExceeded].contains(error.code) else { throw error }
            return false
        } catch is ObjectWriter.Mismatch {
            return false
        }
    }

    /// Whether a value can be written before all objects exist.
    private static func isSimple(_ value: DetachedValue, _ column: Column) -> Bool {
        if column.type != .mixed { return column.type != .link }
        if case .plain = value { return !column.key.isCollection }
        return false
    }

    /// Replaces null, which represents an unreadable value, by the default of the column.
    private static func admitted(_ value: DetachedValue, _ column: Column) -> DetachedValue {
        guard value.isNull else { return value }
        if column.key.isDictionary { return .dictionary([]) }
        if column.key.isCollection { return column.key.isSet ? .set([]) : .list([]) }
        return .plain(column.defaultValue)
    }

    private func copyLinks(of salvaged: SalvagedTable, _ place: Int) throws {
        let table = salvaged.table
        guard let key = tables[table.key] else { return }
        let linking = (columns[table.key] ?? []).filter { $0.column.type == .link || $0.column.type == .mixed }
        guard !linking.isEmpty else { return }
        // Unreadable values were reported before.
        let reader = ObjectReader(salvaged.snapshot, budget: budget) { _ in }
        try forEachObject(salvaged, reader) { object, values in
            let writer = ObjectWriter(write: write) { [self] in try resolve($0, place) }
            guard try write.require(key).find(object) != nil else { return }
            for pair in linking {
                let column = try write.require(key).require(pair.column)
                guard !Salvage.isSimple(values[pair.place], column), !values[pair.place].isNull else { continue }
                if try !attempt({ try writer.set(values[pair.place], column, of: object, in: key, isNew: true) }) {
                    report.tables[place].lostValues += 1
                }
            }
        }
    }

    private func resolve(_ name: ObjectName, _ place: Int) throws -> ObjectLink? {
        if case .key(let old, let object) = name, let key = tables[old], try write.require(key).find(object) != nil,
            try !write.require(key).isEmbedded
        {
            return ObjectLink(table: key, object: object)
        }
        report.tables[place].lostLinks += 1
        return nil
    }

    /// Calls `body` with every object that can be read. Commits after each batch, so that memory stays bounded.
    private func forEachObject(
        _ salvaged: SalvagedTable, _ reader: ObjectReader, _ body: (ObjectKey, [DetachedValue]) throws -> Void
    ) throws {
        try salvaged.forEachLeaf { leaf in
            guard !budget.isSpent else { return }
            do {
                try reader.objects(in: leaf, of: salvaged.table) { key, values in
                    guard key.rawValue >= 0 else { return }
                    try body(key, values)
                    progress.advance()
                    pending += 1
                }
            } catch  where budget.isSpent {
                // The values have no end: those read so far are kept.
            }
            guard pending >= Salvage.batchCount else { return }
            pending = 0
            try write.commit()
            write = try database.beginWrite()
        }
    }
}

extension Table {
    /// Whether a table with these columns is valid: `metadata` holds the schema version (content 11.2).
    fileprivate var canBeSalvaged: Bool {
        guard name == FileFormat.metadataTable, !columns.isEmpty else { return true }
        return column(named: "version")?.leafKind == .int
    }
}
