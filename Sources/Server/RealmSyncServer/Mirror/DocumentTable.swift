// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmQuery
    import RealmStorage

    /// The statements of the table `regnum.documents`, which has one row for each object of a store.
    package enum DocumentTable {
        package struct Index: Sendable {
            let name: String
            /// The statement that creates it.
            package let statement: String
        }

        /// Returns the index of a property, or `nil` if its type can't be compared in SQL.
        package static func index(
            of className: String, property: String, _ type: ColumnType, store: Int64
        ) -> Index? {
            guard let expression = JSONBPath(names: [property]).comparable(type) else { return nil }
            // An ordered index has no room for a long value.
            let method = type == .string || type == .binary ? "hash" : "btree"
            let target = "regnum.documents USING \(method) (\(expression)) WHERE \(place(of: className, store))"
            let name = "documents_" + String(hash(target), radix: 16)
            return Index(name: name, statement: "CREATE INDEX IF NOT EXISTS \(name) ON \(target)")
        }

        /// The condition of the documents of a class. It has no parameters, so PostgreSQL finds the index.
        private static func place(of className: String, _ store: Int64) -> String {
            "store = \(store)::bigint AND class = \(SQLText.quoted(JSONBText.written(className)))"
        }

        /// FNV-1a, which is the same in each run.
        private static func hash(_ text: String) -> UInt64 {
            text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }

        /// Returns the statement for the keys of the documents that a query selects, and its parameters.
        package static func selection(
            of className: String, _ outline: QueryOutline, store: Int64
        ) -> (statement: String, parameters: [String], isExact: Bool) {
            let query = SQLQuery(outline)
            let statement =
                "SELECT key FROM regnum.documents WHERE \(place(of: className, store)) AND \(query.condition)"
            return (statement, query.parameters, query.isExact)
        }

        /// Adds or replaces documents. The parameters are the store, and arrays of the classes, keys, and documents.
        static let replacement = #"""
            INSERT INTO regnum.documents (store, class, key, document)
            SELECT $1::bigint, class, key, document::jsonb
            FROM unnest($2::text[], $3::text[], $4::text[]) AS given(class, key, document)
            ON CONFLICT (store, class, sha256(replace(key, '\', '\\')::bytea))
            DO UPDATE SET document = excluded.document
            """#

        /// The parameters are the store, and arrays of the classes and keys.
        static let removal = #"""
            DELETE FROM regnum.documents AS old USING unnest($2::text[], $3::text[]) AS given(class, key)
            WHERE store = $1::bigint AND old.class = given.class AND old.key = given.key
            AND sha256(replace(old.key, '\', '\\')::bytea) = sha256(replace(given.key, '\', '\\')::bytea)
            """#
    }
#endif
