// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmSyncCore

    /// A document as the text of a JSONB value: canonical Extended JSON, with the texts of `JSONBText`.
    enum JSONBDocument {
        static func text(_ members: [ExtendedJSON.Member]) -> String {
            written(ExtendedJSON.document(members).json).description
        }

        /// The key of an object in the table of documents: that of the member `_id`.
        static func key(_ key: PrimaryKey) -> String { written(ExtendedJSON(key).json).description }

        private static func written(_ json: JSON) -> JSON {
            switch json {
            case .string(let text): .string(JSONBText.written(text))
            case .array(let elements): .array(elements.map(written))
            case .object(let members):
                .object(members.map { JSON.Member(JSONBText.written($0.name), written($0.value)) })
            case .null, .bool, .number: json
            }
        }
    }
#endif
