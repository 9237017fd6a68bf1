// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// Writes an export as a new SQLite file, with a table for each class. Collections and objects are JSON. Facts that
/// SQLite can't represent are in the table `regnum_schema`.
final class SQLiteExport: ExportWriter {
    private let file: SQLiteFile
    private let snapshot: Snapshot
    private let text: ValueText
    private var insert: SQLiteStatement?

    /// `path` is that of an empty file, which errors call `name`.
    init(_ path: String, named name: String, _ snapshot: Snapshot) throws {
        file = try SQLiteFile(path, named: name, readOnly: false)
        self.snapshot = snapshot
        text = ValueText(snapshot)
        // The file is new: if the export fails, it's discarded anyway.
        try file.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
    }

    func begin(_ schema: SchemaDescription) throws {
        try file.execute("CREATE TABLE \(SQLiteRecords.schemaTable) (json TEXT NOT NULL)")
        try file.statement("INSERT INTO \(SQLiteRecords.schemaTable) VALUES (?)")
            .run([.text(String(decoding: schema.json.bytes, as: UTF8.self))])
    }

    func begin(_ table: Table) throws {
        let name = SQLiteFile.quoted(table.className ?? table.name)
        var columns = table.primaryKey == nil ? ["\"$key\" INTEGER PRIMARY KEY"] : []
        columns += try table.publicColumns.map { try declaration($0, table) }
        try file.execute("CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        insert = try file.statement("INSERT INTO \(name) VALUES (\(marks))")
    }

    private func declaration(_ column: Column, _ table: Table) throws -> String {
        var text =
            SQLiteFile.quoted(ValueText.escaped(column.name)) + " " + (try SQLiteExport.type(column, table, snapshot))
        if column.key == table.primaryKey { text += column.key.isNullable ? " UNIQUE" : " PRIMARY KEY NOT NULL" }
        if column.type == .link, !column.key.isCollection,
            let target = try snapshot.table(table.oppositeTables[column.leafIndex]), !target.isEmbedded
        {
            let key = target.primaryKey.flatMap { target.column($0)?.name } ?? "$key"
            text += " REFERENCES \(SQLiteFile.quoted(target.className ?? target.name))(\(SQLiteFile.quoted(key)))"
        }
        return text
    }

    /// Returns the declared type, which determines the storage of values in SQLite.
    private static func type(_ column: Column, _ table: Table, _ snapshot: Snapshot) throws -> String {
        if column.key.isCollection { return "TEXT" }
        switch column.type {
        case .int, .bool: return "INTEGER"
        // Without a type, numbers and texts are stored unchanged, such as "nan" among the numbers.
        case .float, .double: return ""
        case .binary: return "BLOB"
        case .link:
            guard let target = try snapshot.table(table.oppositeTables[column.leafIndex]), !target.isEmbedded else {
                return "TEXT"
            }
            return target.primaryKey.map { $0.type == .int } ?? true ? "INTEGER" : "TEXT"
        default: return "TEXT"
        }
    }

    func write(_ key: ObjectKey, _ values: [DetachedValue], of table: Table) throws {
        var cells: [ForeignValue] = table.primaryKey == nil ? [.integer(key.rawValue)] : []
        for (column, value) in zip(table.publicColumns, values) { cells.append(try cell(value, column)) }
        try insert?.run(cells)
    }

    private func cell(_ value: DetachedValue, _ column: Column) throws -> ForeignValue {
        if case .plain(let stored) = value, !column.key.isCollection, column.type != .mixed {
            switch stored {
            case .int(let number): return .integer(number)
            case .bool(let flag): return .bool(flag)
            // Other numbers are stored as digits: a Float converted to Double has different digits, and -0.0 would lose
            // its sign.
            case .double(let number) where number.isFinite && !(number == 0 && number.sign == .minus):
                return .real(number)
            case .binary(let bytes): return .bytes(bytes)
            default: break
            }
        }
        return try text.cell(value, of: column).map { .text($0) } ?? .null
    }

    func end(_ table: Table) throws {
        insert = nil
        let name = table.className ?? table.name
        for column in table.publicColumns where table.hasIndex(column.key) && column.key != table.primaryKey {
            guard !column.key.isCollection, !column.isFullTextIndexed else { continue }
            let index = SQLiteFile.quoted("\(name).\(column.name)")
            try file.execute(
                "CREATE INDEX \(index) ON \(SQLiteFile.quoted(name)) (\(SQLiteFile.quoted(ValueText.escaped(column.name))))"
            )
        }
    }

    func end() throws { try file.execute("COMMIT") }
}
