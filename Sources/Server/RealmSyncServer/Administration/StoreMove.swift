// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmAccounts
    import RealmPostgres
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Copies the partitions and flexible apps of a data folder to PostgreSQL, or back. Versions keep their numbers and
    /// salts, so the files of clients remain valid. Ingested objects keep their numbers. No server may use the source
    /// meanwhile.
    ///
    /// A store becomes durable as a whole, and memory holds a few of its frames. A store that the target has at the
    /// same version, with the same ingested objects, is skipped. So an interrupted copy can be repeated.
    struct StoreMove {
        let data: String
        let stores: PostgresStores
        var progress: (MoveProgress) -> Void = { _ in }

        /// The size in bytes at which a frame ends, including the record that exceeds it.
        private static let frameSize = 1 << 20

        /// Returns the number of stores.
        ///
        /// - Throws: `ServerFailure` if the target has another state of a store, `StoreError`, `SystemError`, or the
        ///   error of the database.
        func toPostgres() throws -> Int {
            try DataFolder.requireLocal(data)
            let sources = try DataFolder.stores(in: data)
            var meter = Meter(sources.count, progress)
            for source in sources {
                try copy(source, &meter)
                meter.finishStore()
            }
            try copyFiles(from: FolderCatalog(data), to: shared)
            return sources.count
        }

        /// Reports the progress after each store, and within large ones.
        private struct Meter {
            private var state: MoveProgress
            private let report: (MoveProgress) -> Void
            private var reported = 0

            /// In bytes.
            private static let interval = 16 << 20

            init(_ count: Int, _ report: @escaping (MoveProgress) -> Void) {
                (state, self.report) = (MoveProgress(stores: 0, storeCount: count, bytes: 0), report)
            }

            mutating func add(_ bytes: Int) {
                state.bytes += bytes
                guard state.bytes - reported >= Meter.interval else { return }
                reported = state.bytes
                report(state)
            }

            mutating func finishStore() {
                state.stores += 1
                reported = state.bytes
                report(state)
            }
        }

        private var shared: SharedCatalog { SharedCatalog(stores, folder: data) }

        private func copyFiles(from source: any StoreCatalog, to target: any StoreCatalog) throws {
            for app in try source.apps() {
                for file in [CatalogFile.migration(of: app), .schema(of: app)] {
                    if let contents = try source.contents(of: file) { try target.write(contents, to: file) }
                }
            }
        }

        private func copy(_ source: DataFolder.Store, _ meter: inout Meter) throws {
            let log = try PartitionLog(folder: source.files.folder, partition: source.files.partition)
            let target = try stores.postgresFrames(app: source.app, name: source.name)
            defer { target.abandon() }
            guard try stores.frameCount(of: target.store) == 0 else {
                var newest = StoreEnd()
                _ = try source.readLog(log) { newest.note($0) }
                let found = try SharedLog(target, title: source.title).newest()
                return try require(newest, equals: found, of: "the database", source.app, source.title)
            }
            _ = try target.lock(after: 0)
            var writer = RecordWriter()
            func flush() throws {
                try target.append(writer.bytes)
                meter.add(writer.bytes.count)
                writer = RecordWriter()
            }
            let ingest = try source.readLog(log) { record in
                try record.write(to: &writer)
                if writer.bytes.count >= StoreMove.frameSize { try flush() }
            }
            if !writer.bytes.isEmpty { try flush() }
            if let ingest { try copy(ingest, of: source, to: target) }
            try target.commit([])
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
            let catalog = shared
            let places = try catalog.apps().flatMap { app in
                let flexible = DocumentPlace(app: ByteText(app), name: nil)
                let partitions = try catalog.partitions(of: app).map { DocumentPlace(app: ByteText(app), name: $0) }
                return (try catalog.holds(flexible) ? [flexible] : []) + partitions
            }
            var meter = Meter(places.count, progress)
            for place in places {
                try copy(place, &meter)
                meter.finishStore()
            }
            try copyFiles(from: catalog, to: FolderCatalog(data))
            return places.count
        }

        private func copy(_ place: DocumentPlace, _ meter: inout Meter) throws {
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
                meter.add(source.size + source.snapshotSize)
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

    extension PostgresStores {
        fileprivate func frameCount(of store: UInt64) throws -> UInt64 {
            try lookUp { connection in
                let id = PostgresValue.integer(try Int64(of: store))
                let rows = try connection.query("SELECT last_frame FROM regnum.stores WHERE id = $1", [id]).rows
                return try rows[0].number(0)
            }
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
