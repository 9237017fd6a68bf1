// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct DatabaseInfo {
    let file: FileFacts
    let tables: [TableFacts]

    init(_ opened: OpenFile) throws {
        file = try FileFacts(opened)
        tables = try opened.snapshot.allTables().map { try TableFacts($0) }
    }

    var objectCount: Int { tables.reduce(0) { $0 &+ $1.objectCount } }
}

struct TableFacts {
    let name: String
    let kind: TableKind
    let objectCount: Int
    let columnCount: Int
    let backlinkColumnCount: Int
    let primaryKey: String?
    /// Columns with a search index, including the primary key.
    let indexed: [String]

    init(_ table: Table) throws {
        name = table.name
        kind = table.kind
        objectCount = try table.count()
        columnCount = table.publicColumns.count
        backlinkColumnCount = table.backlinkColumns.count
        primaryKey = table.primaryKey.flatMap { table.column($0)?.name }
        indexed = table.publicColumns.filter { table.hasIndex($0.key) }.map {
            $0.isFullTextIndexed ? $0.name + " (full text)" : $0.name
        }
    }
}
