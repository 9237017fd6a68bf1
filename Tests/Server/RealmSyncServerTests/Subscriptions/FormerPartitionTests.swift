// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Files that were moved from partitions, and classes that were new then (§5.8).
    @Suite(.timeLimited) struct FormerPartitionTests {
        private let folder: TemporaryFolder
        private let partition: StoredPartition
        private let (ann, bob): (UInt64, UInt64)
        private let note = SimpleChanges.table
        private let first = SimpleChanges.object(1)

        init() throws {
            folder = try TemporaryFolder()
            var options = StoredPartition.Options()
            options.partitionField = "room"
            partition = try StoredPartition(
                folder: folder.path + "/app", partition: "app", isFlexible: true, options)
            partition.rights = GrantedRights()
            partition.rights?.grant(.unrestricted, to: "")
            ann = try partition.addFile().ident
            bob = try partition.addFile().ident
            try partition.flush()
            for file in [ann, bob] {
                _ = try partition.subscribe(file, to: VersionedQuery(version: 0, text: "{}"), at: 0)
            }
        }

        private func upload(_ changeset: Changeset, _ version: UInt64, _ file: UInt64, _ room: String?) throws {
            let server = partition.newest.version
            let change = UploadedChange(
                clientVersion: version, serverVersion: server,
                order: ChangeOrder(timestamp: 1000 + server, fileIdent: file), changeset: changeset,
                migratedPartition: room.map { .string(Text($0)) })
            try partition.integrate([change], from: file)
        }

        private func downloads(of file: UInt64, after version: UInt64) throws -> [Instruction] {
            let batch = try partition.downloads(
                for: file, after: version, through: partition.newest.version, limit: .max)
            return try batch.entries.flatMap { try Changeset(decoding: $0.changeset).instructions }
        }

        private var column: ColumnDefinition {
            ColumnDefinition(ColumnReference(note, "room"), .string, isNullable: true, .single)
        }

        private var value: Instruction { .change(Place(first, "room"), .update(.string("a"), isDefault: false)) }

        @Test func aNewClassGetsThePropertyAndItsObjectsRemain() throws {
            let before = partition.newest.version
            try upload(
                Changeset(SimpleChanges.schema.instructions + SimpleChanges.create(1, n: 5).instructions), 1, ann, "a")
            #expect(partition.schema.columns[note]?["room"] == column)
            #expect(try partition.objects() == [first])
            #expect(partition.reports(for: ann, after: before).isEmpty)
            #expect(try downloads(of: ann, after: before) == [.addColumn(column), value])
            // Before the file has a subscription to the class, it also changes the object.
            try upload(SimpleChanges.set(6, of: 1), 2, ann, "a")
            #expect(partition.reports(for: ann, after: before).isEmpty)
            let row: ObjectRow = ["n": .value(.int(6)), "room": .value(.string("a"))]
            #expect(try partition.history.state.row(of: first) == row)
        }

        @Test func objectsOfAnotherPartitionAreOutsideOfTheView() throws {
            try upload(SimpleChanges.schema, 1, ann, "a")
            try upload(SimpleChanges.create(1, n: 5), 2, ann, "a")
            let before = partition.newest.version
            try upload(SimpleChanges.set(6, of: 1), 1, bob, "b")
            #expect(partition.reports(for: bob, after: before).flatMap(\.updates).map(\.object) == [first])
            #expect(try partition.history.state.row(of: first)?["n"] == .value(.int(5)))
        }

        @Test func aFileThatWasNotMovedNeedsASubscription() throws {
            try upload(SimpleChanges.schema, 1, ann, nil)
            let before = partition.newest.version
            try upload(SimpleChanges.create(1, n: 5), 2, ann, nil)
            #expect(partition.reports(for: ann, after: before).flatMap(\.updates).map(\.object) == [first])
            #expect(try partition.objects().isEmpty && partition.schema.columns[note]?["room"] == nil)
        }
    }
#endif
