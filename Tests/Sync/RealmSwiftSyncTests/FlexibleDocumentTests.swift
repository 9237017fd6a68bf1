// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// `user.mongoClient` with a real server and devices that have subscriptions.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct FlexibleDocumentTests {
        /// A server, a device that subscribes to notes whose count is above 5, and the collection of notes of another
        /// user. The rights of that user can be limited.
        private final class Scene: DocumentScene {
            let other: Device
            private let limited: NIOLockedValueBox<(user: String, access: DocumentAccess.OnClass)>

            init(accessLifetime: Duration? = nil) async throws {
                let limited = NIOLockedValueBox((user: "", access: DocumentAccess.OnClass.all))
                let server = try await SyncedServer(nil) { options, accounts in
                    accounts.limits.requests = .init(burst: 100_000, perMinute: 100_000)
                    options.flexibleApps = ["notes"]
                    if let accessLifetime { accounts.apps[0].accessLifetime = accessLifetime }
                    options.documentAccess = { context in
                        let (user, access) = limited.withLockedValue { $0 }
                        return DocumentAccess(others: context.user == user ? access : .all)
                    }
                }
                let device = try Device(port: server.port)
                let owner = try await device.app.login(credentials: .anonymous)
                var configuration = owner.flexibleSyncConfiguration(initialSubscriptions: { set in
                    set.append(QuerySubscription<Note> { $0.count > 5 })
                })
                configuration.objectTypes = [Note.self, Place.self]
                try await opened(configuration) { _ in }
                other = try Device(port: server.port)
                let user = try await other.app.login(credentials: .anonymous)
                limited.withLockedValue { $0.user = user.id }
                self.limited = limited
                super.init(server, device, configuration, of: user)
            }

            func limit(_ change: (inout DocumentAccess.OnClass) -> Void) {
                limited.withLockedValue { change(&$0.access) }
            }
        }

        @Test func documentsMoveIntoAndOutOfTheViewOfADevice() async throws {
            let scene = try await Scene()
            let id = try await scene.notes.insertOne([
                "text": "high", "count": 6, "tags": ["a", "b"], "facts": ["n": 7], "place": ["name": "home"],
            ])
            try await scene.notes.insertOne(["text": "low", "count": 1, "parent": id])
            try await eventually("the inserted object") { try scene.texts() == ["high"] }
            try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).first)
                #expect(id == .objectId(note._id) && Array(note.tags) == ["a", "b"] && note.facts["n"] == .int(7))
                #expect(note.place?.name == "home")
            }
            let moved = try await scene.notes.updateOneDocument(
                filter: ["text": "low"], update: ["$set": ["count": 9], "$push": ["tags": "x"]])
            #expect(moved.matchedCount == 1 && moved.modifiedCount == 1)
            try await eventually("the object that moved in") { try scene.texts() == ["high", "low"] }
            try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).where { $0.text == "low" }.first)
                #expect(Array(note.tags) == ["x"] && note.parent?.text == "high")
            }
            _ = try await scene.notes.updateManyDocuments(
                filter: ["count": ["$lt": 9]], update: ["$set": ["count": 0]])
            try await eventually("the object that moved out") { try scene.texts() == ["low"] }
            #expect(try await scene.notes.count(filter: [:]) == 2)
            // A device's change and a document's change merge.
            let session = try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).first)
                try realm.write { note.tags.append("y") }
                return try #require(realm.syncSession)
            }
            _ = try await scene.notes.findOneAndUpdate(filter: ["text": "low"], update: ["$inc": ["count": 1]])
            try await session.wait(for: .upload)
            let document = try await scene.notes.findOneDocument(filter: ["text": "low"])
            #expect(document?["count"] == .int64(10) && document?["tags"] == .array(["x", "y"]))
            #expect(try await scene.notes.deleteOneDocument(filter: ["text": "low"]) == 1)
            try await eventually("the deletion") { try scene.texts().isEmpty }
        }

        @Test func everyCallWorksWithoutAPartition() async throws {
            let scene = try await Scene()
            let ids = try await scene.notes.insertMany(
                (1...9).map { ["text": .string("n\($0)"), "count": .int64($0)] })
            #expect(ids.count == 9)
            try await eventually("the insertions") { try scene.texts() == ["n6", "n7", "n8", "n9"] }
            let options = FindOptions(2, ["text": 1, "_id": 0], [["count": -1]])
            #expect(try await scene.notes.find(filter: [:], options: options) == [["text": "n9"], ["text": "n8"]])
            let upserted: UpdateResult = try await scene.notes.updateOneDocument(
                filter: ["text": "n10"], update: ["$set": ["count": 10]], upsert: true)
            #expect(upserted.matchedCount == 0 && upserted.documentId?.objectIdValue != nil)
            let after = try await scene.notes.findOneAndReplace(
                filter: ["text": "n9"], replacement: ["text": "r9", "count": 90],
                options: FindOneAndModifyOptions(["text": 1], [], false, true))
            #expect(after?["text"] == .string("r9"))
            #expect(try await scene.notes.findOneAndDelete(filter: ["text": "n8"])?["count"] == .int64(8))
            let page = try await scene.notes.aggregate(pipeline: [
                ["$match": ["count": ["$gte": 6]]], ["$sort": ["count": -1]], ["$limit": 2],
                ["$project": ["text": 1, "_id": 0]],
            ])
            #expect(page == [["text": "r9"], ["text": "n10"]])
            let counted = try await scene.notes.aggregate(pipeline: [["$count": "n"]])
            #expect(counted == [["n": .int64(9)]])
            try await eventually("the changes") { try scene.texts() == ["n10", "n6", "n7", "r9"] }
            #expect(try await scene.notes.deleteManyDocuments(filter: [:]) == 9)
            try await eventually("the deletions") { try scene.texts().isEmpty }
            #expect(await message { _ = try await scene.notes.insertOne(["_partition": "x"]) }.contains("_partition"))
        }

        @Test func aUserFindsOnlyReadableDocumentsAndFields() async throws {
            let scene = try await Scene()
            try await scene.notes.insertMany([
                ["text": "a", "count": 1, "tags": ["secret"]], ["text": "b", "count": 2], ["text": "c", "count": 7],
            ])
            scene.limit { ($0.read, $0.readableFields) = (.matching("count < 5"), .only(["text", "count"])) }
            let found = try await scene.notes.find(filter: [:])
            #expect(found.map { $0["text"] } == ["a", "b"])
            #expect(found.allSatisfy { Set($0.keys) == ["_id", "text", "count"] })
            #expect(try await scene.notes.count(filter: [:]) == 2)
            #expect(try await scene.notes.count(filter: ["tags": "secret"]) == 0)
            let id = try #require(found[0]["_id"] ?? nil)
            #expect(try await scene.notes.count(filter: ["_id": id]) == 1)
            #expect(try await scene.notes.aggregate(pipeline: [["$count": "n"]]) == [["n": .int64(2)]])
            scene.limit { $0.read = .none }
            #expect(try await scene.notes.find(filter: [:]).isEmpty)
        }

        @Test func forbiddenChangesAreRefusedAsAWholeWithTheReason() async throws {
            let scene = try await Scene()
            try await scene.notes.insertMany([
                ["text": "mine", "count": 6, "tags": ["t"]], ["text": "theirs", "count": 7, "tags": ["t"]],
            ])
            try await eventually("the insertions") { try scene.texts() == ["mine", "theirs"] }
            let before = try await scene.notes.find(filter: [:])
            scene.limit { access in
                access.write = .matching("text BEGINSWITH 'mine'")
                (access.canDelete, access.writableFields) = (false, .allBut(["tags", "place"]))
                access.readableFields = .allBut(["place"])
            }
            let filter: RealmSwift.Document = ["text": "mine"]
            func expect(
                _ reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
            ) async {
                let text = await message(call)
                #expect(text.hasPrefix("403") && text.contains(reason), "\(text)", sourceLocation: sourceLocation)
            }
            await expect("can't write the object") { try await scene.notes.insertOne(["text": "other"]) }
            await expect("can't write the object") {
                // The first of these documents is writable.
                _ = try await scene.notes.insertMany([["text": "mine2"], ["text": "other"]])
            }
            await expect("can't write the object") {
                _ = try await scene.notes.updateManyDocuments(filter: [:], update: ["$set": ["count": 8]])
            }
            await expect("can't write the object") {
                // It's writable only before.
                _ = try await scene.notes.updateOneDocument(filter: filter, update: ["$set": ["text": "given"]])
            }
            await expect("'tags'") {
                _ = try await scene.notes.updateOneDocument(filter: filter, update: ["$push": ["tags": "x"]])
            }
            await expect("can't delete") { _ = try await scene.notes.deleteOneDocument(filter: filter) }
            // An update of a hidden field is refused even if it changes nothing: otherwise it would reveal the value.
            for update in [["$set": ["place": nil]], ["$unset": ["place": 1]]] as [RealmSwift.Document] {
                await expect("'place'") { _ = try await scene.notes.updateOneDocument(filter: filter, update: update) }
            }
            scene.limit { $0.canInsert = false }
            await expect("can't create") { try await scene.notes.insertOne(["text": "mine3"]) }
            await expect("can't create") {
                let _: UpdateResult = try await scene.notes.updateOneDocument(
                    filter: ["text": "mine4"], update: ["$set": ["count": 1]], upsert: true)
            }
            // Nothing was changed, and what is permitted still works.
            scene.limit { $0.readableFields = .all }
            #expect(try await scene.notes.find(filter: [:]) == before)
            let changed = try await scene.notes.updateOneDocument(filter: filter, update: ["$inc": ["count": 10]])
            #expect(changed.modifiedCount == 1)
            try await eventually("the permitted change") {
                try withRealm(scene.configuration) { $0.objects(Note.self).where { $0.count == 16 }.count == 1 }
            }
            #expect(try scene.texts() == ["mine", "theirs"])
        }

        /// The user can't know the values of hidden fields, so a replacement can't repeat them.
        @Test func aReplacementRetainsHiddenFields() async throws {
            let scene = try await Scene()
            try await scene.notes.insertOne(["text": "a", "count": 6, "tags": ["hidden"], "place": ["name": "home"]])
            scene.limit { access in
                (access.readableFields, access.writableFields) = (.allBut(["tags"]), .allBut(["tags"]))
            }
            let replaced = try await scene.notes.findOneAndReplace(
                filter: ["text": "a"], replacement: ["text": "b", "count": 7],
                options: FindOneAndModifyOptions(nil, [], false, true))
            #expect(replaced?["text"] == .string("b") && replaced?["tags"] == nil)
            scene.limit { $0 = .all }
            let stored = try await scene.notes.findOneDocument(filter: [:])
            #expect(stored?["tags"] == .array(["hidden"]) && stored?["place"] == .some(.none))
        }

        @Test func aWatchReceivesReadableChangesOfDevicesAndCalls() async throws {
            let scene = try await Scene()
            let id = try await scene.notes.insertOne(["text": "first", "count": 6, "tags": ["t"]])
            try await eventually("the first object") { try scene.texts() == ["first"] }
            scene.limit { ($0.read, $0.readableFields) = (.matching("count > 5"), .allBut(["tags"])) }
            let (opened, events) = (Collected<Bool>(), Collected<RealmSwift.Document>())
            let watching = Task { [notes = scene.notes] in
                for try await event in notes.changeEvents(onOpen: { opened.append(true) }) {
                    if let document = event.documentValue { events.append(document) }
                }
            }
            _ = try await opened.first()
            let session = try withRealm(scene.configuration) { realm in
                let note = try #require(realm.objects(Note.self).first)
                // A change of a hidden field isn't reported.
                try realm.write { note.tags.append("hidden") }
                try realm.write { note.count = 7 }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            try await scene.notes.insertOne(["text": "low", "count": 1])
            try await scene.notes.insertOne(["text": "high", "count": 8])
            try await eventually("the events") { events.all.count >= 2 }
            let all = events.all
            #expect(all.map { $0["operationType"] } == ["update", "insert"])
            #expect(all[0]["documentKey"] == .document(["_id": id]))
            #expect(all.allSatisfy { ($0["fullDocument"] ?? nil)?.documentValue?["tags"] == nil })
            watching.cancel()
            try await watching.value
        }

        private enum Watch: CaseIterable {
            case all, filter, ids
        }

        @Test(arguments: Watch.allCases)
        private func aDelegateReceivesTheEventsOfItsStream(_ watch: Watch) async throws {
            let scene = try await Scene()
            let ids = try await scene.notes.insertMany([["text": "a"], ["text": "b"]])
            let queue = DispatchQueue(label: "events")
            let delegate = Delegate(queue)
            let stream =
                switch watch {
                case .all: scene.notes.watch(delegate: delegate, queue: queue)
                case .filter:
                    scene.notes.watch(matchFilter: ["fullDocument.text": "a"], delegate: delegate, queue: queue)
                case .ids:
                    scene.notes.watch(
                        filterIds: [try #require(ids[0].objectIdValue)], delegate: delegate, queue: queue)
                }
            let opened = try await delegate.opened.first()
            #expect(opened === stream)
            for (text, count) in [("b", 1), ("a", 2), ("b", 3), ("a", 4)] as [(String, Int64)] {
                try await scene.notes.updateOneDocument(
                    filter: ["text": .string(text)], update: ["$set": ["count": .int64(count)]])
            }
            let expected: [Int64] = watch == .all ? [1, 2, 3, 4] : [2, 4]
            try await eventually("the events") { delegate.counts.count >= expected.count }
            #expect(delegate.counts == expected.map { .int64($0) })
            stream.close()
            try await eventually("the end") { delegate.log.all.count == 1 }
            #expect(delegate.log.all == ["closed"])
        }

        @Test func aDelegateReceivesTheRefusalOfItsStream() async throws {
            let scene = try await Scene()
            let queue = DispatchQueue(label: "events")
            let delegate = Delegate(queue)
            let stream = scene.notes.watch(matchFilter: ["operationType": "insert"], delegate: delegate, queue: queue)
            try await eventually("the end") { delegate.log.all.count == 2 }
            let reason = "events can't be filtered by 'operationType', only by fields of 'fullDocument'"
            #expect(delegate.log.all == ["error \(reason)", "closed \(reason)"])
            withExtendedLifetime(stream) {}
        }

        /// Records the calls, which must be on its queue.
        private final class Delegate: ChangeEventDelegate {
            let opened = Collected<ChangeStream>()
            let log = Collected<String>()
            private let events = Collected<AnyBSON?>()
            private let queue: DispatchQueue

            init(_ queue: DispatchQueue) { self.queue = queue }

            var counts: [AnyBSON?] {
                events.all.map { ($0?.documentValue?["fullDocument"] ?? nil)?.documentValue?["count"] ?? nil }
            }

            func changeStreamDidOpen(_ changeStream: ChangeStream) {
                dispatchPrecondition(condition: .onQueue(queue))
                opened.append(changeStream)
            }

            func changeStreamDidClose(with error: (any Error)?) {
                dispatchPrecondition(condition: .onQueue(queue))
                log.append("closed" + (error.map { " " + text($0) } ?? ""))
            }

            func changeStreamDidReceive(error: any Error) {
                dispatchPrecondition(condition: .onQueue(queue))
                log.append("error " + text(error))
            }

            func changeStreamDidReceive(changeEvent: AnyBSON?) {
                dispatchPrecondition(condition: .onQueue(queue))
                events.append(changeEvent)
            }

            private func text(_ error: any Error) -> String { (error as? AppError)?.message ?? "\(error)" }
        }

        @Test func aWatchOfKeysReceivesOnlyTheirEvents() async throws {
            let scene = try await Scene()
            let ids = try await scene.notes.insertMany([["text": "a"], ["text": "b"], ["text": "c"]])
            let (opened, events) = (Collected<Bool>(), Collected<AnyBSON?>())
            let keys = try ids[1...].map { try #require($0.objectIdValue) }
            let watching = Task { [notes = scene.notes] in
                for try await event in notes.changeEvents(filterIds: keys, onOpen: { opened.append(true) }) {
                    events.append((event.documentValue?["documentKey"] ?? nil)?.documentValue?["_id"] ?? nil)
                }
            }
            _ = try await opened.first()
            for text in ["a", "b", "a", "c"] {
                try await scene.notes.updateOneDocument(
                    filter: ["text": .string(text)], update: ["$inc": ["count": 1]])
            }
            try await scene.notes.deleteManyDocuments(filter: [:])
            try await eventually("the events") { events.all.count == 4 }
            #expect(events.all == [ids[1], ids[2], ids[1], ids[2]])
            watching.cancel()
            try await watching.value
        }

        @Test func aWatchContinuesWithNewTokens() async throws {
            // Long enough for a request on a busy machine.
            let scene = try await Scene(accessLifetime: .seconds(6))
            let (opened, events) = (Collected<Bool>(), Collected<RealmSwift.Document>())
            let watching = Task { [notes = scene.notes] in
                for try await event in notes.changeEvents(onOpen: { opened.append(true) }) {
                    if let document = event.documentValue { events.append(document) }
                }
            }
            _ = try await opened.first()
            let user = try #require(scene.other.app.currentUser)
            // The changes of the device need no token of the user who watches.
            for number in 1...2 {
                let token = user.accessToken
                try withRealm(scene.configuration) { realm in
                    let note = Note("\(number)")
                    note.count = 6
                    try realm.write { realm.add(note) }
                }
                try await eventually("the event \(number)") { events.all.count >= number }
                try await eventually("a new token") { user.accessToken != token }
            }
            let texts = events.all.map { ($0["fullDocument"] ?? nil)?.documentValue?["text"] }
            #expect(texts == ["1", "2"] && opened.all == [true])
            watching.cancel()
            try await watching.value
        }

        /// No response to any call contains a hidden value, and none is an error of the server.
        @Test func randomCallsRevealNothingHidden() async throws {
            let scene = try await Scene()
            let user = try #require(scene.other.app.currentUser)
            let ids = try await scene.notes.insertMany([
                ["text": "a", "count": 1, "tags": ["HIDDEN"], "facts": ["k": "HIDDEN"]],
                ["text": "b", "count": 2, "tags": ["HIDDEN"]], ["text": "HIDDEN", "count": 9, "tags": ["HIDDEN"]],
            ])
            scene.limit { access in
                (access.read, access.write) = (.matching("count < 5"), .matching("count < 5"))
                access.readableFields = .allBut(["tags", "facts"])
                access.writableFields = .allBut(["tags", "facts"])
            }
            var random = SeededGenerator(for: "FlexibleDocumentTests")
            let filters = [
                "{}", #"{"count":{"$gte":0}}"#, #"{"text":{"$regex":""}}"#, #"{"tags":{"$ne":"x"}}"#, #"{"text":"a"}"#,
                #"{"facts.k":{"$exists":true}}"#, #"{"tags":{"$in":["HIDDE"]}}"#, "null", "[{}]",
            ]
            let orders = [#"{"tags":1,"facts":1}"#, #"{"tags":-1}"#, #"{"text":1}"#, #"{"facts.k":0}"#, "1", "null"]
            let updates = [
                #"{"$set":{"count":3}}"#, #"{"$set":{"tags":[]}}"#, #"{"$push":{"tags.0":"x"}}"#,
                #"{"$inc":{"count":1}}"#,
                #"{"$unset":{"facts.k":1}}"#, #"{"text":"new","count":1}"#, #"{"$min":{"tags":["x"]}}"#, "{}",
            ]
            let documents = [#"{"text":"new","count":1}"#, #"{"text":"c","tags":["mine"]}"#, #"{"count":8}"#, "1"]
            let pipelines = [
                #"[{"$match":{"tags":{"$in":["HIDDE"]}}},{"$sort":{"facts.k":1}},{"$project":{"tags":1}}]"#,
                #"[{"$sort":{"tags":1}}]"#, #"[{"$count":"tags"}]"#, #"[{"$match":{}},{"$limit":1}]"#, "[]",
            ]
            let texts = [
                "query": filters, "filter": filters, "sort": orders, "project": orders, "projection": orders,
                "update": updates, "document": documents, "documents": documents.map { "[\($0)]" },
                "pipeline": pipelines, "upsert": ["true", "false"], "returnNewDocument": ["true", "false"],
            ].sorted { $0.key < $1.key }
            let commands = [
                "find", "findOne", "count", "aggregate", "insertOne", "insertMany", "updateOne", "updateMany",
                "deleteOne", "findOneAndUpdate", "findOneAndReplace", "findOneAndDelete",
            ]
            var (answered, refused) = (0, 0)
            for _ in 0..<600 {
                var members: [JSON.Member] = [.init("database", "d"), .init("collection", "Note")]
                for (name, values) in texts where random.chance(80) {
                    members.append(.init(name, try JSON(parsing: random.pick(values))))
                }
                let text: String
                do {
                    let command = random.pick(commands)
                    let request = AppRequest.function(command, [.object(members)], service: "mongodb-atlas")
                    text = try await user.send(request).body
                    answered += 1
                } catch let error as AppError {
                    #expect(error.httpStatusCode.map { 400..<500 ~= $0 } == true, "\(error) for \(members)")
                    text = error.message
                    refused += 1
                }
                #expect(!text.contains("HIDDEN"), "\(text) for \(members)")
            }
            #expect(answered > 100 && refused > 100)
            scene.limit { $0 = .all }
            // The hidden document and all hidden fields are unchanged.
            #expect(try await scene.notes.count(filter: ["text": "HIDDEN", "tags": "HIDDEN", "count": 9]) == 1)
            // Other documents are those that the calls inserted.
            for id in ids {
                let rest = try await scene.notes.find(filter: ["_id": id])
                #expect(rest.allSatisfy { $0["tags"] == .array(["HIDDEN"]) })
            }
        }

        @Test func relaxedCustomDataAreADocument() async throws {
            let scene = try await Scene()
            let user = try #require(scene.other.app.currentUser)
            let text = #"{"n":5,"x":1.5,"t":{"$date":"2026-11-28T10:00:00Z"},"list":[true,null],"in":{"id":7}}"#
            try await scene.server.accounts.setCustomData(text, user: user.id, app: "notes")
            let data = try await user.refreshCustomData()
            #expect(data["n"] == .int32(5) && data["x"] == .double(1.5) && data["list"] == .array([true, nil]))
            #expect(data["t"] == .datetime(Date(timeIntervalSince1970: 1_795_860_000)))
            #expect(data["in"] == .document(["id": .int32(7)]))
        }

        @Test func concurrentChangesOfDocumentsAndDevicesAreAllCounted() async throws {
            let scene = try await Scene()
            try await scene.notes.insertOne(["text": "n", "count": 6])
            try await eventually("the object") { try scene.texts() == ["n"] }
            try await scene.expectConcurrentChangesAreCounted([:])
        }
    }
#endif
