// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import ServerTestSupport

    /// A folder as `mongodump` writes it, with the documents of one collection and the schema of their class.
    struct DocumentDump {
        /// The class whose documents are counted in Documentation/HowBig.md.
        private static let schema = """
            {"classes": [{"title": "Thing", "bsonType": "object", "required": ["_id", "n", "s", "x", "good", "names"],
              "properties": {
              "_id": {"bsonType": "objectId"}, "n": {"bsonType": "long"}, "s": {"bsonType": "string"},
              "x": {"bsonType": "double"}, "good": {"bsonType": "bool"},
              "names": {"bsonType": "array", "items": {"bsonType": "string"}}}}]}

            """
        private static let metadata = """
            {"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"}],\
            "uuid":"00000000000040008000000000000001","collectionName":"Thing","type":"collection"}
            """
        private static let groupCount = 951

        let count: Int

        /// Equal counts give equal files.
        func write(to folder: String) throws {
            let folder = URL(fileURLWithPath: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(Self.schema.utf8).write(to: folder.appendingPathComponent("schema.json"))
            try Data(Self.metadata.utf8).write(to: folder.appendingPathComponent("Thing.metadata.json"))
            let path = folder.appendingPathComponent("Thing.bson")
            try Data().write(to: path)
            let file = try FileHandle(forWritingTo: path)
            for start in stride(from: 0, to: count, by: 10_000) {
                var bytes: [UInt8] = []
                for number in start..<min(start + 10_000, count) { bytes += BSONWriter.document(Self.thing(number)) }
                try file.write(contentsOf: bytes)
            }
            let size = try file.offset()
            try file.close()
            print("\(count) documents, \(size >> 20) MiB, with metadata and schema.json in \(folder.path)")
        }

        private static func thing(_ number: Int) -> [ExtendedJSON.Member] {
            typealias Member = ExtendedJSON.Member
            return [
                Member("_id", .objectId(ObjectIdBytes(high: 7, low: UInt32(number)))),
                Member("n", .int64(Int64(number % groupCount))), Member("s", .string("sample-\(number)")),
                Member("x", .double(Double(number % 10_000) / 10_000)), Member("good", .bool(number % 2 == 0)),
                Member("names", .array([.string("name-\(number % 100)"), .string("sort-\(number % 7)")])),
            ]
        }
    }
#endif
