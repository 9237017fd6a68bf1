// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension AppSchema {
    init(_ state: PartitionObjects) {
        self.init()
        for table in state.tables.values {
            insert(table.definition)
            for column in table.columns.values { insert(column.definition) }
        }
    }
}
