// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// The records of the tables of a SQLite file, which become one class each.
final class SQLiteRecords: ImportSource {
    let schema: SchemaDescription?
    private(set) var inferredSchema: SchemaDescription?
    private(set) var cellsHoldJSON = false
    let declaredFields: Set<String>
    private let file: SQLiteFile
    private var tables: ArraySlice<Source>
    private var current: (source: Source, rows: SQLiteStatement)?
    private var number = 0
    private let primaryKey: String?
    private let mappings: [FieldMapping]

    private struct Source {
        let name: String
        let columns: [DeclaredColumn]
        let primaryKey: String?
        let references: [Reference]
    }

    private struct DeclaredColumn {
        let name: String
        let type: String
        let isRequired: Bool
    }

    /// A column whose values refer to rows of a table. Names are case-insensitive, as in SQLite.
    private struct Reference {
        let column: String
        let table: String
        /// nil represents the primary key of the table.
        let targetColumn: String?
    }

    static let schemaTable = "regnum_schema"

    init(_ path: String, primaryKey: String?, _ mappings: [FieldMapping]) throws {
        file = try SQLiteFile(path, readOnly: true)
        self.primaryKey = primaryKey
        self.mappings = mappings
        let names = try file.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
        ).compactMap { $0.first?.textual }
        if names.contains(SQLiteRecords.schemaTable) {
            let text = try file.rows("SELECT json FROM \(SQLiteRecords.schemaTable)").first?.first?.textual ?? ""
            schema = try SchemaDescription(raw: try ForeignValue(parsing: text))
            cellsHoldJSON = true
        } else {
            schema = nil
        }
        let opened = file
        tables = try names.filter { $0 != SQLiteRecords.schemaTable }.map { try SQLiteRecords.source($0, opened) }[...]
        declaredFields = Set(tables.flatMap { $0.columns.map(\.name) })
    }

    private static func source(_ name: String, _ file: SQLiteFile) throws -> Source {
        // cid, name, type, notnull, default, position in the primary key
        let info = try file.rows("PRAGMA table_info(\(SQLiteFile.quoted(name)))")
        let keys = info.filter { if case .integer(let place) = $0[5] { place > 0 } else { false } }
        return Source(
            name: name,
            columns: info.compactMap { row in
                row[1].textual.map {
                    DeclaredColumn(name: $0, type: row[2].textual ?? "", isRequired: row[3].digits == "1")
                }
            },
            primaryKey: keys.count == 1 ? keys[0][1].textual : nil, references: try references(of: name, file))
    }

    /// Returns the foreign keys of one column each, because a link has one value.
    private static func references(of name: String, _ file: SQLiteFile) throws -> [Reference] {
        // id, position in the foreign key, table, from, to, …
        let rows = try file.rows("PRAGMA foreign_key_list(\(SQLiteFile.quoted(name)))")
        return rows.compactMap { row in
            guard rows.count(where: { $0[0].digits == row[0].digits }) == 1, let table = row[2].textual,
                let column = row[3].textual
            else { return nil }
            return Reference(column: column, table: table, targetColumn: row[4].textual)
        }
    }

    /// Every table can be read twice: types are inferred from the first rows of each.
    func sample(_ limit: Int) throws -> [ImportRecord] {
        guard schema == nil else { return [] }
        var all: [ImportRecord] = []
        var described: [TableDescription] = []
        for table in tables {
            let rows = try select(table, limit)
            var records: [ImportRecord] = []
            while try rows.step() { records.append(record(table, rows.row, records.count + 1)) }
            described +=
                records.isEmpty
                ? [declared(table)]
                : try TypeInference(records, mappings).schema(primaryKey: primaryKey(of: table)).tables
            all += records
        }
        inferredSchema = SchemaDescription(tables: described.map { linked($0, described) })
        return all
    }

    private func declared(_ table: Source) -> TableDescription {
        let key = primaryKey(of: table)
        return TableDescription(
            className: table.name,
            properties: table.columns.compactMap { column in
                let name = property(of: column.name)
                guard !name.isEmpty else { return nil }
                let mapping = mappings.first { $0.field == column.name && $0.type != nil }
                let type = mapping?.type ?? SQLiteRecords.type(declared: column.type)
                let isKey = name == key && type.canBePrimaryKey
                let isOptional = mapping?.isOptional ?? (!isKey && !column.isRequired)
                return PropertyDescription(
                    name: name, type: type, isOptional: isOptional || type == .link || type == .mixed,
                    isPrimaryKey: isKey, targetClass: mapping?.target)
            })
    }

    /// Follows SQLite's rules for the affinity of a column. Two of the types unknown to SQLite have an obvious meaning;
    /// all others may contain anything.
    private static func type(declared text: String) -> ColumnType {
        let names: [(part: String, type: ColumnType)] = [
            ("INT", .int), ("CHAR", .string), ("CLOB", .string), ("TEXT", .string), ("BLOB", .binary),
            ("REAL", .double), ("FLOA", .double), ("DOUB", .double), ("BOOL", .bool), ("DATE", .timestamp),
        ]
        return names.first { text.uppercased().contains($0.part) }?.type ?? .mixed
    }

    /// Returns a class whose foreign keys are links, if they refer to objects by the primary key of their class, as
    /// links do.
    private func linked(_ described: TableDescription, _ all: [TableDescription]) -> TableDescription {
        let references = tables.first { $0.name == described.className }?.references ?? []
        return TableDescription(
            className: described.className ?? described.name,
            properties: described.properties.map { property in
                let reference = references.first { self.property(of: $0.column) == property.name }
                guard !property.isPrimaryKey, let reference, !hasType(reference.column),
                    let target = target(of: reference, all)
                else { return property }
                return PropertyDescription(name: property.name, type: .link, isOptional: true, targetClass: target)
            })
    }

    private func target(of reference: Reference, _ all: [TableDescription]) -> String? {
        let source = tables.first { $0.name.lowercased() == reference.table.lowercased() }
        guard let source, let described = all.first(where: { $0.className == source.name }),
            let key = described.properties.first(where: \.isPrimaryKey)?.name,
            let column = reference.targetColumn ?? source.primaryKey,
            let named = source.columns.map(\.name).first(where: { $0.lowercased() == column.lowercased() }),
            property(of: named) == key
        else { return nil }
        return source.name
    }

    private func property(of column: String) -> String {
        mappings.first { $0.field == column }?.property ?? ValueParser.unescaped(column)
    }

    private func hasType(_ column: String) -> Bool { mappings.contains { $0.field == column && $0.type != nil } }

    private func primaryKey(of table: Source) -> String? {
        if let primaryKey, table.columns.contains(where: { $0.name == primaryKey }) { return primaryKey }
        guard let field = table.primaryKey else { return nil }
        let name = property(of: field)
        return name.isEmpty ? nil : name
    }

    func next() throws -> ImportRecord? {
        while true {
            if let (source, rows) = current {
                if try rows.step() {
                    number += 1
                    return record(source, rows.row, number)
                }
                current = nil
            }
            guard let source = tables.popFirst() else { return nil }
            (current, number) = ((source, try select(source, nil)), 0)
        }
    }

    private func select(_ table: Source, _ limit: Int?) throws -> SQLiteStatement {
        let columns = table.columns.map { SQLiteFile.quoted($0.name) }.joined(separator: ", ")
        let end = limit.map { " LIMIT \($0)" } ?? ""
        return try file.statement("SELECT \(columns) FROM \(SQLiteFile.quoted(table.name))\(end)")
    }

    private func record(_ table: Source, _ row: [ForeignValue], _ number: Int) -> ImportRecord {
        ImportRecord(
            className: table.name, fields: zip(table.columns, row).map { (name: $0.0.name, value: value($0.1)) },
            place: "row \(number) of \(table.name)")
    }

    /// A TEXT value is a text, unless the file was written by `realm export`.
    private func value(_ raw: ForeignValue) -> ForeignValue {
        if case .text(let text) = raw, !cellsHoldJSON { return .string(text) }
        return raw
    }
}
