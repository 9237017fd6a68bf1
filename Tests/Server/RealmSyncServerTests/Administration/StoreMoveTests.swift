// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Logging
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

    /// Copies of a folder's data to PostgreSQL and back.
    @Suite(.serialized, .timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct StoreMoveTests {
        private let database: PostgresDatabase
        private let stores: PostgresStores

        init() throws {
            database = try PostgresCluster.shared().makePreparedDatabase()
            stores = try PostgresStores(database.settings())
        }

        private func add(_ changesets: [Changeset], to folder: String, _ place: DocumentPlace) throws {
            let path = try DataFolder.folder(of: place, in: folder, makesParents: true)
            let partition = try StoredPartition(folder: path, partition: place.title, isFlexible: place.isFlexible)
            _ = try partition.addFile()
            for changeset in changesets { try partition.append(changeset) }
            try partition.flush()
        }

        private static let (partition, flexible) = (
            DocumentPlace(app: "Größe", name: PartitionName(path: "\"a:b\"")), DocumentPlace(app: "flex", name: nil)
        )

        private func makeFolder() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try add(
                [SimpleChanges.schema, SimpleChanges.create(1, n: 4)], to: folder.path, StoreMoveTests.partition)
            try add([SimpleChanges.schema, SimpleChanges.create(2, n: 5)], to: folder.path, StoreMoveTests.flexible)
            return folder
        }

        private func open(_ place: DocumentPlace, in data: String) throws -> StoredPartition {
            let path = try DataFolder.folder(of: place, in: data, makesParents: false)
            return try StoredPartition(folder: path, partition: place.title, isFlexible: place.isFlexible)
        }

        @Test func versionsAndFilesAreTheSameAfterBothMoves() throws {
            let (source, target, node) = (try makeFolder(), try TemporaryFolder(), try TemporaryFolder())
            #expect(try StoreMove(data: source.path, stores: stores).toPostgres() == 2)
            #expect(try StoreMove(data: source.path, stores: stores).toPostgres() == 2, "a repeated copy")
            #expect(try StoreMove(data: target.path, stores: stores).toFolder() == 2)
            #expect(try StoreMove(data: target.path, stores: stores).toFolder() == 2, "a repeated copy")
            for place in [StoreMoveTests.partition, StoreMoveTests.flexible] {
                let original = try open(place, in: source.path)
                let copy = try open(place, in: target.path)
                let shared = try StoredPartition(
                    folder: node.path + "/" + place.app.string,
                    try stores.frames(app: place.app.string, name: place.name?.description), title: "copy",
                    isFlexible: place.isFlexible)
                for moved in [copy, shared] {
                    #expect(moved.newest == original.newest && moved.newest.version == 2)
                    #expect(try moved.stateChangesets() == original.stateChangesets())
                    #expect(moved.files.map(\.salt) == original.files.map(\.salt))
                }
                shared.abandon()
            }
        }

        private func ingesting(_ data: String) throws -> StoredPartition {
            var options = StoredPartition.Options()
            options.ingests = true
            options.ingest.segmentSize = 400
            let path = try DataFolder.folder(of: StoreMoveTests.flexible, in: data, makesParents: true)
            return try StoredPartition(folder: path, partition: DataFolder.flexible, isFlexible: true, options)
        }

        @Test(arguments: [true, false]) func ingestedObjectsKeepTheirNumbers(areAllRemoved: Bool) throws {
            let (source, target) = (try TemporaryFolder(), try TemporaryFolder())
            let partition = try ingesting(source.path)
            let file = try partition.lockedFile()
            try partition.upload([UploadedChange(IngestModel.schema, 1, from: file)], from: file)
            func upload(_ keys: ClosedRange<Int64>, to partition: StoredPartition) throws {
                for key in keys {
                    let change = Changeset([.createObject(IngestModel.object(key))])
                    try partition.upload([UploadedChange(change, UInt64(key + 1), from: file)], from: file)
                }
            }
            try upload(1...40, to: partition)
            let feed = try #require(partition.ingestFeed)
            try feed.source.didDeliver(through: 35)
            #expect(try feed.remove(through: 20) > 10)
            // The log has the last records, and a file lacks them.
            let path = IngestLog.folder(in: partition.folder)
            let newest = try #require(
                try Folder.names(in: path, prefix: "").compactMap { FrameFile.number(in: $0, "segment") }.max())
            try DiskFile.open(IngestSegment.path(newest, in: path), readOnly: false).resize(to: 100)
            let records = try ingesting(source.path).ingestFeed?.page(after: 0, limit: 100).records
            for _ in 0..<2 { #expect(try StoreMove(data: source.path, stores: stores).toPostgres() == 1) }
            let frames = try stores.postgresFrames(app: "flex", name: nil)
            for frame in try frames.load().frames {
                try StoreRecord.replay(frame[...], of: "frame") { record in
                    if case .ingest = record { Issue.record("a frame contains an ingested object") }
                }
            }
            let shared = IngestFeed(try frames.ingested())
            #expect(try shared.page(after: 0, limit: 100).records == records)
            #expect(try shared.source.beginDelivery() == 35)
            #expect(shared.newestSequence == 40 && shared.backlog == 5)
            var options = StoredPartition.Options()
            options.ingests = true
            let node = try StoredPartition(
                folder: target.path + "-node", frames, feed: shared, title: "copy", isFlexible: true, options)
            try upload(40...41, to: node)
            #expect(shared.newestSequence == 41)
            if areAllRemoved {
                try shared.source.didDeliver(through: 41)
                #expect(try shared.remove(through: 41) == 42)
            }
            for _ in 0..<2 { #expect(try StoreMove(data: target.path, stores: stores).toFolder() == 1) }
            let copy = try ingesting(target.path)
            let moved = try #require(copy.ingestFeed)
            #expect(try moved.page(after: 0, limit: 100).records == shared.page(after: 0, limit: 100).records)
            #expect(moved.newestSequence == 41 && moved.oldestSequence == shared.oldestSequence)
            #expect(try IngestFiles.readDelivered(in: IngestLog.folder(in: copy.folder)) == (areAllRemoved ? 41 : 35))
            try upload(41...42, to: copy)
            #expect(moved.newestSequence == 42)
            #expect(throws: ServerFailure.self) { try StoreMove(data: target.path, stores: stores).toPostgres() }
        }

        @Test func aMoveReportsItsProgressAndHasLimitedFrames() throws {
            let (source, target) = (try makeFolder(), try TemporaryFolder())
            let tag = Text(String(repeating: "x", count: 1 << 20))
            let large = (0..<40).map { SimpleChanges.insert(tag, at: $0, of: $0, in: 1) }
            // A snapshot has one record with all objects.
            var options = StoredPartition.Options()
            options.smallLog = .max
            let place = StoreMoveTests.partition
            let path = try DataFolder.folder(of: place, in: source.path, makesParents: false)
            let partition = try StoredPartition(folder: path, partition: place.title, options)
            for changeset in large { try partition.append(changeset) }
            try partition.flush()
            for toFolder in [false, true] {
                var reports: [MoveProgress] = []
                let move = StoreMove(data: toFolder ? target.path : source.path, stores: stores) { reports.append($0) }
                #expect(try toFolder ? move.toFolder() == 2 : move.toPostgres() == 2)
                let last = try #require(reports.last)
                #expect((last.stores, last.storeCount) == (2, 2) && last.bytes > 40 << 20, "\(reports)")
                #expect(reports.map(\.bytes) == reports.map(\.bytes).sorted())
                // Within a store, too.
                if !toFolder { #expect(reports.count >= 4 && reports.first?.stores == 0) }
            }
            let frames = try stores.postgresFrames(app: "Größe", name: StoreMoveTests.partition.name?.description)
            #expect(try frames.load().frames.allSatisfy { $0.count < 3 << 20 })
            let copy = try open(StoreMoveTests.partition, in: target.path)
            #expect(try copy.stateChangesets() == open(StoreMoveTests.partition, in: source.path).stateChangesets())
        }

        @Test func aTargetWithOtherVersionsIsRefused() throws {
            let source = try makeFolder()
            _ = try StoreMove(data: source.path, stores: stores).toPostgres()
            try add([SimpleChanges.create(7)], to: source.path, StoreMoveTests.flexible)
            #expect(throws: ServerFailure.self) { try StoreMove(data: source.path, stores: stores).toPostgres() }
            #expect(throws: ServerFailure.self) { try StoreMove(data: source.path, stores: stores).toFolder() }
        }

        @Test func noServerStartsWithoutTheDataOfItsFolder() throws {
            let logger = Logger(label: "test")
            let source = try makeFolder()
            #expect(throws: ServerFailure.self) { try DataFolder(source.path, .init(), shared: stores, logger: logger) }
            let node = try TemporaryFolder()
            for _ in 0..<2 { _ = try DataFolder(node.path, .init(), shared: stores, logger: logger) }
            #expect(throws: ServerFailure.self) { try DataFolder(node.path, .init(), logger: logger) }
            #expect(throws: ServerFailure.self) { try FolderBackup(data: node.path, to: node.path + "-backup") }
            #expect(throws: ServerFailure.self) { try ServerData.folder(node.path).catalog() }
            #expect(throws: ServerFailure.self) { try ServerData.requireNode(source.path) }
            try ServerData.requireNode(node.path)
        }
    }
#endif
