// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    /// The classes and objects of a database file, in the form of a partition.
    struct FileObjects {
        private let snapshot: Snapshot
        private let classes: [Table]
        let tables: [TableDefinition]
        let columns: [ColumnDefinition]

        /// Whether a file has the header of a database (container 2).
        static func isDatabase(_ path: String) throws -> Bool {
            let file = try DiskFile.open(path, readOnly: true)
            return try file.size() >= 24 && file.bytes(4, at: 16) == Array("T-DB".utf8)
        }

        /// - Throws: `StorageError`, `ServerFailure` if a class has no primary key `_id`.
        init(_ path: String) throws {
            snapshot = try Database.open(path, readOnly: true).snapshot()
            var classes: [Table] = []
            var columns: [ColumnDefinition] = []
            for key in try snapshot.tableKeys() {
                guard let table = try snapshot.table(key), table.className != nil else { continue }
                try FileObjects.requirePrimaryKey(table, path)
                classes.append(table)
                for column in table.publicColumns where column.key != table.primaryKey {
                    columns.append(try snapshot.definition(of: column, in: table))
                }
            }
            self.classes = classes
            tables = try classes.map { try $0.definition() }
            self.columns = columns
        }

        private static func requirePrimaryKey(_ table: Table, _ path: String) throws {
            let name = table.className ?? table.name
            switch table.kind {
            case .embedded: return
            case .asymmetric:
                throw ServerFailure(
                    description: "'\(path)': the class '\(name)' is asymmetric, which no partition has.")
            case .topLevel:
                guard table.primaryKey.flatMap({ table.column($0) })?.name == "_id" else {
                    throw ServerFailure(
                        description: "'\(path)': the class '\(name)' has no primary key '_id', which every "
                            + "synchronised class needs.")
                }
            }
        }

        /// Passes all objects that aren't embedded to `body`.
        func forEach(_ body: (ObjectReference, PartitionState.Row) throws -> Void) throws {
            for table in classes where !table.isEmbedded {
                try table.clusters.forEachLeaf { leaf in
                    for row in 0..<leaf.count {
                        let key = leaf.key(at: row)
                        guard let object = try snapshot.reference(to: key, in: table) else { continue }
                        try body(object, try self.row(key, table, depth: 0))
                    }
                    return true
                }
            }
        }

        // MARK: Values

        private func row(_ key: ObjectKey, _ table: Table, depth: Int) throws -> PartitionState.Row {
            guard depth < PartitionState.longestPath else {
                throw ServerFailure(description: "More than \(depth) objects are embedded inside each other.")
            }
            var row: PartitionState.Row = [:]
            guard let position = try table.find(key) else { return row }
            for column in table.publicColumns where column.key != table.primaryKey {
                let collection = column.key.isCollection ? try table.collection(column, at: position) : nil
                let content =
                    try collection.map { try self.content($0, table, column, depth) }
                    ?? self.content(table.storedValue(column, at: position), table, column, depth)
                let definition = try snapshot.definition(of: column, in: table)
                if content != PartitionState.start(of: definition) { row[Text(column.name)] = content }
            }
            return row
        }

        private func content(
            _ collection: StoredCollection, _ table: Table, _ column: Column, _ depth: Int
        ) throws -> PartitionState.Content {
            switch collection {
            case .list(let list):
                return .list(PositionTree(try list.values().map { try content($0, table, column, depth) }))
            case .set(let set):
                var elements: Set<SyncValue> = []
                for value in try set.values() {
                    if case .value(let element) = try content(value, table, column, depth) { elements.insert(element) }
                }
                return .set(elements)
            case .dictionary(let entries):
                var members: [Text: PartitionState.Content] = [:]
                for index in 0..<entries.count {
                    members[Text(try entries.key(at: index))] =
                        try content(entries.value(at: index), table, column, depth)
                }
                return .dictionary(members)
            }
        }

        private func content(
            _ value: StoredValue, _ table: Table, _ column: Column, _ depth: Int
        ) throws -> PartitionState.Content {
            switch value {
            case .link(let key) where !key.isNull:
                return try link(key, in: table.oppositeTables[column.leafIndex], depth)
            case .typedLink(let link) where !link.object.isNull:
                return try self.link(link.object, in: link.table, depth)
            case .list, .dictionary:
                guard let collection = try StoredCollection(value: value, in: snapshot.space) else { break }
                return try content(collection, table, column, depth + 1)
            default: break
            }
            return .value(SyncNames.value(value) ?? .null)
        }

        private func link(_ key: ObjectKey, in table: TableKey, _ depth: Int) throws -> PartitionState.Content {
            guard let table = try snapshot.table(table), let name = table.className else { return .value(.null) }
            if table.isEmbedded { return .object(Text(name), try row(key, table, depth: depth + 1)) }
            return .value(try snapshot.reference(to: key, in: table).map { .link($0) } ?? .null)
        }
    }
#endif
