// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Excludes primary keys from the columns.
struct PartitionSchema {
    private(set) var tables: [Text: TableDefinition] = [:]
    private(set) var columns: [Text: [Text: ColumnDefinition]] = [:]

    init(_ state: PartitionState) {
        tables = state.tables.mapValues(\.definition)
        columns = state.tables.mapValues { $0.columns.mapValues(\.definition) }
    }

    /// `nil` for an embedded class.
    func primaryKey(of table: Text) -> PrimaryKeyColumn? {
        if case .topLevel(let key)? = tables[table]?.kind { key } else { nil }
    }

    func isEmbedded(_ table: Text) -> Bool { tables[table]?.kind == .embedded }
}
