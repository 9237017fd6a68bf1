// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmAccounts
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// `user.mongoClient` with a real server: documents of a partition that a device synchronises.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct MongoClientTests {
        private typealias Change = @Sendable (inout RealmServer.Options, inout AccountsConfiguration) -> Void

        /// A scene with a first note in the device's partition.
        private static func scene(_ change: Change = { _, _ in }) async throws -> DocumentScene {
            let server = try await SyncedServer(nil) { options, accounts in
                accounts.limits.requests = .init(burst: 100_000, perMinute: 100_000)
                change(&options, &accounts)
            }
            let device = try Device(port: server.port)
            let configuration = try await device.configuration()
            let session = try withRealm(configuration) { realm in
                try realm.write { realm.add(Note("first")) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            return DocumentScene(server, device, configuration, of: try #require(device.app.currentUser))
        }

        private let all: RealmSwift.Document = ["_partition": "team"]

        private func filter(_ document: RealmSwift.Document) -> RealmSwift.Document {
            document.merging(["_partition": "team"]) { a, _ in a }
        }

        @Test func documentsAndObjectsAreTheSameData() async throws {
            let scene = try await Self.scene()
            let found = try await scene.notes.find(filter: all)
            #expect(found.count == 1 && found[0]["text"] == .string("first") && found[0]["_partition"] == nil)
            let id = try await scene.notes.insertOne(
                filter([
                    "text": "second", "count": 3, "tags": ["a", "b"], "marks": [1, 2],
                    "facts": ["n": 7, "list": [1, "x"]], "place": ["name": "home", "numbers": [1.5]],
                    "parent": found[0]["_id"] ?? nil,
                ]))
            try await eventually("the inserted object") { try scene.texts() == ["first", "second"] }
            try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).where { $0.text == "second" }.first)
                #expect(id == .objectId(note._id) && note.count == 3 && Array(note.tags) == ["a", "b"])
                #expect(Set(note.marks) == [1, 2] && note.facts["n"] == .int(7) && note.place?.name == "home")
                #expect(note.place.map { Array($0.numbers) } == [1.5] && note.parent?.text == "first")
            }
            let session = try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).where { $0.text == "second" }.first)
                try realm.write { note.count += 1 }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let document = try await scene.notes.findOneDocument(filter: filter(["text": "second"]))
            #expect(document?["count"] == .int64(4))
        }

        @Test(arguments: CalledCollection.Form.allCases)
        func everyCallChangesTheRealmOfTheDevice(_ form: CalledCollection.Form) async throws {
            let scene = try await Self.scene()
            let notes = CalledCollection(notes: scene.notes, form: form)
            let ids = try await notes.insertMany(
                (1...4).map { filter(["text": .string("n\($0)"), "count": .int64($0)]) })
            #expect(ids.count == 4)
            #expect(try await notes.count(filter: filter(["count": ["$gt": 1]])) == 3)
            #expect(try await notes.count(filter: filter(["count": ["$gt": 1]]), limit: 2) == 2)
            let options = FindOptions(2, ["text": 1, "_id": 0], [["count": -1]])
            let newest = try await notes.find(filter: filter(["count": ["$exists": true]]), options: options)
            #expect(newest == [["text": "n4"], ["text": "n3"]])

            let one = try await notes.updateOneDocument(
                filter: filter(["text": "n1"]), update: ["$inc": ["count": 10], "$push": ["tags": "x"]])
            #expect(one.matchedCount == 1 && one.modifiedCount == 1 && one.documentId == nil)
            let many = try await notes.updateManyDocuments(
                filter: filter(["count": ["$in": [2, 3]]]), update: ["$set": ["place.name": "there"]])
            #expect(many.matchedCount == 2 && many.modifiedCount == 2)
            let upserted = try await notes.updateOneDocument(
                filter: filter(["text": "n5"]), update: ["$set": ["count": 5]], upsert: true)
            #expect(upserted.matchedCount == 0 && upserted.documentId?.objectIdValue != nil)

            let before = try await notes.findOneAndUpdate(
                filter: filter(["text": "n2"]), update: ["$set": ["text": "m2"]])
            #expect(before?["text"] == .string("n2"))
            let after = try await notes.findOneAndReplace(
                filter: filter(["text": "m2"]), replacement: ["text": "r2"],
                options: FindOneAndModifyOptions(["text": 1], [], false, true))
            #expect(after?["text"] == .string("r2") && after?["count"] == nil)
            let deleted = try await notes.findOneAndDelete(filter: filter(["text": "r2"]))
            #expect(deleted?["text"] == .string("r2"))
            #expect(try await notes.findOneAndDelete(filter: filter(["text": "r2"])) == nil)

            let counted = try await notes.aggregate(
                pipeline: [["$match": .document(filter(["count": ["$gte": 3]]))], ["$count": "n"]])
            #expect(counted == [["n": .int64(4)]])
            let page = try await notes.aggregate(pipeline: [
                ["$match": .document(all)], ["$sort": ["text": 1]], ["$skip": 1], ["$limit": 2],
                ["$project": ["text": 1, "_id": 0]],
            ])
            #expect(page == [["text": "n1"], ["text": "n3"]])
            #expect(try await notes.findOneDocument(filter: filter(["text": "n4"]))?["count"] == .int64(4))
            let first = try await notes.findOneDocument(filter: all, options: FindOptions(0, ["text": 1, "_id": 0]))
            #expect(first?.keys.sorted() == ["text"])
            try await eventually("the changes") { try scene.texts() == ["first", "n1", "n3", "n4", "n5"] }
            try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).where { $0.text == "n1" }.first)
                #expect(note.count == 11 && Array(note.tags) == ["x"])
                #expect(realm.objects(Note.self).where { $0.text == "n3" }.first?.place?.name == "there")
            }
            #expect(try await notes.deleteOneDocument(filter: filter(["text": "n1"])) == 1)
            #expect(try await notes.deleteManyDocuments(filter: all) == 4)
            try await eventually("the deletions") { try scene.texts().isEmpty }
            let id = try await notes.insertOne(filter(["text": "last"]))
            #expect(try await notes.find(filter: all).map { $0["_id"] } == [id])
            let changed = try await notes.findOneAndUpdate(
                filter: all, update: ["$set": ["text": "end"]], options: FindOneAndModifyOptions(nil, [], false, true))
            #expect(changed?["text"] == .string("end"))
            let replaced = try await notes.findOneAndReplace(filter: all, replacement: ["count": 1])
            #expect(replaced?["text"] == .string("end"))
            let projection = FindOneAndModifyOptions(["count": 1, "_id": 0])
            #expect(try await notes.findOneAndDelete(filter: all, options: projection) == ["count": .int64(1)])
            #expect(
                try await notes.updateManyDocuments(
                    filter: filter(["text": "new"]), update: ["$set": ["count": 1]], upsert: true
                ).documentId != nil)
            let text = await message { _ = try await notes.find(filter: [:]) }
            #expect(text.contains("_partition"))
        }

        @Test func refusalsNameTheCause() async throws {
            let scene = try await Self.scene()
            #expect(await message { _ = try await scene.notes.find(filter: [:]) }.contains("_partition"))
            #expect(await message { _ = try await scene.notes.find(filter: filter(["$where": 1])) }.contains("$where"))
            for stage in ["$group", "$lookup", "$unwind", "$out"] {
                let pipeline: [RealmSwift.Document] = [["$match": .document(all)], [stage: ["_id": "$text"]]]
                let text = await message { _ = try await scene.notes.aggregate(pipeline: pipeline) }
                #expect(text == "400 the stage '\(stage)' isn't supported")
            }
            #expect(
                await message { try await scene.notes.insertOne(filter(["unknown": 1])) }.contains("Note.unknown"))
            #expect(await message { try await scene.notes.insertOne(filter(["text": 1])) }.contains("text"))
            let id = try await scene.notes.insertOne(filter([:]))
            #expect(await message { try await scene.notes.insertOne(filter(["_id": id])) }.contains("_id"))
            #expect(
                await message {
                    try await scene.notes.updateOneDocument(
                        filter: all, update: ["$set": ["_id": .objectId(.generate())]])
                }.contains("_id"))
            let database = try #require(scene.device.app.currentUser).mongoClient("mongodb-atlas").database(named: "d")
            #expect(try await database.collection(withName: "Absent").find(filter: all).isEmpty)
            #expect(
                await message { try await database.collection(withName: "Absent").insertOne(all) }.contains("Absent"))
            #expect(try await scene.notes.find(filter: ["_partition": "elsewhere"]).isEmpty)
        }

        /// The server refuses each call or responds to it, and continues.
        @Test func randomArgumentsAreAnsweredOrRefused() async throws {
            let scene = try await Self.scene()
            let user = try #require(scene.device.app.currentUser)
            var random = SeededGenerator(for: "MongoClientTests")
            let texts = [
                "null", "1", "-1", "1e400", #""""#, "[]", "{}", "[{}]", #"[{"$match":{}}]"#, #"{"$set":{"text":{}}}"#,
                #"{"_partition":"team"}"#, #"{"_partition":{"$eq":"team"},"count":{"$gt":{}}}"#, #"{"$oid":"x"}"#,
                #"{"_partition":"team","$and":[{"$or":[{"tags":{"$all":[[],{}]}}]}]}"#, #"{"$date":"x"}"#,
                #"{"text":"a"}"#, #"{"$inc":{"count":{"$numberLong":"9223372036854775807"}}}"#, #"{"":1}"#,
                #"{"$push":{"tags":{"$each":[1]}}}"#, #"{"$unset":{"_id":1}}"#, #"{"place":{"numbers":[[]]}}"#,
                #"{"_partition":"team","facts":{"\u0000":[[[[]]]]}}"#, #"{"$set":{"facts.a.b.c":[{"d":null}]}}"#,
            ]
            let values = texts.compactMap { try? JSON(parsing: $0) }
            let commands = [
                "find", "findOne", "count", "aggregate", "insertOne", "insertMany", "updateOne", "updateMany",
                "deleteOne", "findOneAndUpdate", "findOneAndReplace", "findOneAndDelete", "watch", "drop",
            ]
            let names = [
                "query", "filter", "update", "document", "documents", "pipeline", "sort", "limit", "project", "upsert",
                "ids",
            ]
            for _ in 0..<400 {
                var members: [JSON.Member] = [.init("database", "d"), .init("collection", "Note")]
                for name in names where random.chance(50) { members.append(.init(name, random.pick(values))) }
                let argument = random.chance(5) ? random.pick(values) : .object(members)
                do {
                    try await user.send(.function(random.pick(commands), [argument], service: "mongodb-atlas"))
                } catch let error as AppError {
                    #expect(error.httpStatusCode.map { 400..<500 ~= $0 } == true, "\(error) for \(argument)")
                }
            }
            _ = try await scene.notes.count(filter: all)
        }

        @Test func permissionsOfPartitionsApply() async throws {
            let scene = try await Self.scene { options, _ in
                options.permissions = { $0.partition == "team" ? .write : $0.partition == "open" ? .read : .none }
            }
            #expect(try await scene.notes.find(filter: all).count == 1)
            #expect(try await scene.notes.find(filter: ["_partition": "open"]).isEmpty)
            for call in [
                { _ = try await scene.notes.insertOne(["_partition": "open"]) },
                { _ = try await scene.notes.find(filter: ["_partition": "secret"]) },
            ] as [() async throws -> Void] {
                let text = await message(call)
                #expect(text.hasPrefix("403") && text.contains("may not"), "\(text)")
            }
        }

        @Test func aWatchReceivesTheChangesOfOtherDevicesAndCalls() async throws {
            let scene = try await Self.scene()
            let opened = Collected<Bool>()
            let events = Collected<RealmSwift.Document>()
            let watching = Task { [notes = scene.notes] in
                let filter: RealmSwift.Document = ["_partition": "team", "fullDocument.count": ["$gt": 1]]
                for try await event in notes.changeEvents(matchFilter: filter, onOpen: { opened.append(true) }) {
                    if let document = event.documentValue { events.append(document) }
                }
            }
            _ = try await opened.first()
            _ = try await scene.notes.insertOne(filter(["text": "low", "count": 1]))
            _ = try await scene.notes.insertOne(filter(["text": "high", "count": 2]))
            let session = try withRealm(scene.configuration) { realm in
                let note = Note("mine")
                note.count = 9
                try realm.write { realm.add(note) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            try await eventually("the events") { events.all.count == 2 }
            _ = try await scene.notes.updateOneDocument(
                filter: filter(["text": "high"]), update: ["$set": ["count": 3]])
            try await eventually("the update") { events.all.count == 3 }
            let all = events.all
            #expect(all.map { $0["operationType"] } == ["insert", "insert", "update"])
            #expect(all.map { ($0["fullDocument"] ?? nil)?.documentValue?["text"] } == ["high", "mine", "high"])
            let description = (all[2]["updateDescription"] ?? nil)?.documentValue
            #expect(description?["updatedFields"] == .document(["count": .int64(3)]))
            watching.cancel()
            try await watching.value
        }

        @Test func aWatchWithoutAPartitionIsRefused() async throws {
            let scene = try await Self.scene()
            await #expect(throws: AppError.self) { for try await _ in scene.notes.changeEvents {} }
        }

        @Test func concurrentIncrementsAreAllCounted() async throws {
            let scene = try await Self.scene()
            try await scene.expectConcurrentChangesAreCounted(filter(["text": "first"]))
        }
    }
#endif
