// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Copies the partitions and flexible apps of a data folder to PostgreSQL, or back. Versions keep their numbers and
    /// salts, so the files of clients remain valid. No server may use the source meanwhile.
    ///
    /// A store that the target has at the same version is skipped, so an interrupted copy can be repeated.
    struct StoreMove {
        let data: String
        let stores: PostgresStores

        /// The size in bytes at which a frame ends, including the record that exceeds it.
        private static let frameSize = 1 << 20

        /// Returns the number of stores.
        ///
        /// - Throws: `ServerFailure` if the target has a store at another version, or a store has ingested objects,
        ///   which PostgreSQL doesn't contain; `StoreError`, `SystemError`, or the error of the database.
        func toPostgres() throws -> Int {
            try DataFolder.requireLocal(data)
            let sources = try DataFolder.stores(in: data)
            for source in sources { try copy(source) }
            return sources.count
        }

        private func copy(_ source: DataFolder.Store) throws {
            let log = try PartitionLog(folder: source.files.folder, partition: source.files.partition)
            var frames: [[UInt8]] = []
            var writer = RecordWriter()
            var (newest, ingested) = (SaltedVersion(), UInt64(0))
            try log.open { record in
                newest = record.version ?? newest
                ingested = record.lastIngested ?? ingested
                record.write(to: &writer)
                guard writer.bytes.count >= StoreMove.frameSize else { return }
                frames.append(writer.bytes)
                writer = RecordWriter()
            }
            guard ingested == 0 else {
                throw ServerFailure(
                    description: """
                        '\(source.files.folder)' has ingested objects, which servers on PostgreSQL don't store.
                        """)
            }
            if !writer.bytes.isEmpty { frames.append(writer.bytes) }
            let target = try stores.frames(app: source.app, name: source.name)
            defer { target.abandon() }
            if try target.lock(after: 0).end == 0 {
                try target.commit(frames)
                return
            }
            target.abandon()
            let found = try SharedLog(target, title: source.title).newest()
            try require(newest, equals: found, of: "the database", source.app, source.title)
        }

        /// Returns the number of stores.
        ///
        /// - Throws: As `toPostgres`.
        func toFolder() throws -> Int {
            try DataFolder.requireLocal(data)
            let places = try stores.places()
            for place in places { try copy(app: place.app, name: place.name) }
            return places.count
        }

        private func copy(app: String, name: String?) throws {
            let title = name ?? DataFolder.flexible
            let place = DocumentPlace(app: ByteText(app), name: try name.map(StoreMove.partition))
            let folder = try DataFolder.folder(of: place, in: data, makesParents: true)
            let source = SharedLog(try stores.frames(app: app, name: name), title: "\(app)/\(title)")
            let target = try PartitionLog(folder: folder, partition: title)
            var isEmpty = true
            let found = try target.newest { isEmpty = false }
            guard isEmpty else {
                return try require(try source.newest(), equals: found, of: "'\(folder)'", app, title)
            }
            try target.begin { body in
                try source.open { if !$0.isEnd { try body($0) } }
                try body(.end)
            }
        }

        private static func partition(_ title: String) throws -> PartitionName {
            guard let name = PartitionName(title: title) else {
                throw ServerFailure(description: "The database has a partition with the unknown name '\(title)'.")
            }
            return name
        }

        private func require(
            _ version: SaltedVersion, equals found: SaltedVersion, of target: String, _ app: String, _ title: String
        ) throws {
            guard version != found else { return }
            throw ServerFailure(
                description: """
                    \(target) has other versions of \(title) of the app '\(app)': up to \(found.version) instead of \
                    \(version.version). Name an empty database or a new folder.
                    """)
        }
    }

    extension RecordLog {
        /// Reads the whole log.
        ///
        /// - Parameter didRead: Called for each record.
        fileprivate func newest(_ didRead: () -> Void = {}) throws -> SaltedVersion {
            var newest = SaltedVersion()
            try open { record in
                newest = record.version ?? newest
                didRead()
            }
            return newest
        }
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
