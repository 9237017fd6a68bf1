// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmPostgres
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// The commands of `realm-server` on a database, with servers on it.
    @Suite(
        .serialized, .timeLimited, .scope(TestCleanup.perform),
        .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct PostgresCommandTests: FolderSuite {
        let folder: TemporaryFolder
        private let database: PostgresDatabase
        private let connection: PostgresConnection
        private let program: String

        init() throws {
            folder = try TemporaryFolder()
            database = try PostgresCluster.shared().makePreparedDatabase()
            connection = try PostgresConnection(try database.settings())
            program = try #require(BuiltProgram.path("realm-server"))
        }

        private func server(_ flexible: [String] = ["app"]) async throws -> TestServer {
            try await TestServer {
                ($0.postgres, $0.flexibleApps) = (database.url, flexible)
            }
        }

        private func run(_ arguments: [String]) throws -> FinishedProgram {
            try FinishedProgram(program, arguments, errors: .included)
        }

        /// Documents with long texts, so that few of them need several parts.
        private func notes(_ count: Int) throws -> String {
            let tag = String(repeating: "x", count: 16_000)
            let lines = (0..<count).map { #"{"$class": "Note", "_id": \#($0), "n": \#($0 * 3), "tags": ["\#(tag)"]}"# }
            return try folder.write(lines.joined(separator: "\n"), "notes.json")
        }

        private func schema() throws -> String {
            try folder.write(
                """
                {"classes": [{"title": "Note", "bsonType": "object", "required": ["_id", "n", "tags"], "properties": {
                    "_id": {"bsonType": "long"}, "n": {"bsonType": "long"},
                    "tags": {"bsonType": "array", "items": {"bsonType": "string"}}}}]}
                """, "schema.json")
        }

        private func client(_ name: String, _ server: TestServer) async throws -> FlexibleClient {
            let port = server.port
            let client = try FlexibleClient(path("\(name).realm"), user: name, seed: 1) { port }
            try await client.commit(SimpleChanges.schema)
            try await client.subscribe("n >= 0")
            return client
        }

        private var cursor: [UInt8]? {
            get throws {
                try connection.query(
                    "SELECT content FROM regnum.files WHERE path = $1", [.bytes(Array("flexible/import.json".utf8))]
                ).rows.first?.bytes(0)
            }
        }

        /// Kills an import after another part is durable.
        private func kill(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let before = try cursor
            try process.run()
            while process.isRunning, try cursor == before { usleep(1000) }
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        @Test func clientsOfARunningServerReceiveAnImportThatWasKilled() async throws {
            let count = 600
            let server = try await server()
            let early = try await client("first", server)
            try await early.waitForSubscriptions()
            let file = try notes(count)
            let arguments = ["import", "--postgres", database.url, "--schema", try schema(), file]
            var interrupted = 0
            for _ in 0..<2 {
                try kill(arguments)
                if try cursor != nil { interrupted += 1 }
            }
            #expect(interrupted > 0)
            let imported = try run(arguments)
            #expect(imported.status == 0 && imported.output.contains("\(count) objects"), "\(imported.output)")
            #expect(try cursor == nil)
            let late = try await client("second", server)
            for client in [early, late] {
                try await client.waitForNotes { $0.count == count && $0[count64 - 1]?.n == (count64 - 1) * 3 }
            }
            try await early.commit(SimpleChanges.create(Int64(count), n: 1))
            try await early.waitForUpload()
            try await late.waitForNotes { $0.count == count + 1 }
            for client in [early, late] { client.stop() }
            let place = DocumentPlace(app: "app", name: nil)
            let stored = try ServerData.postgres(database.url).catalog().open(place)
            #expect(try run(arguments).status == 0)
            let version = stored.newest
            try stored.follow()
            #expect(stored.newest == version, "a repeated import makes no versions")
            // The export equals that of the same documents in a folder, and its import in another app.
            #expect(try run(["export", "--postgres", database.url, path("a.realm")]).status == 0)
            let data = path("data")
            let schema = try schema()
            _ = try FileImport.read(
                file, className: nil, data: .folder(data), app: "app", partition: nil, schema: schema)
            let embedded = try FolderCatalog(data).open(place)
            try embedded.append(SimpleChanges.create(Int64(count), n: 1))
            try embedded.flush()
            _ = try PartitionExport.write(data: .folder(data), app: "app", partition: nil, to: path("b.realm"))
            #expect(difference("a.realm", "b.realm") == "")
            let again = ["import", "--postgres", database.url, "--app", "other", path("a.realm")]
            #expect(try run(again).output.contains("\(count + 1) objects"))
            let exported = ["export", "--postgres", database.url, "--app", "other", path("c.realm")]
            #expect(try run(exported).status == 0)
            #expect(difference("a.realm", "c.realm") == "")
            let lines = ["export", "--postgres", database.url, path("lines.jsonl")]
            #expect(try run(lines).output.contains("\(count + 1) objects"))
            let third = ["--postgres", database.url, "--app", "third"]
            let read = try run(["import"] + third + ["--schema", path("a.realm"), path("lines.jsonl")])
            #expect(read.output.contains("\(count + 1) objects"), "\(read.output)")
            #expect(try run(["export"] + third + [path("d.realm")]).status == 0)
            #expect(difference("a.realm", "d.realm") == "")
        }

        private let count64: Int64 = 600

        @Test func commandsNameTheDatabaseAsTheServerDoes() async throws {
            let file = try folder.write(#"{"$class": "Note", "_id": 1, "n": 2, "tags": []}"#, "one.json")
            let config = try folder.write(
                #"{"postgres": "\#(database.url)", "data": "\#(path("node"))", "port": 0}"#, "config.json")
            let options = ["--config", config]
            let imported = try run(["import"] + options + ["--schema", try schema(), "p", file])
            #expect(imported.status == 0 && imported.output.contains("1 object"), "\(imported.output)")
            let swift = try run(["schema"] + options + ["--swift", "p"])
            #expect(swift.status == 0 && swift.output.contains("class Note"), "\(swift.output)")
            #expect(try run(["repair"] + options + ["p"]).output.contains("0 changes removed"))
            #expect(try run(["empty"] + options + ["p"]).output.contains("1 object erased"))
            for arguments in [["backup"] + options + [path("backup")], ["restore"] + options + [path("backup")]] {
                let refused = try run(arguments)
                #expect(refused.status != 0 && refused.output.contains("pg_dump"), "\(refused.output)")
            }
            #expect(try run(["export", "p", path("no.realm")]).output.contains("--postgres"))
            // A folder with data isn't ignored silently.
            let local = path("local")
            _ = try FileImport.read(
                file, className: nil, data: .folder(local), app: "app", partition: "p", schema: try schema())
            let ignored = try run(["empty", "--data", local, "--postgres", database.url, "p"])
            #expect(ignored.status != 0 && ignored.output.contains("isn't in PostgreSQL"), "\(ignored.output)")
        }

        @Test func anImportFollowsTheSchemaThatTheAppHasLearned() async throws {
            var settings = SchemaSettings(app: "app")
            settings.isDevelopment = true
            let server = try await TestServer {
                ($0.postgres, $0.flexibleApps, $0.schemas) = (database.url, ["app"], [settings])
            }
            let ann = try await client("ann", server)
            try await ann.waitForUpload()
            let other = try folder.write(
                """
                {"classes": [{"title": "Note", "bsonType": "object", "required": ["_id", "n"], "properties": {
                    "_id": {"bsonType": "long"}, "n": {"bsonType": "string"}}}]}
                """, "other.json")
            let file = try folder.write(#"{"$class": "Note", "_id": 1, "n": 2, "tags": []}"#, "one.json")
            // The partition of an app with flexible sync has the schema too.
            let refused = try run(["import", "--postgres", database.url, "--schema", other, file])
            #expect(refused.status != 0 && refused.output.contains("contradicts the classes that exist"))
            let imported = try run(["import", "--postgres", database.url, "--schema", try schema(), file])
            #expect(imported.status == 0, "\(imported.output)")
            try await ann.waitForNotes { $0[1]?.n == 2 }
        }

        @Test func aMoveToFlexibleSyncExcludesServers() async throws {
            let server = try await server([])
            let file = try folder.write(#"{"$class": "Note", "_id": 1, "n": 2, "tags": []}"#, "one.json")
            let imported = try run(["import", "--postgres", database.url, "--schema", try schema(), "p", file])
            #expect(imported.status == 0, "\(imported.output)")
            let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            while try connection.query(locks).rows[0].integer(0) == 0 { usleep(10_000) }
            let migrate = ["migrate", "--postgres", database.url]
            let refused = try run(migrate)
            #expect(refused.status != 0 && refused.output.contains("stop all servers"), "\(refused.output)")
            try await server.stop()
            #expect(try run(migrate).output.contains("1 partition, 1 object"))
            let catalog = try ServerData.postgres(database.url).catalog()
            try catalog.lock(.stores)
            await #expect(throws: ServerFailure.self) { try await self.server() }
            #expect(throws: ServerFailure.self) {
                try ServerData.postgres(database.url).catalog().lock(.documents)
            }
            withExtendedLifetime(catalog) {}
        }
    }
#endif
