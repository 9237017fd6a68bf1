// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Sessions with apps that have a schema.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SchemaSessionTests {
        private static func notes(version: Int = 0, _ more: String = "") -> String {
            """
            {"version": \(version), "classes": [{"title": "Note", "bsonType": "object", "required": ["_id", "n"],
                "properties": {"_id": {"bsonType": "long"}, "n": {"bsonType": "long"}\(more),
                               "tags": {"bsonType": "array", "items": {"bsonType": "string"}}}}]}
            """
        }

        private static func settings(
            _ versions: String..., isDevelopment: Bool = false
        ) throws -> SchemaSettings {
            var settings = SchemaSettings(app: "app")
            settings.isDevelopment = isDevelopment
            for version in versions { try settings.addVersion(json: version) }
            return settings
        }

        private static func server(
            _ settings: SchemaSettings, in folder: TemporaryFolder? = nil, isFlexible: Bool = true
        ) async throws -> TestServer {
            try await TestServer(folder) { options in
                if isFlexible { options.flexibleApps = ["app"] }
                options.schemas = [settings]
            }
        }

        private static func column(
            _ name: Text, _ type: ValueType = .int, isNullable: Bool = false, of table: Text = "Note"
        ) -> Changeset {
            Changeset([
                .column(name, of: table, type, isNullable: isNullable)
            ])
        }

        private static let other = Changeset([
            .addTable(TableDefinition("Other", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false))))
        ])

        private static func failure(
            _ take: () async throws -> [ClientFailure]
        ) async throws -> ClientFailure {
            for _ in 0..<12_000 {
                if let first = try await take().first { return first }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Failure("no error")
        }

        private static func requireRefusal(
            _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
            _ take: () async throws -> [ClientFailure]
        ) async throws {
            let failure = try await failure(take)
            #expect(failure.code == 225, sourceLocation: sourceLocation)
            #expect(failure.action == .applicationBug && !failure.error.canTryAgain, sourceLocation: sourceLocation)
            #expect(failure.error.message.contains(text), "\(failure.error.message)", sourceLocation: sourceLocation)
        }

        // MARK: Fixed schemas

        @Test(arguments: [
            (column("extra"), "the property 'Note.extra' isn't in the schema of the app"),
            (other, "the class 'Other' isn't in the schema of the app"),
        ]) func aFlexibleAppAcceptsOnlyItsSchema(_ change: Changeset, _ text: String) async throws {
            let (server, folder) = (try await Self.server(try Self.settings(Self.notes())), try TemporaryFolder())
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            // The changes before the refused one are accepted.
            try await ann.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(ann)
            try await ann.commit(SimpleChanges.create(2, n: 2), change, SimpleChanges.create(3, n: 3))
            try await Self.requireRefusal(text) { try await ann.takeFailures() }
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            #expect(try bob.notes.keys.sorted() == [1, 2])
        }

        /// The client receives the schema before it uploads its own, and compares them itself.
        @Test func aNewClientFindsAPropertyThatDiffers() async throws {
            let (server, folder) = (try await Self.server(try Self.settings(Self.notes())), try TemporaryFolder())
            let port = server.port
            let client = try FlexibleClient(folder.path + "/a.realm", user: "ann", seed: 1) { port }
            var instructions = SimpleChanges.schema.instructions
            instructions[1] = Self.column("n", .string, isNullable: true).instructions[0]
            try await client.commit(Changeset(instructions))
            let failure = try await Self.failure { try await client.takeFailures() }
            #expect(failure.error.message.contains("a property is added as Note.n: string? and as Note.n: int"))
        }

        @Test func aPartitionAcceptsOnlyTheSchemaOfItsApp() async throws {
            let server = try await Self.server(try Self.settings(Self.notes()), isFlexible: false)
            let port = server.port
            let client = SyncClient(port: { port }, user: "ann", path: #""a""#, seed: 1)
            // The schema of the file is in each partition.
            try await client.waitForDownload()
            #expect(try await client.model.tables["Note"] != nil)
            try await client.commit { _ in SimpleChanges.schema }
            try await client.commit { _ in SimpleChanges.create(1, n: 1) }
            try await client.waitForUpload()
            try await client.commit { _ in Self.column("extra") }
            try await Self.requireRefusal("'Note.extra' isn't in the schema") { try await client.takeFailures() }
        }

        @Test func queriesCanUseTheSchemaBeforeAnyClientHasUploadedIt() async throws {
            let (server, folder) = (try await Self.server(try Self.settings(Self.notes())), try TemporaryFolder())
            let port = server.port
            let client = try FlexibleClient(folder.path + "/a.realm", user: "ann", seed: 1) { port }
            let valid = try await client.subscribe("n > 1")
            try await client.waitForSubscriptions()
            #expect(try client.status(of: valid) == .complete)
            let invalid = try await client.subscribe("missing > 1")
            try await client.waitForSubscriptions()
            guard case .error(let text) = try client.status(of: invalid) else { throw Failure("not rejected") }
            #expect(text.contains("has no property 'missing'"))
        }

        @Test func aClassOfAnOlderSchemaRemainsAndIsLogged() async throws {
            let (first, folder) = (try await TestServer { $0.flexibleApps = ["app"] }, try TemporaryFolder())
            let ann = try await FlexibleClient.start(first, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(ann)
            ann.stop()
            try await first.stop()
            let differs = Self.notes().replacingOccurrences(
                of: #""n": {"bsonType": "long"}"#, with: #""n": {"bsonType": "string"}"#)
            let server = try await Self.server(try Self.settings(differs), in: first.folder)
            let port = server.port
            let bob = try FlexibleClient(folder.path + "/b.realm", user: "bob", seed: 2) { port }
            try await bob.subscribe("TRUEPREDICATE")
            try await bob.waitForSubscriptions()
            #expect(try bob.notes.count == 1)
            #expect(server.log.text.contains("a partition differs from the schema of its app"))
        }

        // MARK: Development mode

        @Test func developmentModeStoresAdditionsAndRefusesOtherChanges() async throws {
            let development = try Self.settings(Self.notes(), isDevelopment: true)
            let (first, folder) = (try await Self.server(development), try TemporaryFolder())
            let ann = try await FlexibleClient.start(first, folder, "ann", subscribesTo: "TRUEPREDICATE")
            try await ann.commit(Self.column("extra"), Self.other)
            try await FlexibleClient.settle(ann)
            #expect(try await ann.takeFailures().isEmpty)
            ann.stop()
            try await first.stop()
            let contents = try TestDatabases.data(of: first.folder.path).catalog().contents(of: .schema(of: "app"))
            let text = String(decoding: try #require(contents), as: UTF8.self)
            let stored = try SchemaFile(json: text)
            #expect(stored.schema.property("extra", of: "Note")?.type == .int && stored.schema.tables["Other"] != nil)
            let server = try await Self.server(development, in: first.folder)
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "TRUEPREDICATE")
            try await bob.commit(Changeset([.eraseColumn(ColumnReference("Note", "extra"))]))
            try await Self.requireRefusal("removing the property 'Note.extra'") { try await bob.takeFailures() }
            bob.stop()
            try await server.stop()
            // The stored schema can be the schema of the app from now on.
            let fixed = try Self.settings(text)
            let last = try await Self.server(fixed, in: first.folder)
            let eve = try await FlexibleClient.start(last, folder, "eve", subscribesTo: "TRUEPREDICATE")
            try await eve.commit(Self.column("extra"))
            try await FlexibleClient.settle(eve)
            #expect(try await eve.takeFailures().isEmpty)
        }

        @Test func thePartitionsOfAnAppShareTheSchemaOfDevelopmentMode() async throws {
            let server = try await Self.server(try Self.settings(isDevelopment: true), isFlexible: false)
            let port = server.port
            let ann = SyncClient(port: { port }, user: "ann", path: #""a""#, seed: 1)
            let bob = SyncClient(port: { port }, user: "bob", path: #""b""#, seed: 2)
            for client in [ann, bob] {
                try await client.commit { _ in SimpleChanges.schema }
                try await client.waitForUpload()
            }
            try await ann.commit { _ in Self.column("extra") }
            try await ann.waitForUpload()
            // The partition doesn't have the property yet.
            try await bob.commit { _ in Self.column("extra", .string) }
            try await Self.requireRefusal("'Note.extra' is int in the schema of the app, and string at the client") {
                try await bob.takeFailures()
            }
            try await ann.commit { _ in Changeset([.eraseColumn(ColumnReference("Note", "n"))]) }
            try await Self.requireRefusal("removing the property 'Note.n'") { try await ann.takeFailures() }
        }

        @Test func aSchemaThatContradictsTheStoredOneIsAnError() async throws {
            let folder = try TemporaryFolder()
            try Data(
                #"{"classes": [{"title": "Note", "bsonType": "object", "properties": {"_id": {"bsonType": "uuid"}}}]}"#
                    .utf8
            )
            .write(to: URL(fileURLWithPath: folder.path + "/schema.json"))
            let error = #expect(throws: ConfigurationError.self) {
                try SharedSchema([try SchemaFile(json: Self.notes())], isDevelopment: true, .folder(folder.path))
            }
            #expect(error?.description.contains("the class 'Note' is a class with the primary key") == true)
            try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/schema.json"))
            #expect(throws: ConfigurationError.self) {
                try SharedSchema([], isDevelopment: true, .folder(folder.path))
            }
        }

        @Test(arguments: SharedStoresKind.allCases)
        func nodesShareTheLearnedSchema(_ kind: SharedStoresKind) async throws {
            guard let stores = try TestStores(kind) else { return }
            let places = try (0..<2).map { _ in SharedSchema.Place.shared(try stores.node(), app: "app") }
            try SharedSchema.admit(SimpleChanges.schema.instructions, places[0])
            let nodes = try places.map { try SharedSchema([], isDevelopment: true, $0) }
            #expect(nodes[1].current.tables.isEmpty, "without development mode, an import stores no schema")
            try nodes[0].admit(SimpleChanges.schema.instructions)
            let refused = #expect(throws: SessionError.self) {
                try nodes[1].admit(Self.column("n", .string).instructions)
            }
            #expect(refused?.code == .badSchemaChange)
            try nodes[1].admit(Self.other.instructions)
            #expect(nodes[1].current.tables.keys.sorted() == ["Note", "Other"])
            try nodes[0].admit(Self.column("extra").instructions)
            #expect(nodes[0].current.tables["Other"] != nil)
            #expect(try SharedSchema([], isDevelopment: true, places[1]).current == nodes[0].current)
            #expect(throws: ServerFailure.self) {
                try SharedSchema.admit(Self.column("extra", .string).instructions, places[0])
            }
        }

        @Test func anAdditionThatNoFileCanDescribeIsRefused() throws {
            let folder = try TemporaryFolder()
            let schema = try SharedSchema([], isDevelopment: true, .folder(folder.path))
            try schema.admit(SimpleChanges.schema.instructions)
            let error = #expect(throws: SessionError.self) {
                try schema.admit(Self.column("a.b").instructions)
            }
            #expect(error?.code == .badSchemaChange)
            #expect(schema.current.columns["Note"]?.count == 2)
            // The rest of the schema is stored.
            let again = try SharedSchema([], isDevelopment: true, .folder(folder.path))
            #expect(again.current == schema.current)
        }

        // MARK: Queries

        @Test func queriesUseOnlyQueryableFields() async throws {
            var settings = SchemaSettings(app: "app")
            settings.allowQueries(on: ["other"])
            settings.allowQueries(on: ["n"], of: "Note")
            let (server, folder) = (try await Self.server(settings), try TemporaryFolder())
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "n > 1 OR _id == 3")
            let version = try await client.subscribe("ANY tags == 'a'")
            try await client.waitForSubscriptions()
            guard case .error(let text) = try client.status(of: version) else { throw Failure("not rejected") }
            #expect(
                text == "Invalid query on class 'Note': the property 'tags' isn't queryable; the app's rules list the "
                    + "queryable fields")
            client.stop()
            try await server.stop()
            settings.isDevelopment = true
            let development = try await Self.server(settings, in: server.folder)
            let other = try await FlexibleClient.start(
                development, folder, "bob", subscribesTo: "ANY tags == 'a'")
            #expect(try other.status(of: 1) == .complete)
        }

        // MARK: Versions

        @Test func aFileOfAnotherSchemaVersionHasToMigrate() async throws {
            let (one, two) = (Self.notes(version: 1), Self.notes(version: 2, #", "extra": {"bsonType": "string"}"#))
            let (first, folder) = (try await Self.server(try Self.settings(one)), try TemporaryFolder())
            let path = folder.path + "/a.realm"
            let firstPort = first.port
            var client = try FlexibleClient(path, user: "ann", schemaVersion: 1, seed: 1) { firstPort }
            try await client.commit(SimpleChanges.schema)
            try await client.subscribe("TRUEPREDICATE")
            try await client.waitForSubscriptions()
            try await client.commit(SimpleChanges.create(1, n: 1))
            try await FlexibleClient.settle(client)
            client.stop()
            try await first.stop()
            // The version of the file is in the log, and in a snapshot.
            do {
                let partition = try StoredPartition(
                    folder: first.folder.path + "/apps/app/flexible", partition: "flexible", isFlexible: true)
                try partition.compact()
            }
            let server = try await Self.server(try Self.settings(one, two), in: first.folder)
            let port = server.port
            client = try FlexibleClient(path, user: "ann", schemaVersion: 2, seed: 2) { port }
            try await client.commit(SimpleChanges.create(2, n: 2))
            let failure = try await Self.failure { try await client.takeFailures() }
            #expect(failure.code == 236 && failure.action == .migrateSchema)
            #expect(failure.error.previousSchemaVersion == 1 && failure.error.canTryAgain)
            // The session continues, so that the file can upload its changes.
            try await FlexibleClient.settle(client)
            client.stop()
            let bob = try FlexibleClient(folder.path + "/b.realm", user: "bob", schemaVersion: 2, seed: 3) { port }
            try await bob.subscribe("TRUEPREDICATE")
            try await bob.waitForSubscriptions()
            #expect(try bob.notes.keys.sorted() == [1, 2])
            #expect(try await bob.takeFailures().isEmpty)
            bob.stop()
            for version in [0, 3] as [UInt64] {
                let name = folder.path + "/\(version).realm"
                let unknown = try FlexibleClient(name, user: "eve", schemaVersion: version, seed: 4) { port }
                let failure = try await Self.failure { try await unknown.takeFailures() }
                #expect(failure.code == 235 && failure.action == .applicationBug && !failure.error.canTryAgain)
                #expect(failure.error.message == "the schema version \(version) is unknown; the app has 1 to 2")
                unknown.stop()
            }
        }
    }
#endif
