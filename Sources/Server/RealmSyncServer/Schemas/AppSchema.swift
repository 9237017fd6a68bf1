// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore

/// The classes and properties of an app or a partition. Primary keys aren't among the columns.
struct AppSchema: Hashable, Sendable {
    private(set) var tables: [Text: TableDefinition] = [:]
    private(set) var columns: [Text: [Text: ColumnDefinition]] = [:]

    init() {}

    /// Reads the classes of a file. A class without a primary key isn't synchronised, and is omitted.
    init(of source: any TableSource) throws {
        for table in try source.allTables() where table.className != nil {
            guard table.isEmbedded || table.primaryKey != nil else { continue }
            let definition = try table.definition()
            insert(definition)
            for column in table.publicColumns where column.key != table.primaryKey {
                insert(try source.definition(of: column, in: table))
            }
        }
    }

    /// `nil` for an embedded class.
    func primaryKey(of table: Text) -> PrimaryKeyColumn? {
        if case .topLevel(let key)? = tables[table]?.kind { key } else { nil }
    }

    func isEmbedded(_ table: Text) -> Bool { tables[table]?.kind == .embedded }

    /// Returns a property, which can be the primary key.
    func property(_ name: Text, of table: Text) -> ColumnDefinition? {
        if let column = columns[table]?[name] { return column }
        switch tables[table]?.kind {
        case .topLevel(let key)?, .asymmetric(let key)?:
            guard key.name == name else { return nil }
            return ColumnDefinition(ColumnReference(table, name), key.type, isNullable: key.isNullable, .single)
        case .embedded?, nil: return nil
        }
    }

    mutating func insert(_ definition: TableDefinition) {
        tables[definition.name] = definition
        if columns[definition.name] == nil { columns[definition.name] = [:] }
    }

    mutating func insert(_ definition: ColumnDefinition) {
        columns[definition.column.table, default: [:]][definition.column.name] = definition
    }
}

extension AppSchema {
    /// In the order of their names, targets of links before the properties: the order in which a client can add them.
    var instructions: [Instruction] {
        tables.values.sorted { $0.name < $1.name }.map { .addTable($0) }
            + columns.values.joined().map(\.value).sorted {
                ($0.column.table, $0.column.name) < ($1.column.table, $1.column.name)
            }
            .map { .addColumn($0) }
    }
}
