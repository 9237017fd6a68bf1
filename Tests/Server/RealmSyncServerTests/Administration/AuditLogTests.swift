// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// The records of commands on stores.
    @Suite(.timeLimited, .scope(TestCleanup.perform)) struct AuditLogTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Returns the records as `action partition result`.
        private func records(_ text: String, by source: String = "command") throws -> [String] {
            try text.split(separator: "\n").map { line in
                let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
                #expect(record["by"] == source && record["time"]?.isEmpty == false && record["user"] == nil)
                return [record["action"], record["app"], record["partition"], record["result"]].compactMap { $0 }
                    .joined(separator: " ")
            }
        }

        private func text(_ data: String) throws -> String {
            try String(contentsOfFile: data + "/audit.jsonl", encoding: .utf8)
        }

        private static let expected = [
            "import app string:p begins", "import app string:p done", "repair app string:p begins",
            "repair app string:p done", "import app string:q begins", "import app string:q failed",
            "migrate app begins", "migrate app done", "migrate app begins", "migrate app failed", "empty app begins",
            "empty app done", "revert app begins", "revert app done",
        ]

        /// Performs commands that change stores, and one that fails of each of two kinds.
        private func performCommands(_ catalog: () throws -> any StoreCatalog) throws {
            let schema = try folder.write(
                """
                {"classes": [{"title": "Note", "bsonType": "object", "required": ["_id"], "properties": {
                    "_id": {"bsonType": "string"}}}]}
                """, "schema.json")
            let file = try folder.write(#"{"$class": "Note", "_id": "secret-1"}"#, "notes.json")
            let wrong = try folder.write(#"{"$class": "Note", "_id": "secret-1", "_id": 5}"#, "wrong.json")
            #expect(try FileImport.read(file, into: catalog(), place("p"), schema: schema).objects == 1)
            #expect(try PartitionMaintenance(catalog(), app: "app", partition: "p").repair().count == 0)
            #expect(throws: ServerFailure.self) {
                try FileImport.read(wrong, into: catalog(), place("q"), schema: schema)
            }
            #expect(try AppMigration(catalog(), app: "app").migrate(field: "room").objects == 1)
            #expect(throws: ServerFailure.self) { try AppMigration(catalog(), app: "app").migrate(field: "room") }
            #expect(try PartitionMaintenance(catalog(), app: "app", partition: nil).empty() == 1)
            #expect(try AppMigration(catalog(), app: "app").revert().objects == 0)
        }

        @Test func commandsOnAFolderAreRecordedWithoutData() throws {
            try performCommands { FolderCatalog(data) }
            let text = try text(data)
            #expect(try records(text) == Self.expected)
            #expect(!text.contains("secret"))
        }

        @Test(arguments: SharedStoresKind.allCases)
        func commandsOnADatabaseAreRecordedThere(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            try performCommands { SharedCatalog(try stores.node(), folder: folder.path) }
            let bytes = try #require(try stores.node().contents(of: "audit.jsonl", app: "app"))
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(try records(text) == Self.expected)
            #expect(!text.contains("secret"))
        }

        @Test func aCommandWithoutARecordIsNotPerformed() throws {
            try performCommands { FolderCatalog(data) }
            try FileManager.default.removeItem(atPath: data + "/audit.jsonl")
            try Folder.create(data + "/audit.jsonl")
            #expect(throws: SystemError.self) {
                try AppMigration(FolderCatalog(data), app: "app").migrate(field: "room")
            }
            #expect(try FolderCatalog(data).mode(of: "app") == .partition)
            #expect(throws: SystemError.self) { try FolderBackup(data: data, to: folder.path + "/b").run() }
            #expect(!Folder.holds(folder.path + "/b/backup.json"))
        }

        @Test(.embeddedStore) func backupsAndRestoresAreRecorded() async throws {
            let server = try await TestServer()
            let backup = folder.path + "/backup"
            _ = try await server.server.backup(to: backup)
            let done = ["backup begins", "backup done"]
            #expect(try records(text(server.folder.path), by: "program") == done)
            try await server.stop()
            try FileManager.default.removeItem(atPath: server.folder.path + "/audit.jsonl")
            _ = try FolderBackup(data: server.folder.path, to: folder.path + "/second").run()
            #expect(try records(text(server.folder.path)) == done)
            // A failed restore can be repeated.
            let target = folder.path + "/restored"
            let manifest = try Data(contentsOf: URL(fileURLWithPath: backup + "/backup.json"))
            let damaged = String(decoding: manifest, as: UTF8.self)
                .replacing(/"files":\[/, with: #""files":[{"hash":"","path":"apps/x","size":1},"#)
                .replacing("},]", with: "}]")
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: backup + "/backup.json"))
            #expect(throws: ServerFailure.self) { try FolderRestore(backup, to: target).run() }
            try manifest.write(to: URL(fileURLWithPath: backup + "/backup.json"))
            _ = try FolderRestore(backup, to: target).run()
            #expect(
                try records(text(target)) == ["restore begins", "restore failed", "restore begins", "restore done"])
        }
    }
#endif
