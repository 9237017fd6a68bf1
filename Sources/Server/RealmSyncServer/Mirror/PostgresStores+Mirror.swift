// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmStorage
    import RealmSyncCore

    extension PostgresStores: MirroringStores {
        func mirror(_ store: UInt64, _ changes: DocumentChanges, _ documents: Snapshot) throws -> Bool {
            try DocumentMirror(pool: reads, store: Int64(store)).follow(changes, documents)
        }

        func createIndexes(_ store: UInt64, _ fields: QueryableFields, of schema: AppSchema) -> [any Error] {
            // Without a list, queries can use all fields, and an index of each would be expensive.
            guard fields != .all else { return [] }
            let mirror = DocumentMirror(pool: reads, store: Int64(store))
            return mirror.create(newIndexes(mirror.indexes(of: schema, fields)))
        }
    }
#endif
