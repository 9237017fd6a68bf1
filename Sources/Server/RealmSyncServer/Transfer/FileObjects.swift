// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    struct FileObjects {
        private let reader: RowReader
        private let classes: [RowReader.Class]
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
            let snapshot = try Database.open(path, readOnly: true).snapshot()
            for key in try snapshot.tableKeys() {
                guard let table = try snapshot.table(key), table.className != nil else { continue }
                try FileObjects.requirePrimaryKey(table, path, allowsAsymmetric)
            }
            reader = RowReader(snapshot)
            classes = try reader.allClasses()
            tables = classes.map(\.definition)
            columns = classes.flatMap(\.columns)
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

        /// The number of objects that `forEach` passes.
        var count: Int { wanted.reduce(0) { $0 + $1.count } }

        private var wanted: [RowReader.Class] {
            classes.filter { if case .topLevel = $0.definition.kind { true } else { false } }
        }

        /// Without embedded and asymmetric objects.
        func forEach(_ body: (ObjectReference, ObjectRow) throws -> Void) throws {
            for found in wanted { try reader.forEachObject(of: found, body) }
        }
    }
#endif
