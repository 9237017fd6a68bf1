// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    @testable import RealmSyncServer

    /// An asymmetric class with embedded objects, and the documents that its objects become.
    enum IngestModel {
        static let table: Text = "Reading"

        static let schema = Changeset(
            SimpleChanges.schema.instructions + [
                .addTable(TableDefinition("Spot", .embedded)),
                .column("lat", of: "Spot", .double),
                .addTable(TableDefinition(table, .asymmetric(PrimaryKeyColumn("_id", .int, isNullable: false)))),
                column("n", .int), column("note", .string, isNullable: true), column("tags", .string, .list),
                column("spot", .link, isNullable: true, .single, target: "Spot"),
                column("any", .null, isNullable: true), column("when", .timestamp),
                column("counts", .int, .dictionary),
            ])

        static func column(
            _ name: Text, _ type: ValueType, isNullable: Bool = false, _ collection: CollectionKind = .single,
            target: Text? = nil
        ) -> Instruction {
            .column(name, of: table, type, collection, isNullable: isNullable, target: target)
        }

        static func object(_ key: Int64) -> ObjectReference { ObjectReference(table, .int(key)) }

        static func set(_ key: Int64, _ name: Text, _ value: SyncValue, _ path: Path = .empty) -> Instruction {
            .change(Place(object(key), name, path), .update(value, isDefault: false))
        }

        /// Returns the instructions that create an object, and its document in relaxed Extended JSON.
        static func random(_ key: Int64, _ generator: inout SeededGenerator) -> ([Instruction], String) {
            var instructions: [Instruction] = [.createObject(object(key))]
            let number = Int64(generator.below(1000)) - 500
            instructions.append(set(key, "n", .int(number)))
            var note = ""
            if generator.chance(50) {
                instructions.append(set(key, "note", .string(Text("é\(number)"))))
                note = ",\"note\":\"é\(number)\""
            }
            let tags = (0..<generator.below(3)).map { "t\($0)" }
            for (index, tag) in tags.enumerated() {
                instructions.append(
                    .change(
                        Place(object(key), "tags", .one(.index(index))),
                        .insert(.string(Text(tag)), priorSize: index)))
            }
            var spot = ""
            if generator.chance(50) {
                instructions.append(set(key, "spot", .object))
                instructions.append(set(key, "spot", .double(0.5), .one(.key("lat"))))
                instructions.append(set(key, "spot", .double(0), .one(.key("lat"))))
                spot = ",\"spot\":{\"lat\":0.0}"
            }
            var any = ""
            if generator.chance(50) {
                instructions.append(set(key, "any", .dictionary))
                instructions.append(set(key, "any", .bool(true), .one(.key("k"))))
                any = ",\"any\":{\"k\":true}"
            }
            instructions.append(set(key, "counts", .int(7), .one(.key("a"))))
            let texts = tags.map { "\"\($0)\"" }.joined(separator: ",")
            let list = tags.isEmpty ? "" : ",\"tags\":[\(texts)]"
            return (
                instructions,
                "{\"_id\":\(key),\"n\":\(number)\(note)\(list)\(spot)\(any),\"counts\":{\"a\":7}}"
            )
        }
    }

    extension IngestFeed {
        /// Returns all documents, and verifies their numbers.
        func documents(pageSize: Int = 7) throws -> [String] {
            var (documents, cursor): ([String], UInt64) = ([], 0)
            while true {
                let page = try page(after: cursor, limit: pageSize)
                if page.records.isEmpty { return documents }
                for record in page.records {
                    guard record.sequence == UInt64(documents.count) + 1 else {
                        throw Failure("record \(record.sequence) follows \(documents.count)")
                    }
                    documents.append(try record.extendedJSON().relaxed.description)
                }
                cursor = page.cursor
            }
        }
    }
#endif
