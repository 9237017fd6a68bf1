// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Repairing and emptying partitions of a stopped server.
    @Suite struct PartitionMaintenanceTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func partitionFolder() throws -> String {
            _ = try DataFolder.take(data)
            return try DataFolder.folder(of: PartitionName(argument: "p"), app: "app", in: data, makesParents: true)
        }

        private func write(_ changesets: [Changeset]) throws {
            let file = PartitionFile(SaltedIdent(ident: 2, salt: 7), bootstrap: 0, seen: 1 << 40)
            try PartitionLog.write(changesets, in: partitionFolder(), from: file)
        }

        private func open() throws -> StoredPartition {
            try StoredPartition(folder: try partitionFolder(), partition: "string:p")
        }

        private func maintenance() throws -> PartitionMaintenance {
            try PartitionMaintenance(data: .folder(data), app: "app", partition: "p")
        }

        @Test func aPoisonedPartitionIsRepaired() throws {
            let long = Text(String(repeating: "C", count: 58))
            try write([
                SimpleChanges.schema, SimpleChanges.create(1),
                Changeset([
                    .addTable(TableDefinition(long, .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
                    .createObject(ObjectReference(long, .int(1))),
                ]), SimpleChanges.create(2),
            ])
            #expect {
                _ = try open()
            } throws: {
                "\($0)".contains("exceeds 57 bytes. No client can apply this change: 'realm-server repair'")
            }
            #expect(throws: StoreError.self) {
                try PartitionExport.write(
                    data: .folder(data), app: "app", partition: "p", to: folder.path + "/no.realm")
            }
            let report = try maintenance().repair()
            #expect(report.count == 2 && report.lines.count == 2)
            #expect(report.lines.first?.hasPrefix("AddTable \(long)") == true)
            let partition = try open()
            #expect(partition.newest.version == 4)
            #expect(try partition.model().tables[SimpleChanges.table]?.objects.count == 2)
            #expect(partition.file(2)?.isExpired == true)
            let file = try partition.addFile()
            let batch = try partition.downloads(for: file.ident, after: 0, limit: .max)
            var model = SyncModel()
            for entry in batch.entries { try model.apply(try Changeset(decoding: entry.changeset)) }
            #expect(try model == partition.model())
            #expect(
                try PartitionExport.write(data: .folder(data), app: "app", partition: "p", to: folder.path + "/p.realm")
                    == 2)
            #expect(try maintenance().repair().count == 0)
        }

        @Test(.behaviour("Y05")) func aPartitionIsEmptiedAndKeepsItsClassesAndFiles() throws {
            try write([SimpleChanges.schema, SimpleChanges.create(1), SimpleChanges.create(2)])
            #expect(try maintenance().empty() == 2)
            let partition = try open()
            #expect(try partition.model().tables[SimpleChanges.table]?.objects.isEmpty == true)
            #expect(partition.newest.version == 4 && partition.file(2)?.isExpired == false)
            #expect(try partition.downloads(for: 2, after: 3, limit: .max).entries.count == 1)
            #expect(throws: ServerFailure.self) {
                try PartitionMaintenance(data: .folder(data), app: "app", partition: "other")
            }
        }

        // MARK: Folders

        @Test func partitionsHaveFoldersOfTheirOwnOnADiskThatIgnoresCase() throws {
            let names = ["Chat", "chat", "CHAT", "%43hat", "caf\u{e9}", "cafe\u{301}", "", "%"]
            let files = try names.map { try DataFolder.fileName($0, prefix: "string_") }
            #expect(Set(files.map { $0.lowercased() }).count == names.count)
            #expect(files[0] == "string_%43hat" && files[1] == "string_chat")
            let parent = data + "/apps/app/partitions"
            _ = try DataFolder.take(data)
            func path(_ name: String) throws -> String {
                try DataFolder.folder(of: PartitionName(argument: name), app: "app", in: data, makesParents: true)
            }
            #expect(try path("Chat") == parent + "/string_%43hat")
            try FileManager.default.createDirectory(atPath: parent + "/string_Chat", withIntermediateDirectories: true)
            #expect(try path("Chat") == parent + "/string_Chat")
            #expect(try path("chat") == parent + "/string_chat" && path("CHAT") == parent + "/string_%43%48%41%54")
        }

        @Test func partitionNamesAreComparedByTheirBytes() throws {
            let (first, second) = (PartitionName(path: "\"caf\u{e9}\""), PartitionName(path: "\"cafe\u{301}\""))
            #expect(first != nil && second != nil && first != second)
        }
    }
#endif
