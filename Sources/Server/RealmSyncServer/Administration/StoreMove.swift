// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Copies the partitions and flexible apps of a data folder to PostgreSQL, or back. Versions keep their numbers and
    /// salts, so the files of clients remain valid. Ingested objects keep their numbers. No server may use the source
    /// meanwhile.
    ///
    /// A store that the target has at the same version, with the same ingested objects, is skipped. So an interrupted
    /// copy can be repeated.
    struct StoreMove {
        let data: String
        let stores: PostgresStores

        /// The size in bytes at which a frame ends, including the record that exceeds it.
        private static let frameSize = 1 << 20

        /// Returns the number of stores.
        ///
        /// - Throws: `ServerFailure` if the target has another state of a store, `StoreError`, `SystemError`, or the
        ///   error of the database.
        func toPostgres() throws -> Int {
            try DataFolder.requireLocal(data)
            let sources = try DataFolder.stores(in: data)
            for source in sources { try copy(source) }
            try copyFiles(from: FolderCatalog(data), to: shared)
            return sources.count
        }

        private var shared: SharedCatalog { SharedCatalog(stores, folder: data) }

        private func copyFiles(from source: any StoreCatalog, to target: any StoreCatalog) throws {
            for app in try source.apps() {
                for file in [CatalogFile.migration(of: app), .schema(of: app)] {
                    if let contents = try source.contents(of: file) { try target.write(contents, to: file) }
                }
            }
        }

        private func copy(_ source: DataFolder.Store) throws {
            let log = try PartitionLog(folder: source.files.folder, partition: source.files.partition)
            var frames: [[UInt8]] = []
            var writer = RecordWriter()
            var newest = StoreEnd()
            let ingest = try source.readLog(log) { record in
                newest.note(record)
                try record.write(to: &writer)
                guard writer.bytes.count >= StoreMove.frameSize else { return }
                frames.append(writer.bytes)
                writer = RecordWriter()
            }
            if !writer.bytes.isEmpty { frames.append(writer.bytes) }
            let target = try stores.postgresFrames(app: source.app, name: source.name)
            defer { target.abandon() }
            if try target.lock(after: 0).end == 0 {
                if let ingest { try copy(ingest, of: source, to: target) }
                try target.commit(frames)
                return
            }
            target.abandon()
            let found = try SharedLog(target, title: source.title).newest()
            try require(newest, equals: found, of: "the database", source.app, source.title)
        }

        private func copy(_ ingest: IngestLog, of source: DataFolder.Store, to target: PostgresFrames) throws {
            var bounds = ingest.feed.source.bounds
            guard bounds.newest > 0 else { return }
            bounds.delivered = try IngestFiles.readDelivered(in: source.ingestFolder)
            try ingest.feed.forEachPart { records in
                try target.whileLocked { try PostgresIngest.insert(records, target.store, $0) }
            }
            try target.whileLocked { try PostgresIngest.place(bounds, target.store, $0) }
        }

        /// Returns the number of stores.
        ///
        /// - Throws: As `toPostgres`.
        func toFolder() throws -> Int {
            try DataFolder.requireLocal(data)
            let (catalog, apps) = (shared, try shared.apps())
            var count = 0
            for app in apps {
                let flexible = DocumentPlace(app: ByteText(app), name: nil)
                let partitions = try catalog.partitions(of: app).map { DocumentPlace(app: ByteText(app), name: $0) }
                for place in (try catalog.holds(flexible) ? [flexible] : []) + partitions {
                    try copy(place)
                    count += 1
                }
            }
            try copyFiles(from: catalog, to: FolderCatalog(data))
            return count
        }

        private func copy(_ place: DocumentPlace) throws {
            let (app, title) = (place.app.string, place.title)
            let folder = try DataFolder.folder(of: place, in: data, makesParents: true)
            let frames = try stores.postgresFrames(app: app, name: place.name?.description)
            let source = SharedLog(frames, title: "\(app)/\(title)")
            let target = try PartitionLog(folder: folder, partition: title)
            var isEmpty = true
            let found = try target.newest { isEmpty = false }
            guard isEmpty else {
                return try require(try source.newest(), equals: found, of: "'\(folder)'", app, title)
            }
            try copyIngested(of: frames.store, to: folder, title)
            try target.begin { body in
                try source.open { if !$0.isEnd { try body($0) } }
                try body(.end)
            }
        }

        private func copyIngested(of store: UInt64, to folder: String, _ title: String) throws {
            let source = try PostgresIngest(stores, store)
            guard source.bounds.newest > 0 else { return }
            let path = IngestLog.folder(in: folder)
            // Of an interrupted copy.
            _ = try Folder.remove(path)
            let target = try IngestLog(
                folder: path, partition: title, IngestLog.Options(), startingAt: source.bounds.oldest)
            try IngestFeed(source).forEachPart { try target.append($0[...]) }
            try target.sync()
            if let cursor = try source.lastDelivered() { try IngestFiles.writeDelivered(cursor, in: path) }
        }

        private func require(
            _ source: StoreEnd, equals found: StoreEnd, of target: String, _ app: String, _ title: String
        ) throws {
            guard source != found else { return }
            throw ServerFailure(
                description: """
                    \(target) has another state of \(title) of the app '\(app)': up to \(found) instead of \(source). \
                    Name an empty database or a new folder.
                    """)
        }
    }

    extension DataFolder.Store {
        fileprivate var ingestFolder: String { IngestLog.folder(in: files.folder) }

        /// Passes the records of the log without ingested ones, which the result contains. The result is `nil` if
        /// clients of the store can't ingest.
        fileprivate func readLog(_ log: PartitionLog, _ body: (StoreRecord) throws -> Void) throws -> IngestLog? {
            let ingest =
                name == nil || Folder.holds(ingestFolder)
                ? try IngestLog(folder: ingestFolder, partition: title, IngestLog.Options()) : nil
            var (missing, newest) = ([IngestRecord](), UInt64(0))
            try log.open { record in
                newest = record.lastIngested ?? newest
                guard case .ingest(let ingested) = record else { return try body(record) }
                if let ingest, ingested.sequence > ingest.last { missing.append(ingested) }
            }
            try ingest?.restore(missing, newest: newest)
            if let ingest, ingest.last > 0 { try body(.ingested(ingest.last)) }
            return ingest
        }
    }

    extension RecordLog {
        /// Reads the whole log.
        ///
        /// - Parameter didRead: Called for each record.
        fileprivate func newest(_ didRead: () -> Void = {}) throws -> StoreEnd {
            var newest = StoreEnd()
            try open { record in
                newest.note(record)
                didRead()
            }
            return newest
        }
    }

    /// The newest version and the last ingested object of a store.
    private struct StoreEnd: Equatable, CustomStringConvertible {
        var version = SaltedVersion()
        var ingested: UInt64 = 0

        mutating func note(_ record: StoreRecord) {
            (version, ingested) = (record.version ?? version, record.lastIngested ?? ingested)
        }

        var description: String { "version \(version.version) and ingested object \(ingested)" }
    }

    extension StoreRecord {
        /// The newest version after the record, if the record determines it.
        fileprivate var version: SaltedVersion? {
            switch self {
            case .base(let base, _): base
            case .version(let record): record.version
            default: nil
            }
        }

        fileprivate var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }
#endif
