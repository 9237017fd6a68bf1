// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Exports, imports, emptying, and repairs of apps with flexible sync.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct FlexibleTransferTests: FolderSuite {
        private typealias Note = FlexibleClient.Note

        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private static func start(_ data: TemporaryFolder? = nil) async throws -> TestServer {
            try await TestServer(data) { $0.flexibleApps = ["app"] }
        }

        /// The notes of an export.
        private func export(_ data: TemporaryFolder, _ name: String) throws -> [Int64: Note] {
            let count = try PartitionExport.write(
                data: TestDatabases.data(of: data.path), app: "app", partition: nil, to: path(name))
            try FileAudit.requireClean(path: path(name))
            let notes = try FlexibleClient.notes(in: try Database.open(path(name), readOnly: true).snapshot())
            #expect(notes.count == count)
            return notes
        }

        private func reconnected(_ name: String, _ server: TestServer) async throws -> FlexibleClient {
            let port = server.port
            let client = try FlexibleClient(path("\(name).realm"), user: name, seed: 1) { port }
            try await client.waitForDownload()
            return client
        }

        @Test func clientsReceiveImportedObjectsThatMatch() async throws {
            let server = try await Self.start()
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "n > 3")
            try await client.commit(SimpleChanges.create(1, n: 4), SimpleChanges.insert("a", at: 0, of: 0, in: 1))
            try await FlexibleClient.settle(client)
            // A running server is exported, and rejects an import into its folder.
            #expect(try export(server.folder, "first.realm") == [1: Note(n: 4, tags: ["a"])])
            let imported = Result {
                try FileImport.read(
                    path("first.realm"), className: nil, data: TestDatabases.data(of: server.folder.path), app: "app",
                    partition: nil)
            }
            #expect((try? imported.get().objects) == (TestDatabases.areUsed ? 1 : nil))
            client.stop()
            try await server.stop()
            let lines = (1...3000).map { #"{"_id":{"$numberLong":"\#($0)"},"n":{"$numberLong":"\#($0 % 5)"}}"# }
            let file = try folder.write(lines.joined(separator: "\n"), "lines.json")
            let report = try FileImport.read(
                file, className: "Note", data: TestDatabases.data(of: server.folder.path), app: "app", partition: nil)
            #expect(report.objects == 3000 && report.ignoredFields.isEmpty)
            let all = try export(server.folder, "second.realm")
            #expect(all.count == 3000 && all[1] == Note(n: 1, tags: []))
            let next = try await Self.start(server.folder)
            let again = try await reconnected("ann", next)
            #expect(try again.notes == all.filter { $0.value.n > 3 })
            let other = try await FlexibleClient.start(next, folder, "bob", subscribesTo: "_id < 10")
            #expect(try other.notes == all.filter { $0.key < 10 })
            #expect(try await again.takeFailures().isEmpty)
        }

        @Test func anExportIsImportedIntoANewApp() async throws {
            let server = try await Self.start()
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let key = PrimaryKeyColumn("_id", .int, isNullable: false)
            try await client.commit(Changeset([.addTable(TableDefinition("Reading", .asymmetric(key)))]))
            for number in 0..<5 as Range<Int64> { try await client.commit(SimpleChanges.create(number, n: number)) }
            try await FlexibleClient.settle(client)
            let notes = try client.notes
            #expect(try export(server.folder, "first.realm") == notes)
            client.stop()
            try await server.stop()
            let data = try TemporaryFolder()
            let report = try FileImport.read(
                path("first.realm"), className: nil, data: TestDatabases.data(of: data.path), app: "app", partition: nil
            )
            #expect(report.objects == 5)
            // The app is flexible now, also for a server without the option.
            let second = try await TestServer(data)
            let bob = try await FlexibleClient.start(second, folder, "bob", subscribesTo: "n > 2")
            #expect(try bob.notes == notes.filter { $0.value.n > 2 })
            bob.stop()
            try await second.stop()
            #expect(try export(data, "second.realm") == notes)
        }

        @Test func anEmptiedAppErasesTheObjectsOfItsClients() async throws {
            let server = try await Self.start()
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "n > 3")
            try await client.commit(SimpleChanges.create(1, n: 4), SimpleChanges.create(2, n: 5))
            try await FlexibleClient.settle(client)
            client.stop()
            try await server.stop()
            let maintenance = try PartitionMaintenance(
                data: TestDatabases.data(of: server.folder.path), app: "app", partition: nil)
            #expect(try maintenance.empty() == 2)
            #expect(try maintenance.repair().count == 0)
            withExtendedLifetime(maintenance) {}
            #expect(try export(server.folder, "empty.realm").isEmpty)
        }

        @Test func clientsFollowAnEmptiedApp() async throws {
            let server = try await Self.start()
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "n > 3")
            try await client.commit(SimpleChanges.create(1, n: 4))
            try await FlexibleClient.settle(client)
            client.stop()
            try await server.stop()
            #expect(
                try PartitionMaintenance(data: TestDatabases.data(of: server.folder.path), app: "app", partition: nil)
                    .empty() == 1)
            let next = try await Self.start(server.folder)
            let again = try await reconnected("ann", next)
            #expect(try again.notes.isEmpty)
            try await again.commit(SimpleChanges.create(7, n: 7))
            try await FlexibleClient.settle(again)
            #expect(try await again.takeFailures().isEmpty)
        }

        /// The log of an older server contains a class that no client's file can have.
        @Test func aRepairRemovesChangesThatNoClientCanApply() throws {
            let data = path("data")
            _ = try DataFolder.take(data)
            let place = DocumentPlace(app: "app", name: nil)
            let folder = try DataFolder.folder(of: place, in: data, makesParents: true)
            let long = Text(String(repeating: "C", count: 58))
            let key = PrimaryKeyColumn("_id", .int, isNullable: false)
            let bad = Changeset([.addTable(TableDefinition(long, .topLevel(key)))])
            try PartitionLog.write(
                [SimpleChanges.schema, SimpleChanges.create(1, n: 2), bad], in: folder, place.title)
            #expect(throws: StoreError.self) {
                _ = try StoredPartition(folder: folder, partition: place.title, isFlexible: true)
            }
            #expect(try PartitionMaintenance(data: .folder(data), app: "app", partition: nil).repair().count == 1)
            let stored = try StoredPartition(folder: folder, partition: place.title, isFlexible: true)
            #expect(try stored.objects() == [SimpleChanges.object(1)])
        }

        @Test func aPartitionIsNamedExactlyIfTheAppHasPartitions() async throws {
            let server = try await TestServer { $0.flexibleApps = ["app"] }
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            client.stop()
            try await server.stop()
            let data = server.folder.path
            func message(_ app: String, _ partition: String?) -> String {
                do {
                    _ = try PartitionMaintenance(
                        data: TestDatabases.data(of: data), app: app, partition: partition
                    ).empty()
                    return ""
                } catch { return "\(error)" }
            }
            #expect(message("app", "p").contains("The app 'app' has flexible sync: omit the partition."))
            #expect(message("other", nil).contains("no documents of flexible sync of the app 'other'"))
            _ = try FileImport.read(
                try folder.write("", "none.json"), className: nil, data: TestDatabases.data(of: data), app: "other",
                partition: "p")
            #expect(message("other", nil).contains("The app 'other' has partitions: name one of them."))
            #expect(message("other", "p") == "")
        }
    }
#endif
