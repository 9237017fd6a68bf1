// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct DocumentEditorTests {
        private func normal(_ value: ExtendedJSON) -> ExtendedJSON {
            switch value {
            case .document(let members):
                .document(members.map { .init($0.name, normal($0.value)) }.sorted { $0.name < $1.name })
            case .array(let elements): .array(elements.map(normal))
            default: value
            }
        }

        /// The order of a set is that of the database.
        private func normal(_ document: [ExtendedJSON.Member]) -> ExtendedJSON {
            normal(
                .document(
                    document.map { member in
                        guard member.name == "texts", case .array(let elements) = member.value else { return member }
                        return .init(member.name, .array(elements.sorted { $0.description < $1.description }))
                    }))
        }

        @Test func everyDocumentIsReadAsItWasInserted() throws {
            var model = try DocumentModel()
            var random = RandomDocuments(random: SeededGenerator(for: "DocumentEditorTests.insert"))
            let documents = (0..<40).map { random.document(Int64($0)) }
            for document in documents { try model.insert(document) }
            let read = try model.documents()
            #expect(read.count == documents.count)
            for document in documents {
                #expect(read.contains { normal($0) == normal(document) }, "\(document)")
            }
        }

        @Test func everyDocumentCanBecomeAnyOther() throws {
            var model = try DocumentModel()
            var random = RandomDocuments(random: SeededGenerator(for: "DocumentEditorTests.change"))
            for key in 0..<3 { try model.insert(random.document(Int64(key))) }
            for _ in 0..<300 {
                let old = random.pick(try model.documents())
                guard case .int64(let key)? = old.first?.value else { throw Failure("no key") }
                var new = random.document(Int64(key))
                // Only some fields change, as in most updates.
                for index in new.indices where random.chance(50) {
                    if let same = old.first(where: { $0.name == new[index].name }) { new[index] = same }
                }
                let update = try DocumentUpdate(new)
                var editor = DocumentEditor(try AppSchema(of: model.database.snapshot()))
                try editor.change(ObjectReference("Thing", .int(key)), from: old, to: update.apply(to: old))
                if let changeset = editor.changeset {
                    try model.apply(changeset)
                } else {
                    #expect(normal(old) == normal(new))
                }
                let read = try model.documents().first { $0.first == old.first }
                #expect(read.map(normal) == normal(new), "from \(old)")
            }
        }

        @Test func anIncrementBecomesAnAdditionAndAPushAnInsertion() throws {
            var model = try DocumentModel()
            try model.insert([.init("_id", .int64(1)), .init("int", .int64(5)), .init("ints", .array([.int64(1)]))])
            let old = try #require(try model.documents().first)
            let update = try DocumentUpdate([
                .init("$inc", .document([.init("int", .int32(2))])),
                .init("$push", .document([.init("ints", .int32(7))])),
            ])
            var editor = DocumentEditor(try AppSchema(of: model.database.snapshot()))
            let object = ObjectReference("Thing", .int(1))
            try editor.change(object, from: old, to: update.apply(to: old))
            #expect(
                editor.changeset
                    == Changeset([
                        .change(Place(object, "int"), .addInteger(2)),
                        .change(Place(object, "ints", .one(.index(1))), .insert(.int(7), priorSize: 1)),
                    ]))
        }

        @Test(arguments: [
            (#"{"$set":{"int":7,"part.y":"new"}}"#, #"{"int":7,"part":{"y":"new"}}"#),
            (#"{"$unset":{"int":1}}"#, #"{}"#), (#"{"$inc":{"int":2}}"#, #"{"int":5}"#),
            (#"{"$mul":{"int":3}}"#, #"{"int":9}"#), (#"{"$min":{"int":2}}"#, #"{"int":2}"#),
            (#"{"$max":{"int":2}}"#, #"{"int":3}"#), (#"{"$push":{"a":{"$each":[1,2]}}}"#, #"{"int":3,"a":[1,2]}"#),
            (#"{"$addToSet":{"a":1}}"#, #"{"int":3,"a":[1]}"#), (#"{"$setOnInsert":{"int":1}}"#, #"{"int":3}"#),
        ])
        func operatorsChangeADocument(update: String, result: String) throws {
            func members(_ text: String) throws -> [ExtendedJSON.Member] {
                let json = ExtendedJSON(try JSON(parsing: text))
                return try #require(json?.members)
            }
            let outcome = try DocumentUpdate(try members(update)).apply(to: try members(#"{"int":3}"#))
            #expect(
                "\(normal(outcome.document))".replacing("$numberLong", with: "$numberInt")
                    == "\(normal(try members(result)))")
        }

        @Test func pulledElementsAreRemoved() throws {
            let old: [ExtendedJSON.Member] = [.init("a", .array([.int64(1), .int64(5), .string("x"), .int64(9)]))]
            func pulled(_ condition: ExtendedJSON) throws -> ExtendedJSON? {
                try DocumentUpdate([.init("$pull", .document([.init("a", condition)]))]).apply(to: old).document[0]
                    .value
            }
            #expect(try pulled(.int32(5)) == .array([.int64(1), .string("x"), .int64(9)]))
            #expect(
                try pulled(.document([.init("$gt", .int32(3)), .init("$lt", .int32(9))]))
                    == .array([.int64(1), .string("x"), .int64(9)]))
            #expect(
                try pulled(.document([.init("$in", .array([.int32(1), .string("x")]))]))
                    == .array([.int64(5), .int64(9)]))
        }

        @Test(arguments: [
            (#"{"$rename":{"a":"b"}}"#, "$rename"), (#"{"$set":{"a":1,"a.b":2}}"#, "a.b"),
            (#"{"$set":{"a":1},"$inc":{"a":2}}"#, "'a'"), (#"{"$set":1}"#, "$set"), (#"{"a":1,"$set":{}}"#, "$set"),
            (#"{"$set":{"a..b":1}}"#, "a..b"), (#"{"$push":{"a":{"$each":[1],"$slice":2}}}"#, "$slice"),
            (#"{"$pull":{"a":{"$regex":"x"}}}"#, "$regex"), (#"{"$inc":{"t":1}}"#, "'t'"),
        ])
        func unsupportedUpdatesAreRefusedByName(update: String, name: String) throws {
            let members = try #require(ExtendedJSON(try JSON(parsing: update))?.members)
            let error = #expect(throws: ServiceRefusal.self) {
                _ = try DocumentUpdate(members).apply(to: [
                    .init("a", .array([])), .init("t", .string("x")),
                ])
            }
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }
    }
#endif
