// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct AppMigrationTests: FolderSuite {
        let folder: TemporaryFolder
        private let note = SimpleChanges.table

        init() throws {
            folder = try TemporaryFolder()
            _ = try DataFolder.take(folder.path)
        }

        private func open(_ partition: String?) throws -> StoredPartition {
            let place = place(partition)
            let folder = try DataFolder.folder(of: place, in: folder.path, makesParents: true)
            return try StoredPartition(folder: folder, partition: place.title, isFlexible: place.isFlexible)
        }

        private func append(_ changesets: Changeset..., to partition: String?) throws {
            let store = try open(partition)
            for changeset in changesets { try store.append(changeset) }
            try store.flush()
        }

        private func migration() throws -> AppMigration { try AppMigration(data: .folder(folder.path), app: "app") }

        private func values(_ key: Int64, in store: StoredPartition) throws -> ObjectRow? {
            try store.history.state.row(of: ObjectReference(note, .int(key)))
        }

        @Test func objectsOfAllPartitionsHaveTheirPartitionValue() throws {
            try append(SimpleChanges.schema, SimpleChanges.create(1, n: 5), to: "a")
            try append(SimpleChanges.schema, SimpleChanges.create(2), SimpleChanges.create(3), to: "b \"c\"")
            try append(SimpleChanges.schema, SimpleChanges.create(4), to: "null")
            #expect(try migration().migrate(field: "room") == AppMigration.Report(partitions: 3, objects: 4))
            #expect(try DataFolder.storedMode("app", in: folder.path) == .flexible)
            let store = try open(nil)
            #expect(try values(1, in: store) == ["room": .value(.string("a")), "n": .value(.int(5))])
            #expect(try values(2, in: store) == ["room": .value(.string("b \"c\""))])
            #expect(try values(4, in: store) == [:])
            let column = ColumnDefinition(ColumnReference(note, "room"), .string, isNullable: true, .single)
            #expect(store.schema.columns[note]?["room"] == column)
            #expect(throws: ServerFailure.self) { try migration().migrate(field: "room") }
        }

        @Test func equalKeysOfPartitionsAreReported() throws {
            try append(SimpleChanges.schema, SimpleChanges.create(1), SimpleChanges.create(2), to: "a")
            try append(SimpleChanges.schema, SimpleChanges.create(2), SimpleChanges.create(3), to: "b")
            let error = try #require(throws: ServerFailure.self) { try migration().migrate(field: "_partition") }
            #expect(error.description.contains("Note 2 of string:b"))
            #expect(!error.description.contains("Note 1"))
            #expect(try DataFolder.storedMode("app", in: folder.path) == .partition)
        }

        @Test func partitionValuesOfSeveralTypesAreRefused() throws {
            try append(SimpleChanges.schema, to: "a")
            try append(SimpleChanges.schema, to: "5")
            #expect(throws: ServerFailure.self) { try migration().migrate(field: "_partition") }
        }

        @Test func aPropertyOfAnotherTypeIsRefused() throws {
            try append(SimpleChanges.schema, SimpleChanges.create(1), to: "a")
            #expect(throws: ServerFailure.self) { try migration().migrate(field: "n") }
            #expect(try DataFolder.storedMode("app", in: folder.path) == .partition)
        }

        @Test func objectsReturnToThePartitionsOfTheirValues() throws {
            try append(SimpleChanges.schema, SimpleChanges.create(1, n: 5), SimpleChanges.create(2), to: "7")
            try append(SimpleChanges.schema, SimpleChanges.create(3), to: "8")
            #expect(throws: ServerFailure.self) { try migration().revert() }
            _ = try migration().migrate(field: "_partition")
            func move(_ key: Int64, to room: Int64) -> Changeset {
                let place = Place(SimpleChanges.object(key), "_partition")
                return Changeset([.change(place, .update(.int(room), isDefault: false))])
            }
            try append(
                Changeset([.eraseObject(SimpleChanges.object(2))]), move(1, to: 8), move(3, to: 9), to: nil)
            let unchanged = try open("8").newest.version
            #expect(try migration().revert() == AppMigration.Report(partitions: 2, objects: 2))
            #expect(try DataFolder.storedMode("app", in: folder.path) == .partition)
            #expect(try open("7").objects().isEmpty)
            #expect(try open("8").objects() == [SimpleChanges.object(1)])
            #expect(try open("9").objects() == [SimpleChanges.object(3)])
            #expect(try values(1, in: try open("8"))?["n"] == .value(.int(5)))
            #expect(try open("8").newest.version > unchanged)
            #expect(try migration().migrate(field: "_partition").objects == 2)
        }

        @Test func aReturnWritesOnlyPropertiesThatDiffer() throws {
            let tags = SimpleChanges.insert("a", at: 0, of: 0, in: 2)
            try append(SimpleChanges.schema, SimpleChanges.create(1, n: 5), SimpleChanges.create(2), tags, to: "a")
            _ = try migration().migrate(field: "room")
            try append(SimpleChanges.set(6, of: 1), SimpleChanges.insert("b", at: 0, of: 1, in: 2), to: nil)
            let wanted = try #require(try values(2, in: try open(nil))?["tags"])
            let before = try open("a").newest.version
            _ = try migration().revert()
            let store = try open("a")
            let written = try store.history.versions(after: before).flatMap { try $0.changeset.instructions }
            let erased = written.filter { if case .eraseObject = $0 { true } else { false } }
            #expect(erased.isEmpty)
            let first = SimpleChanges.object(1)
            #expect(written.filter { $0.object == first } == SimpleChanges.set(6, of: 1).instructions)
            #expect(try values(1, in: store) == ["n": .value(.int(6))])
            #expect(try values(2, in: store)?["tags"] == wanted)
        }

        @Test func aReturnThatWasInterruptedCanBeRepeated() throws {
            try append(SimpleChanges.schema, SimpleChanges.create(1, n: 5), to: "a")
            _ = try migration().migrate(field: "room")
            try append(SimpleChanges.set(6, of: 1), to: nil)
            try FolderCatalog(folder.path).write(
                MovedApp(field: "room", isFlexible: false).encoded, to: .migration(of: "app"))
            #expect(try DataFolder.storedMode("app", in: folder.path) == .flexible)
            #expect(try migration().revert() == AppMigration.Report(partitions: 1, objects: 1))
            #expect(try DataFolder.storedMode("app", in: folder.path) == .partition)
            #expect(try values(1, in: try open("a"))?["n"] == .value(.int(6)))
        }

        @Test func theFieldHasTheDefinitionOfThePartitionThatHasIt() throws {
            let room = ColumnDefinition(ColumnReference(note, "room"), .string, isNullable: false, .single)
            try append(SimpleChanges.schema, SimpleChanges.create(1), to: "a")
            try append(SimpleChanges.schema, Changeset([.addColumn(room)]), SimpleChanges.create(2), to: "b")
            #expect(try migration().migrate(field: "room") == AppMigration.Report(partitions: 2, objects: 2))
            let store = try open(nil)
            #expect(store.schema.columns[note]?["room"] == room)
            #expect(try values(1, in: store) == ["room": .value(.string("a"))])
            #expect(try values(2, in: store) == ["room": .value(.string("b"))])
        }

        @Test(arguments: [
            (#""p \"1\"""#, #"room == "p \"1\"""#), (#"{"$numberLong":"-5"}"#, "room == -5"), ("null", "room == NULL"),
            (#"{"$oid":"000102030405060708090a0b"}"#, "room == oid(000102030405060708090a0b)"),
            (
                #"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#,
                "room == uuid(00112233-4455-6677-8899-aabbccddeeff)"
            ),
        ])
        func aClientOfAPartitionGetsItsQuery(_ path: String, _ query: String) throws {
            let moved = MovedApp(field: "room", isFlexible: true)
            let error = try #require(moved.error(for: path, of: .partition))
            #expect(error.code == .migrateToFLX)
            let sent = error.serverError
            #expect(sent.action == .migrateToFLX && sent.canTryAgain)
            let parsed = try SubscriptionQuery("Note", parsing: query)
            #expect(try SubscriptionQuery("Note", parsing: sent.partitionQuery ?? "") == parsed)
        }

        @Test func onlyAClientThatWasMovedIsMovedBack() throws {
            let moved = MovedApp(field: "room", isFlexible: false)
            let path = SessionPurpose.ordinary.path(migratedPartition: "\"a\"")
            #expect(path == #"{"migratedPartition":"\"a\"","schemaVersion":0,"sessionReason":0}"#)
            #expect(moved.error(for: path, of: .flexible)?.serverError.action == .revertToPBS)
            #expect(moved.error(for: SessionPurpose.ordinary.path(), of: .flexible) == nil)
            #expect(moved.error(for: "\"a\"", of: .partition) == nil)
        }
    }
#endif
