// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Commands on stores that nodes share.
    @Suite(.timeLimited, .scope(TestCleanup.perform)) struct SharedTransferTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Returns the stores of another command or server, with a folder of its own.
        private func catalog(_ stores: any SharedStores) throws -> SharedCatalog {
            let path = folder.path + "/\(UInt32.random(in: .min ... .max))"
            try Folder.create(path)
            return SharedCatalog(stores, folder: path)
        }

        private func append(_ changesets: Changeset..., to partition: String?, of catalog: SharedCatalog) throws {
            let store = try catalog.open(place(partition))
            try store.lock()
            for changeset in changesets { try store.append(changeset) }
            try store.flush()
        }

        private func row(_ key: Int64, in store: StoredPartition) throws -> ObjectRow? {
            try store.history.state.row(of: SimpleChanges.object(key))
        }

        // MARK: Repair

        @Test(arguments: SharedStoresKind.allCases)
        func nodesLoadAReplacedLogAgain(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let catalogs = try (0..<2).map { _ in try catalog(stores.node()) }
            try append(SimpleChanges.schema, SimpleChanges.create(1, n: 5), to: "p", of: catalogs[0])
            let nodes = try catalogs.map { try $0.open(place("p")) }
            let before = nodes[0].newest
            let log = SharedLog(try stores.node().frames(app: "app", name: "string:p"), title: "test")
            var history = PartitionHistory()
            try log.open { try history.apply($0) }
            try log.lock { try history.apply($0) }
            try history.restart()
            try log.begin { try history.records($0) }
            #expect(throws: SharedLogError.self) { try nodes[0].follow() }
            #expect(throws: SharedLogError.self) { try nodes[1].lock() }
            let again = try catalogs[1].open(place("p"))
            #expect(again.newest.version == before.version && again.newest.salt != before.salt)
            #expect(try again.model() == nodes[0].model())
            // The log continues after the frame of the replacement.
            try append(SimpleChanges.create(2), to: "p", of: catalogs[0])
            try again.follow()
            #expect(try again.objects().count == 2)
            try log.follow { try history.apply($0) }
            #expect(history.newest == again.newest)
        }

        @Test(arguments: SharedStoresKind.allCases) func aPoisonedStoreIsRepaired(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let catalog = try catalog(stores.node())
            let long = Text(String(repeating: "C", count: 58))
            let poison = Changeset([
                .addTable(TableDefinition(long, .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
                .createObject(ObjectReference(long, .int(1))),
            ])
            let log = SharedLog(try stores.node().frames(app: "app", name: "string:p"), title: "test")
            let file = PartitionFile(SaltedIdent(ident: 2, salt: 7), bootstrap: 0, seen: 1 << 40)
            try log.write([SimpleChanges.schema, SimpleChanges.create(1), poison, SimpleChanges.create(2)], from: file)
            #expect(throws: StoreError.self) { try catalog.open(place("p")) }
            #expect(try PartitionMaintenance(catalog, app: "app", partition: "p").repair().count == 2)
            let partition = try catalog.open(place("p"))
            #expect(partition.newest.version == 4)
            #expect(try partition.objects().count == 2)
            #expect(partition.file(2)?.isExpired == true)
            #expect(try PartitionMaintenance(catalog, app: "app", partition: "p").repair().count == 0)
            #expect(throws: ServerFailure.self) { try PartitionMaintenance(catalog, app: "app", partition: "other") }
            #expect(try PartitionMaintenance(catalog, app: "app", partition: "p").empty() == 2)
            try partition.follow()
            #expect(try partition.objects().isEmpty)
        }

        // MARK: Moves between partitions and flexible sync

        @Test(arguments: SharedStoresKind.allCases)
        func anAppMovesToFlexibleSyncAndBack(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            // A store of an interrupted move is no partition.
            let unfinished = try catalog(stores.node()).openUnfinished("app")
            try unfinished.lock()
            try unfinished.append(SimpleChanges.schema)
            try unfinished.flush()
            func migration() throws -> AppMigration { try AppMigration(catalog(stores.node()), app: "app") }
            let first = try catalog(stores.node())
            try append(SimpleChanges.schema, SimpleChanges.create(1, n: 5), to: "a", of: first)
            try append(SimpleChanges.schema, SimpleChanges.create(2), to: "b", of: first)
            #expect(try first.partitions(of: "app").map(\.description) == ["string:a", "string:b"])
            #expect(throws: ServerFailure.self) { try migration().revert() }
            #expect(try migration().migrate(field: "room") == AppMigration.Report(partitions: 2, objects: 2))
            #expect(throws: ServerFailure.self) { try migration().migrate(field: "room") }
            let second = try catalog(stores.node())
            #expect(try second.mode(of: "app") == .flexible && second.apps() == ["app"])
            #expect(try second.movedApp("app") == MovedApp(field: "room", isFlexible: true))
            let store = try second.open(place(nil))
            #expect(try row(1, in: store) == ["room": .value(.string("a")), "n": .value(.int(5))])
            try append(SimpleChanges.set(6, of: 1), to: nil, of: second)
            for _ in 0..<2 {
                #expect(try migration().revert() == AppMigration.Report(partitions: 2, objects: 2))
                let third = try catalog(stores.node())
                #expect(try third.mode(of: "app") == .partition && !third.holds(place(nil)))
                #expect(try third.movedApp("app") == MovedApp(field: "room", isFlexible: false))
                #expect(try row(1, in: try third.open(place("a")))?["n"] == .value(.int(6)))
                #expect(try third.partitions(of: "app").count == 2)
                #expect(try migration().migrate(field: "room").objects == 2)
            }
        }

        // MARK: Imports

        private func notes(_ count: Int) throws -> String {
            let lines = (0..<count).map { #"{"$class": "Note", "_id": \#($0), "n": \#($0 * 3)}"# }
            return try folder.write(lines.joined(separator: "\n"), "notes.json")
        }

        private func schema() throws -> String {
            try folder.write(
                """
                {"classes": [{"title": "Note", "bsonType": "object", "required": ["_id", "n"], "properties": {
                    "_id": {"bsonType": "long"}, "n": {"bsonType": "long"}}}]}
                """, "schema.json")
        }

        /// Imports a file, and leaves the cursor of an import that was interrupted in its middle.
        private func importInterrupted(_ file: String, into catalog: any StoreCatalog, _ place: DocumentPlace) throws {
            let count = try FileImport.read(file, into: catalog, place, schema: try schema()).objects
            var cursor = try ImportCursor(try ImportedFile.files(file, className: nil), className: nil)
            let source = try #require(ImportedFile.files(file, className: nil).first).source()
            var reader = DocumentReader(try catalog.open(place).schema)
            for _ in 0..<count / 2 { #expect(try source.next(&reader, nil) != nil) }
            (cursor.offset, cursor.number, cursor.documents) = (source.offset, source.number, count / 2)
            try cursor.write(in: catalog, place)
        }

        /// Returns the catalogs of consecutive commands, on a folder for `nil`.
        private func catalogs(_ kind: SharedStoresKind?) throws -> (() throws -> any StoreCatalog)? {
            guard let kind else {
                let path = folder.path + "/local"
                return { FolderCatalog(path) }
            }
            guard let stores = try TestStores(kind) else { return nil }
            return { try catalog(stores.node()) }
        }

        @Test(arguments: [nil] + SharedStoresKind.allCases)
        func anImportIntoAnEmptiedStoreBeginsAgain(_ kind: SharedStoresKind?) throws {
            guard let catalogs = try catalogs(kind) else { return }
            let file = try notes(20)
            for partition in ["p", nil] {
                let place = DocumentPlace(app: partition == nil ? "flexible" : "app", name: place(partition).name)
                try importInterrupted(file, into: catalogs(), place)
                let app = place.app.string
                #expect(try PartitionMaintenance(catalogs(), app: app, partition: partition).empty() == 20)
                #expect(try FileImport.read(file, into: catalogs(), place).objects == 20)
                #expect(try catalogs().open(place).objects().count == 20)
                // A repair can remove objects too.
                try importInterrupted(file, into: catalogs(), place)
                _ = try PartitionMaintenance(catalogs(), app: app, partition: partition).repair()
                #expect(try catalogs().contents(of: .importCursor(of: place)) == nil)
            }
        }

        @Test(arguments: [nil] + SharedStoresKind.allCases)
        func anImportIntoAMovedAppBeginsAgain(_ kind: SharedStoresKind?) throws {
            guard let catalogs = try catalogs(kind) else { return }
            let file = try notes(20)
            try importInterrupted(file, into: catalogs(), place("p"))
            #expect(try AppMigration(catalogs(), app: "app").migrate(field: "room").objects == 20)
            #expect(try PartitionMaintenance(catalogs(), app: "app", partition: nil).empty() == 20)
            try importInterrupted(file, into: catalogs(), place(nil))
            #expect(try AppMigration(catalogs(), app: "app").revert().objects == 20)
            #expect(try FileImport.read(file, into: catalogs(), place("p")).objects == 20)
            #expect(try catalogs().open(place("p")).objects().count == 20)
            // Those without a value of the field are in another partition.
            for partition in ["p", "null"] {
                #expect(try PartitionMaintenance(catalogs(), app: "app", partition: partition).empty() == 20)
            }
            #expect(try AppMigration(catalogs(), app: "app").migrate(field: "room").objects == 0)
            #expect(try FileImport.read(file, into: catalogs(), place(nil)).objects == 20)
            #expect(try catalogs().open(place(nil)).objects().count == 20)
        }

        @Test(arguments: [nil] + SharedStoresKind.allCases)
        func aRefusedImportMakesNoStore(_ kind: SharedStoresKind?) throws {
            guard let catalogs = try catalogs(kind) else { return }
            let unknown = try folder.write(#"{"$class": "Other", "_id": 1}"#, "unknown.json")
            let keyless = folder.path + "/keyless.realm"
            let database = try Database.open(keyless)
            let transaction = try database.beginWrite()
            _ = try transaction.schema.addTable("class_Thing")
            _ = try transaction.commit()
            for file in [unknown, keyless] {
                let schema = file == unknown ? try schema() : nil
                #expect(throws: ServerFailure.self) {
                    try FileImport.read(file, into: catalogs(), place("p"), schema: schema)
                }
            }
            #expect(try !catalogs().holds(place("p")))
            #expect(try catalogs().mode(of: "app") == nil && catalogs().apps().isEmpty)
            #expect(try FileImport.read(try notes(1), into: catalogs(), place(nil), schema: schema()).objects == 1)
            // Neither are classes added to one that exists.
            #expect(throws: ServerFailure.self) {
                try FileImport.read(
                    unknown, into: catalogs(), place(nil),
                    schema: folder.write(
                        """
                        {"classes": [{"title": "More", "bsonType": "object", "properties": {
                            "_id": {"bsonType": "long"}}}]}
                        """, "more.json"))
            }
            #expect(try catalogs().open(place(nil)).schema.tables.count == 1)
        }

        @Test(arguments: SharedStoresKind.allCases)
        func aRepeatedImportOfADatabaseMakesNoVersions(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let catalog = try catalog(stores.node())
            let local = folder.path + "/local"
            let target = FolderCatalog(local)
            try target.lock(.documents)
            let source = try target.open(place("p"))
            try source.append(SimpleChanges.schema)
            for key in Int64(1)...100 { try source.append(SimpleChanges.create(key, n: key)) }
            try source.flush()
            let file = folder.path + "/p.realm"
            #expect(try PartitionExport.write(data: .folder(local), app: "app", partition: "p", to: file) == 100)
            #expect(try PartitionImport(catalog, place("q")).read(file).objects == 100)
            let partition = try catalog.open(place("q"))
            #expect(try partition.model() == source.model())
            #expect(try PartitionImport(catalog, place("q")).read(file).objects == 100)
            try partition.follow()
            let version = partition.newest.version
            #expect(try PartitionImport(catalog, place("q")).read(file).objects == 100)
            try partition.follow()
            #expect(partition.newest.version == version)
        }
    }
#endif
