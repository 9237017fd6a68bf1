// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmValues

    /// Converts objects to documents in Extended JSON (§6.1), the opposite of `DocumentReader`. A link becomes the
    /// primary key of its target, whether or not the target exists.
    struct DocumentEncoder {
        private let source: any TableSource
        private let reader: ObjectReader
        /// The fields of top-level documents. Others are omitted, except for the primary key.
        private let fields: FieldSelection
        /// Whether a date has the member `$nanoseconds` if it has a fraction of milliseconds, which is lost otherwise.
        private let keepsNanoseconds: Bool

        init(_ source: any TableSource, fields: FieldSelection = .all, keepsNanoseconds: Bool = false) {
            self.source = source
            (self.fields, self.keepsNanoseconds) = (fields, keepsNanoseconds)
            reader = ObjectReader(source, keepsTombstones: true, depthLimit: PartitionObjects.longestPath)
        }

        /// Returns `nil` if the object doesn't exist.
        func document(_ key: ObjectKey, of table: Table) throws -> [ExtendedJSON.Member]? {
            guard let position = try table.find(key) else { return nil }
            var members: [ExtendedJSON.Member] = []
            for column in table.publicColumns where column.key == table.primaryKey || fields.contains(column.name) {
                let value = try reader.value(column, of: table, at: position)
                members.append(ExtendedJSON.Member(column.name, try json(value, column)))
            }
            // The key is the first member, as in documents of MongoDB.
            if let place = members.firstIndex(where: { $0.name == "_id" }), place > 0 {
                members.insert(members.remove(at: place), at: 0)
            }
            return members
        }

        private func json(_ value: DetachedValue, _ column: Column) throws -> ExtendedJSON {
            switch value {
            case .plain(.timestamp(let date)) where keepsNanoseconds && date.nanoseconds % 1_000_000 != 0:
                return .document([
                    ExtendedJSON.Member(
                        "$date",
                        .document([
                            ExtendedJSON.Member("$numberLong", .string(String(ExtendedJSON.milliseconds(date))))
                        ])),
                    ExtendedJSON.Member("$nanoseconds", .string(String(date.nanoseconds % 1_000_000))),
                ])
            case .plain(let stored): return ExtendedJSON(SyncNames.value(stored) ?? .null)
            case .link: return link(try source.syncValue(value), isMixed: column.type == .mixed)
            case .list(let elements), .set(let elements): return .array(try elements.map { try json($0, column) })
            case .dictionary(let entries):
                return .document(try entries.map { ExtendedJSON.Member($0.key, try json($0.value, column)) })
            case .object(let key, let values):
                guard let table = try source.table(key) else { return .null }
                return .document(
                    try zip(table.publicColumns, values).map { column, value in
                        ExtendedJSON.Member(column.name, try json(value, column))
                    })
            }
        }

        /// A link of a Mixed value is a DBRef.
        private func link(_ value: SyncValue, isMixed: Bool) -> ExtendedJSON {
            guard case .link(let target) = value else { return .null }
            let key = ExtendedJSON(target.key)
            guard isMixed else { return key }
            return .document([
                ExtendedJSON.Member("$ref", .string(target.table.string)), ExtendedJSON.Member("$id", key),
            ])
        }
    }

    extension FieldSelection {
        func contains(_ name: String) -> Bool {
            switch self {
            case .all: true
            case .only(let names): names.contains(ByteText(name))
            case .allBut(let names): !names.contains(ByteText(name))
            }
        }
    }
#endif
