// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Imports of MongoDB's exports.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct DocumentImportTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func write(_ bytes: [UInt8], _ name: String) throws -> String {
            let url = URL(fileURLWithPath: path(name))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
            return url.path
        }

        private func schema() throws -> String {
            try write(
                Array(
                    """
                    {"classes": [
                      {"title": "Thing", "bsonType": "object", "required": ["_id", "n", "names"], "properties": {
                        "_id": {"bsonType": "objectId"}, "n": {"bsonType": "long"}, "name": {"bsonType": "string"},
                        "weight": {"bsonType": "double"}, "price": {"bsonType": "decimal"},
                        "born": {"bsonType": "date"},
                        "data": {"bsonType": "binData"}, "key": {"bsonType": "uuid"}, "good": {"bsonType": "bool"},
                        "names": {"bsonType": "array", "items": {"bsonType": "string"}},
                        "any": {"bsonType": "mixed"}, "friend": {"bsonType": "objectId"},
                        "spot": {"title": "Spot", "bsonType": "object", "properties": {"x": {"bsonType": "double"}}}},
                       "relationships": {"friend": {"ref": "Thing", "foreign_key": "_id", "is_list": false}}},
                      {"title": "Note", "bsonType": "object", "required": ["_id", "n"], "properties": {
                        "_id": {"bsonType": "long"}, "n": {"bsonType": "long"}}}]}
                    """.utf8), "schema.json")
        }

        @discardableResult
        private func importFile(
            _ path: String, className: String? = nil, into partition: String? = "p", app: String = "app",
            schema: String? = nil, progress: @escaping (ImportProgress) -> Void = { _ in }
        ) throws -> PartitionImport.Report {
            try FileImport.read(
                path, className: className, data: .folder(data), app: app, partition: partition, schema: schema,
                progress: progress)
        }

        private func partition(_ name: String) throws -> StoredPartition {
            try StoredPartition(folder: data + "/apps/app/partitions/string_\(name)", partition: "string:\(name)")
        }

        // MARK: Forms

        private func id(_ number: Int) -> ExtendedJSON { .objectId(ObjectIdBytes(high: 7, low: UInt32(number))) }

        private func thing(_ number: Int) -> [ExtendedJSON.Member] {
            typealias Member = ExtendedJSON.Member
            return [
                Member("_id", id(number)), Member("n", number % 2 == 0 ? .int32(Int32(number)) : .int64(1 << 40)),
                Member("name", number == 3 ? .null : .string("thing \(number)")), Member("weight", .double(0.5)),
                Member("price", .decimal(DecimalBits("12.50") ?? .infinity)), Member("born", .date(1_600_000_000_123)),
                Member("data", .binary([1, 2, 3], subtype: 0)), Member("key", .binary(Array(0..<16), subtype: 4)),
                Member("good", .bool(true)), Member("names", .array([.string("a"), .string("b")])),
                Member("any", .document([Member("k", .array([.int32(1), .double(2.5), .null]))])),
                Member("friend", id(number + 1)), Member("spot", .document([Member("x", .double(4))])),
                Member("_partition", .string("p")), Member("__v", .int32(0)),
            ]
        }

        @Test func allFormsOfAnExportGiveTheSameObjects() throws {
            let things = (0..<20).map { thing($0) }
            let canonical = things.map { ExtendedJSON.document($0).json.description }.joined(separator: "\n")
            let relaxed = things.map { ExtendedJSON.document($0).relaxed.description }.joined(separator: "\r\n")
            #expect(canonical != relaxed && relaxed.contains(#""born":{"$date":"2020-"#), "\(relaxed.prefix(400))")
            let files = [
                try write(Array(canonical.utf8), "canonical.json"), try write(Array(relaxed.utf8), "relaxed.json"),
                try write(things.flatMap { BSONWriter.document($0) }, "dump.bson"),
            ]
            var states: [[Changeset]] = []
            for (number, file) in files.enumerated() {
                let report = try importFile(file, className: "Thing", into: "p\(number)", schema: try schema())
                #expect(
                    report == PartitionImport.Report(objects: 20, ignoredFields: ["Thing.__v", "Thing._partition"]))
                let stored = try partition("p\(number)")
                #expect(try stored.objects().count == 20)
                states.append(try stored.stateChangesets())
            }
            #expect(states[0] == states[1] && states[0] == states[2])
            let text = states[0].map { "\($0)" }.joined()
            for part in ["12.5", "thing 7", "1600000000"] { #expect(text.contains(part), "\(part)") }
        }

        @Test func aFolderOfMongodumpHasAClassInEachFile() throws {
            _ = try write((0..<3).flatMap { BSONWriter.document(thing($0)) }, "dump/things%2F1.bson")
            _ = try write(Array(#"{"collectionName":"Thing","indexes":[]}"#.utf8), "dump/things%2F1.metadata.json")
            _ = try write(
                (1...4).flatMap {
                    BSONWriter.document([
                        ExtendedJSON.Member("_id", .int32(Int32($0))), ExtendedJSON.Member("n", .int64(5)),
                    ])
                }, "dump/Note.bson")
            _ = try write([1, 2, 3], "dump/system.views.bson")
            #expect(try importFile(path("dump"), schema: try schema()).objects == 7)
            #expect(Set(try partition("p").objects().map(\.table)) == ["Thing", "Note"])
            #expect(throws: ServerFailure.self) { try importFile(path("dump"), className: "Note") }
        }

        @Test func anImportFollowsTheSchemaThatTheAppHasLearned() throws {
            let text =
                #"{"classes": [{"title": "Note", "bsonType": "object", "properties": {"#
                + #""_id": {"bsonType": "long"}, "n": {"bsonType": "string"}}}]}"#
            let learned = try write(Array(text.utf8), "data/apps/app/schema.json")
            let file = try write(notes(3), "Note.bson")
            let error = try #require(throws: ServerFailure.self) {
                try importFile(file, className: "Note", schema: try schema())
            }
            #expect(error.description.contains("contradicts the schema of the app"))
            try FileManager.default.removeItem(atPath: learned)
            #expect(try importFile(file, className: "Note", schema: try schema()).objects == 3)
        }

        @Test func otherFormsAreErrorsWithTheirRemedy() throws {
            let files: [(String, [UInt8], String)] = [
                ("a.bson", [0x1F, 0x8B, 8, 0], "gunzip"), ("b.bson", [0x6D, 0xE2, 0x99, 0x81, 0], "--out FOLDER"),
                ("c.bson", [9, 0, 0, 0, 0], "the file ends in this document"),
                ("d.bson", [5, 0, 0], "the file ends in this document"),
                ("e.bson", BSONWriter.document(thing(1)), "no class 'e'"),
                ("f.bson", [255, 255, 255, 127, 0], "document 1: it isn't BSON: at byte 0"),
            ]
            for (name, bytes, message) in files {
                let file = try write(bytes, name)
                #expect {
                    try importFile(file)
                } throws: {
                    "\($0)".contains(name) && "\($0)".contains(message)
                }
            }
            try FileManager.default.createDirectory(atPath: path("empty"), withIntermediateDirectories: true)
            #expect(throws: ServerFailure.self) { try importFile(path("empty")) }
        }

        @Test func anErrorInTheLastFileImportsNothing() throws {
            let one: [ExtendedJSON.Member] = [
                ExtendedJSON.Member("_id", .int64(1)), ExtendedJSON.Member("n", .int64(1)),
            ]
            _ = try write((0..<100).flatMap { BSONWriter.document(thing($0)) }, "dump/A.bson")
            _ = try write(Array(#"{"collectionName":"Thing"}"#.utf8), "dump/A.metadata.json")
            _ = try write(BSONWriter.document(one) + BSONWriter.document(one), "dump/Note.bson")
            #expect {
                try importFile(path("dump"), schema: try schema())
            } throws: {
                "\($0)".contains("Note.bson', document 2: a document before it has the same class and _id")
            }
            #expect(!Folder.holds(data + "/apps/app"))
        }

        @Test func documentsThatExistUnchangedMakeNoVersions() throws {
            let file = try write((0..<50).flatMap { BSONWriter.document(thing($0)) }, "Thing.bson")
            try importFile(file, schema: try schema())
            let version = try partition("p").newest.version
            #expect(try importFile(file, schema: try schema()).objects == 50)
            #expect(try partition("p").newest.version == version)
        }

        // MARK: Interruptions

        private func notes(_ count: Int) -> [UInt8] {
            (0..<count).flatMap {
                BSONWriter.document([
                    ExtendedJSON.Member("_id", .int64(Int64($0))), ExtendedJSON.Member("n", .int64(Int64($0) * 3)),
                ])
            }
        }

        /// Documents with long texts, so that few of them need several parts.
        private func largeThings(_ count: Int, of size: Int) -> [UInt8] {
            let name = String(repeating: "x", count: size)
            return (0..<count).flatMap {
                BSONWriter.document([
                    ExtendedJSON.Member("_id", id($0)), ExtendedJSON.Member("n", .int64(Int64($0))),
                    ExtendedJSON.Member("name", .string(name)), ExtendedJSON.Member("names", .array([])),
                ])
            }
        }

        @Test func aKilledImportContinuesAfterTheLastPart() throws {
            let count = 800
            let file = try write(largeThings(count, of: 16_000), "Thing.bson")
            let program = try #require(BuiltProgram.path("realm-server"))
            let arguments = ["import", "--data", data, "--schema", try schema(), "p", file]
            var interrupted = 0
            let cursor = data + "/apps/app/partitions/string_p/import.json"
            for _ in 0..<3 {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = arguments
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                let before = try? Data(contentsOf: URL(fileURLWithPath: cursor))
                try process.run()
                // Until another part is durable.
                while process.isRunning, (try? Data(contentsOf: URL(fileURLWithPath: cursor))) == before {
                    usleep(1000)
                }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                if Folder.holds(cursor) { interrupted += 1 }
            }
            #expect(interrupted > 0)
            let run = try FinishedProgram(program, arguments, errors: .included)
            #expect(run.status == 0 && run.output.contains("\(count) objects"), "\(run.output)")
            #expect(!Folder.holds(cursor))
            let stored = try partition("p")
            #expect(try stored.objects().count == count)
            // Documents that were imported twice would be versions of erasures and creations.
            #expect(try importFile(file, schema: try schema()).objects == count)
            #expect(try partition("p").newest.version == stored.newest.version)
        }

        @Test func theCursorOfAnotherFileIsIgnored() throws {
            let file = try write(notes(10), "Note.bson")
            try importFile(file, schema: try schema())
            let folder = data + "/apps/app/partitions/string_p"
            var cursor = try ImportCursor(try ImportedFile.files(file, className: nil), className: nil)
            (cursor.offset, cursor.number, cursor.documents) = (try #require(cursor.files.first).size, 10, 10)
            try cursor.write(
                in: FolderCatalog(data), DocumentPlace(app: "app", name: PartitionName(argument: "p")))
            _ = try write(notes(12), "Note.bson")
            #expect(try importFile(file, schema: try schema()).objects == 12)
            #expect(try partition("p").objects().count == 12)
            // Damaged cursors are those of other files.
            for text in ["", "{", #"{"files":[],"index":-1}"#] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/import.json"))
                #expect(try importFile(file, schema: try schema()).objects == 12)
            }
        }

        @Test func progressCoversBothPasses() throws {
            let file = try write(largeThings(12_000, of: 400), "Thing.bson")
            var reports: [ImportProgress] = []
            try importFile(file, schema: try schema()) { reports.append($0) }
            #expect(reports.contains { $0.isChecking } && reports.contains { !$0.isChecking })
            for report in reports {
                #expect(report.bytes > 0 && report.bytes <= report.totalBytes && report.documents <= 12_000)
            }
        }

        // MARK: Flexible apps

        @Test(.embeddedStore) func clientsOfAFlexibleAppReceiveImportedDocuments() async throws {
            let file = try write(notes(30), "Note.bson")
            #expect(try importFile(file, into: nil, app: "app", schema: try schema()).objects == 30)
            let server = try await TestServer(try TemporaryFolder()) {
                $0.data = data
                $0.flexibleApps = ["app"]
            }
            let port = server.port
            let client = try FlexibleClient(path("client.realm"), user: "ann", seed: 1) { port }
            try await client.commit(
                Changeset(SimpleChanges.schema.instructions.filter { !"\($0)".contains("tags") }))
            try await client.subscribe("n > 60")
            try await client.waitForSubscriptions()
            let table = try #require(try client.database.snapshot().table(named: "class_Note"))
            #expect(try table.count() == 9)
        }
    }
#endif
