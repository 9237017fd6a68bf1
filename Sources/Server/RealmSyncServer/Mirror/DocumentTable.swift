// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmQuery
    import RealmStorage

    /// The statements of the table `regnum.documents`, which has one row for each object of a store.
    enum DocumentTable {
        /// Returns the statement that creates the index of a property, or `nil` if its type has no order in SQL.
        static func index(of className: String, property: String, _ type: ColumnType) -> String? {
            guard let expression = JSONBPath(names: [property]).comparable(type) else { return nil }
            let name = "documents_" + String(hash("\(className)\0\(property)\0\(type)"), radix: 16)
            return "CREATE INDEX IF NOT EXISTS \(name) ON regnum.documents (store, \(expression)) WHERE class = "
                + SQLText.quoted(JSONBText.written(className))
        }

        /// FNV-1a, which is the same in each run.
        private static func hash(_ text: String) -> UInt64 {
            text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }

        /// Returns the statement for the keys of the documents that a query selects. Its first parameter is the store,
        /// and `parameters` are the others.
        static func selection(
            of className: String, _ outline: QueryOutline
        ) -> (statement: String, parameters: [String], isExact: Bool) {
            let query = SQLQuery(outline, firstParameter: 2)
            let statement =
                "SELECT key FROM regnum.documents WHERE store = $1::bigint AND class = "
                + SQLText.quoted(JSONBText.written(className)) + " AND \(query.condition)"
            return (statement, query.parameters, query.isExact)
        }

        /// Adds or replaces documents. The parameters are the store, and arrays of the classes, keys, and documents.
        static let replacement = """
            INSERT INTO regnum.documents (store, class, key, document)
            SELECT $1::bigint, class, key, document::jsonb
            FROM unnest($2::text[], $3::text[], $4::text[]) AS given(class, key, document)
            ON CONFLICT (store, class, key) DO UPDATE SET document = excluded.document
            """

        /// The parameters are the store, and arrays of the classes and keys.
        static let removal = """
            DELETE FROM regnum.documents AS old USING unnest($2::text[], $3::text[]) AS given(class, key)
            WHERE store = $1::bigint AND old.class = given.class AND old.key = given.key
            """
    }
#endif
