// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem
    import RealmValues

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

        /// - Parameter allowsAsymmetric: Whether the file can have asymmetric classes. Their objects aren't read.
        /// - Throws: `StorageError`, or `ServerFailure` if a class doesn't have a primary key `_id`.
        init(_ path: String, allowsAsymmetric: Bool = false) throws {
            snapshot = try Database.open(path, readOnly: true).snapshot()
            var classes: [Table] = []
            var columns: [ColumnDefinition] = []
            for key in try snapshot.tableKeys() {
                guard let table = try snapshot.table(key), table.className != nil else { continue }
                try FileObjects.requirePrimaryKey(table, path, allowsAsymmetric)
                classes.append(table)
                for column in table.publicColumns where column.key != table.primaryKey {
                    columns.append(try snapshot.definition(of: column, in: table))
                }
            }
            self.classes = classes
            tables = try classes.map { try $0.definition() }
            self.columns = columns
        }

        private static func requirePrimaryKey(_ table: Table, _ path: String, _ allowsAsymmetric: Bool = false) throws {
            let name = table.className ?? table.name
            switch table.kind {
            case .embedded: return
            case .asymmetric where !allowsAsymmetric:
                throw ServerFailure(
                    description: "'\(path)': the class '\(name)' is asymmetric, which no partition has.")
            case .topLevel, .asymmetric:
                guard table.primaryKey.flatMap({ table.column($0) })?.name == "_id" else {
                    throw ServerFailure(
                        description: "'\(path)': the class '\(name)' has no primary key '_id', which every "
                            + "synchronised class needs.")
                }
            }
        }

        /// Without embedded and asymmetric objects.
        func forEach(_ body: (ObjectReference, PartitionState.Row) throws -> Void) throws {
            let reader = ObjectReader(snapshot, keepsTombstones: true, depthLimit: PartitionState.longestPath)
            for table in classes where table.kind == .topLevel {
                try reader.forEachObject(of: table) { key, values in
                    guard let object = try snapshot.reference(to: key, in: table) else { return }
                    try body(object, try row(values, table))
                }
            }
        }

        // MARK: Values

        private func row(_ values: [DetachedValue], _ table: Table) throws -> PartitionState.Row {
            var row: PartitionState.Row = [:]
            for (column, value) in zip(table.publicColumns, values) where column.key != table.primaryKey {
                let content = try content(value)
                let definition = try snapshot.definition(of: column, in: table)
                if content != PartitionState.start(of: definition) { row[Text(column.name)] = content }
            }
            return row
        }

        private func content(_ value: DetachedValue) throws -> PartitionState.Content {
            switch value {
            case .plain, .link: return .value(try snapshot.syncValue(value))
            case .list(let elements): return .list(PositionTree(try elements.map(content)))
            case .set(let elements): return .set(Set(try elements.map(snapshot.syncValue)))
            case .dictionary(let entries):
                var members: [Text: PartitionState.Content] = [:]
                for (key, value) in entries { members[Text(key)] = try content(value) }
                return .dictionary(members)
            case .object(let key, let values):
                guard let table = try snapshot.table(key), let name = table.className else { return .value(.null) }
                return .object(Text(name), try row(values, table))
            }
        }
    }
#endif
