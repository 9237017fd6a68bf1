// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmStorage
    import RealmSyncCore

    extension PostgresStores: MirroringStores {
        func mirror(
            _ store: UInt64, _ changes: DocumentChanges, _ documents: Snapshot, indexed: QueryableFields,
            of schema: AppSchema
        ) throws -> Bool {
            let mirror = DocumentMirror(pool: reads, store: Int64(store))
            guard try mirror.follow(changes, documents) else { return false }
            // Without a list, queries can use all fields, and an index of each would be expensive.
            if indexed != .all { try mirror.makeIndexes(of: schema, indexed) }
            return true
        }
    }
#endif
