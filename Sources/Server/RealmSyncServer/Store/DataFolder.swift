// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import Logging
    import RealmAccounts
    import RealmCrypto
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Used by one server at a time, and confined to the engine's thread.
    final class DataFolder: PartitionDirectory {
        private typealias Key = DocumentPlace

        /// The folder of the documents of a flexible app, and their name in reports.
        static let flexible = "flexible"

        let path: String
        private let lock: DiskFile
        private let options: StoredPartition.Options
        /// The apps that are flexible when they are first used.
        private let flexibleApps: Set<ByteText>
        private let settings: [ByteText: SchemaSettings]
        /// The schemas of the apps that have settings, once they are used.
        private var schemas: [ByteText: SharedSchema] = [:]
        private var modes: [ByteText: SyncMode] = [:]
        /// The moves of apps that were read, with `nil` for apps that were never moved.
        private var movedApps: [ByteText: MovedApp?] = [:]
        private let logger: Logger
        /// The stores of a cluster. `nil` if all data is in the folder.
        let shared: (any SharedStores)?
        private let catalog: any StoreCatalog
        private var partitions: [Key: StoredPartition] = [:]
        /// The partition of each app in which clients can create objects of asymmetric classes.
        private let ingestPartition: PartitionName?
        /// The ingested records of stores that nodes share. They outlast the stores in memory.
        private var sharedFeeds: [Key: IngestFeed] = [:]
        /// Called once for each app with ingested records.
        private let didOpenFeed: (String, IngestFeed) -> Void
        private(set) var grants: [UInt64: AccessGrant] = [:]
        /// The documents whose users have got other rights with a new session.
        private var changedRights: [StoredPartition] = []
        /// The decision about the file that each connection is currently binding.
        private var decisions: [UInt64: Result<Access, SessionError>] = [:]

        /// Creates the folder if it doesn't exist.
        ///
        /// - Throws: `ServerFailure` if another server uses the folder, `SystemError`.
        init(
            _ path: String, _ options: StoredPartition.Options, flexibleApps: [String] = [],
            schemas: [SchemaSettings] = [], shared: (any SharedStores)? = nil, logger: Logger,
            ingestPartition: PartitionName? = nil, didOpenFeed: @escaping (String, IngestFeed) -> Void = { _, _ in }
        ) throws {
            (self.path, self.options, self.shared, self.logger) = (path, options, shared, logger)
            (self.ingestPartition, self.didOpenFeed) = (ingestPartition, didOpenFeed)
            self.flexibleApps = Set(flexibleApps.map { ByteText($0) })
            settings = Dictionary(schemas.map { (ByteText($0.app), $0) }) { _, last in last }
            catalog =
                shared.map { SharedCatalog($0, folder: path) }
                ?? FolderCatalog(path, OpenLogs(limit: options.openLogs))
            lock = try DataFolder.take(path)
            try requireMode()
        }

        /// Creates the folder if it doesn't exist. The lock is held while the returned file exists.
        ///
        /// - Throws: `ServerFailure` if a server uses the folder, `StoreError` if a restore into it isn't finished,
        ///   `SystemError`.
        static func take(_ path: String) throws -> DiskFile {
            let lock = try takeLock(path)
            try requireRestored(path)
            return lock
        }

        /// The file of a data folder that is in a restore.
        static func restoreMark(in path: String) -> String { path + "/restore.unfinished" }

        /// - Throws: `StoreError` if a restore into the folder isn't finished.
        static func requireRestored(_ path: String) throws {
            guard Folder.holds(restoreMark(in: path)) else { return }
            throw StoreError(
                folder: path, "a restore wasn't finished, or still runs",
                remedy: "Run 'realm-server restore' again, which starts from the beginning.")
        }

        /// The folder may contain an unfinished restore.
        static func takeLock(_ path: String) throws -> DiskFile {
            try make(path)
            let lock = try DiskFile.open(path + "/server.lock", readOnly: false, creation: .createIfMissing)
            guard try lock.lock(.exclusive, waiting: false) else {
                throw ServerFailure(description: "Another server has the folder '\(path)': stop it first.")
            }
            return lock
        }

        private static func make(_ path: String) throws {
            if try Folder.create(path, mode: 0o700) { DiskFile.syncDirectory(of: path) }
        }

        struct OpenPartition {
            let app: String
            let name: String
            let partition: StoredPartition
        }

        var openPartitions: [OpenPartition] {
            partitions.map {
                OpenPartition(app: $0.app.string, name: $0.title, partition: $1)
            }
        }

        // MARK: Connections

        func admit(_ connection: UInt64, _ grant: AccessGrant) { grants[connection] = grant }

        func forget(_ connection: UInt64) {
            grants[connection] = nil
            decisions[connection] = nil
        }

        /// Returns the request to decide before the binding, or `nil` if the binding will fail in any case.
        func request(_ path: String, connection: UInt64) -> AccessRequest? {
            guard let grant = grants[connection] else { return nil }
            if mode(of: connection) == .flexible { return .documents(grant) }
            return PartitionName(path: path).map { .partition(PartitionRequest(grant, $0)) }
        }

        func decide(_ connection: UInt64, _ decision: Result<Access, SessionError>) {
            decisions[connection] = decision
        }

        func mode(of connection: UInt64) -> SyncMode? {
            guard let grant = grants[connection] else { return .partition }
            return mode(ofApp: grant.app)
        }

        /// The first use of an app determines its mode. Returns `nil` if the mode can't be read now.
        func mode(ofApp app: String) -> SyncMode? {
            if let known = modes[ByteText(app)] { return known }
            do {
                let mode = try catalog.mode(of: app) ?? (flexibleApps.contains(ByteText(app)) ? .flexible : .partition)
                modes[ByteText(app)] = mode
                return mode
            } catch {
                logger.error("the mode of an app cannot be read", metadata: ["error": "\(error)"])
                return nil
            }
        }

        /// Returns `nil` if the app was never moved between partitions and flexible sync.
        private func movedApp(_ app: ByteText) throws -> MovedApp? {
            if let known = movedApps[app] { return known }
            let moved = try catalog.movedApp(app.string)
            movedApps[app] = .some(moved)
            return moved
        }

        func move(_ path: String, of mode: SyncMode, connection: UInt64) -> SessionError? {
            guard let grant = grants[connection], let current = self.mode(ofApp: grant.app), mode != current else {
                return nil
            }
            do { return try movedApp(ByteText(grant.app))?.error(for: path, of: mode) } catch {
                logger.error("the mode of an app cannot be read", metadata: ["error": "\(error)"])
                return SessionError(.other, "the server cannot read the mode of the app now")
            }
        }

        /// Returns `nil` if the app was never used.
        static func storedMode(_ app: String, in path: String) throws -> SyncMode? {
            let folder = try DataFolder.folder(app, in: path + "/apps")
            if Folder.holds(folder + "/" + DataFolder.flexible) { return .flexible }
            return Folder.holds(folder + "/partitions") ? .partition : nil
        }

        func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
            guard let mode = mode(of: connection) else {
                throw SessionError(.other, "the server cannot reach its database now")
            }
            if mode == .flexible, let grant = grants[connection] {
                guard let bind = FlexibleBind(path: path) else {
                    throw SessionError(.illegalPartition, "not the JSON of a flexible client: \(path.prefix(200))")
                }
                guard case .documents(let rights)? = try decisions[connection]?.get() else {
                    throw SessionError(.permissionDenied, "the user may not use this app")
                }
                let documents = try open(Key(app: ByteText(grant.app), name: nil))
                try documents.options.schema?.admit(version: bind.schemaVersion)
                let holder = ByteText(grant.rightsHolder)
                if documents.rights?.grant(rights, to: holder) == true { changedRights.append(documents) }
                return documents
            }
            guard let name = PartitionName(path: path) else {
                throw SessionError(.illegalPartition, DataFolder.refusal(of: path))
            }
            guard let grant = grants[connection], let decision = decisions[connection],
                case .partition(let access) = try decision.get(), access != .none
            else { throw SessionError(.permissionDenied, "the user may not use this partition") }
            return try open(Key(app: ByteText(grant.app), name: name))
        }

        private static func refusal(of path: String) -> String {
            let (count, maximum) = (path.utf8.count, PartitionName.maximumByteCount)
            guard count <= maximum else { return "a partition value has \(count) bytes, more than \(maximum)" }
            return "not a partition value: \(path.prefix(200))"
        }

        /// Returns the open documents of a flexible app in which a user has rights.
        func documents(of user: RightsDesk.User) -> StoredPartition? {
            guard let documents = partitions[Key(app: user.app, name: nil)] else { return nil }
            return documents.isBusy || documents.rights?.contains(user.holder) == true ? documents : nil
        }

        func takeChangedRights() -> [StoredPartition] {
            defer { changedRights = [] }
            return changedRights
        }

        /// The holder of rights.
        func user(of connection: UInt64) -> String { grants[connection]?.rightsHolder ?? "" }

        func isReadOnly(_ path: String, connection: UInt64) -> Bool {
            if mode(of: connection) == .flexible { return false }
            guard case .success(.partition(.write))? = decisions[connection] else { return true }
            return false
        }

        // MARK: Partitions

        private func open(_ key: Key) throws(SessionError) -> StoredPartition {
            if let partition = partitions[key] { return partition }
            do {
                var options = options
                options.app = key.app
                options.ingests = key.name == nil || key.name == ingestPartition
                options.schema = try schema(of: key.app)
                options.queryableFields = try queryableFields(of: key.app)
                if key.name == nil, let moved = try movedApp(key.app) { options.partitionField = moved.field }
                let ingests = options.ingests
                let partition = try catalog.open(key, options) { ingests ? try sharedFeed(key, $0) : nil }
                if key.name == nil { partition.rights = GrantedRights() }
                try adoptSchema(of: key.app, in: partition)
                partitions[key] = partition
                if !isShared, let feed = partition.ingestFeed { didOpenFeed(key.app.string, feed) }
                return partition
            } catch {
                logger.error("a partition cannot be opened", metadata: ["error": "\(error)"])
                throw SessionError(.other, "the server cannot open this partition")
            }
        }

        /// Returns `nil` if the partition doesn't exist.
        func existing(_ place: DocumentPlace) throws -> StoredPartition? {
            if let partition = partitions[place] { return partition }
            return try catalog.holds(place) ? try open(place) : nil
        }

        // MARK: Schemas

        /// Returns `nil` if clients of the app can make any changes to its classes and properties.
        private func schema(of app: ByteText) throws -> SharedSchema? {
            if let known = schemas[app] { return known }
            guard let settings = settings[app], settings.isDevelopment || !settings.files.isEmpty else { return nil }
            let schema = try SharedSchema(
                settings.files, isDevelopment: settings.isDevelopment,
                try shared.map { SharedSchema.Place.shared($0, app: app.string) }
                    ?? SharedSchema.Place.folder(try DataFolder.makeFolder(of: app.string, in: path)))
            schemas[app] = schema
            return schema
        }

        private func queryableFields(of app: ByteText) throws -> QueryableFields {
            guard let settings = settings[app], !settings.isDevelopment else { return .all }
            return try movedApp(app).map { settings.queryableFields.adding($0.field) } ?? settings.queryableFields
        }

        /// Compares a partition with the schema of its app. Differences remain, because clients may have data of them.
        private func adoptSchema(of app: ByteText, in partition: StoredPartition) throws {
            guard let schema = try schema(of: app) else { return }
            if settings[app]?.isDevelopment == true {
                do throws(SessionError) { try schema.admit(partition.schema.instructions) } catch {
                    logger.warning(
                        "a partition differs from the schema of its app",
                        metadata: ["folder": "\(partition.folder)", "difference": "\(error)"])
                }
            }
            for difference in try partition.adopt(schema.current) {
                logger.warning(
                    "a partition differs from the schema of its app",
                    metadata: ["folder": "\(partition.folder)", "schema": "\(difference)"])
            }
        }

        // MARK: Ingested records

        /// Opens the stores with ingested records, because the hook may not have processed all of them.
        func openIngested() {
            guard options.ingest.hasHook else { return }
            if let shared {
                do {
                    for name in ingestNames {
                        for app in try shared.apps(withStore: name?.description) { _ = try feed(of: app) }
                    }
                } catch {
                    logger.warning(
                        "ingested records cannot be read; the server tries again", metadata: ["error": "\(error)"])
                }
                return
            }
            for app in (try? catalog.apps()) ?? [] { _ = try? feed(of: app) }
        }

        /// Returns `nil` if clients have never used the app.
        ///
        /// - Throws: `IngestFeed.Refusal` if the database can't be reached.
        func feed(of app: String) throws -> IngestFeed? {
            if let shared {
                do { return try sharedFeed(of: app, shared) } catch let error as SharedStoresUnavailable {
                    throw IngestFeed.Refusal.unavailable(error.description)
                }
            }
            if (try? catalog.mode(of: app)) == .flexible {
                return try? open(Key(app: ByteText(app), name: nil)).ingestFeed
            }
            guard let ingestPartition else { return nil }
            return try? existing(Key(app: ByteText(app), name: ingestPartition))?.ingestFeed
        }

        /// The names of the stores in which clients can create objects of asymmetric classes.
        private var ingestNames: [PartitionName?] { [nil] + (ingestPartition.map { [$0] } ?? []) }

        private func sharedFeed(of app: String, _ shared: any SharedStores) throws -> IngestFeed? {
            let keys = ingestNames.map { Key(app: ByteText(app), name: $0) }
            if let feed = keys.lazy.compactMap({ self.sharedFeeds[$0] }).first { return feed }
            for key in keys where try shared.holds(app: app, name: key.name?.description) {
                return try sharedFeed(key, try shared.frames(app: app, name: key.name?.description))
            }
            return nil
        }

        private func sharedFeed(_ key: Key, _ frames: any SharedFrames) throws -> IngestFeed {
            if let feed = sharedFeeds[key] { return feed }
            let feed = IngestFeed(try frames.ingested())
            sharedFeeds[key] = feed
            didOpenFeed(key.app.string, feed)
            return feed
        }

        /// The ingested records of the open stores.
        var openFeeds: [(app: String, partition: String, feed: IngestFeed)] {
            guard !isShared else { return sharedFeeds.map { ($0.app.string, $0.title, $1) } }
            return partitions.compactMap { key, partition in
                partition.ingestFeed.map { (key.app.string, key.title, $0) }
            }
        }

        /// Errors are logged, and the removal is tried again later.
        func expireIngested() {
            for feed in sharedFeeds.values {
                feed.expireLater(options.ingest, now: options.clock()) { [logger] error in
                    logger.warning("ingested records cannot be removed", metadata: ["error": "\(error)"])
                }
            }
            if isShared { return }
            for partition in partitions.values where !partition.isBusy {
                do { try partition.expireIngested() } catch {
                    logger.warning("ingested records cannot be removed", metadata: ["error": "\(error)"])
                }
            }
        }

        private static func makeFolder(of app: String, in path: String) throws -> String {
            try make(path + "/apps")
            let folder = try self.folder(app, in: path + "/apps")
            try make(folder)
            return folder
        }

        static func folder(of place: DocumentPlace, in path: String, makesParents: Bool) throws -> String {
            let app = place.app.string
            let folder = try makesParents ? makeFolder(of: app, in: path) : self.folder(app, in: path + "/apps")
            guard let name = place.name else { return folder + "/" + flexible }
            let partitions = folder + "/partitions"
            if makesParents { try make(partitions) }
            return try self.folder(name.text.string, prefix: name.kind.rawValue + "_", in: partitions)
        }

        static func folder(
            of name: PartitionName, app: String, in path: String, makesParents: Bool
        ) throws -> String {
            try folder(of: DocumentPlace(app: ByteText(app), name: name), in: path, makesParents: makesParents)
        }

        /// Returns the existing folder of an earlier server, whose name contains capital letters.
        static func folder(_ text: String, prefix: String = "", in parent: String) throws -> String {
            let path = parent + "/" + (try fileName(text, prefix: prefix))
            let older = try fileName(text, prefix: prefix, keepsCapitals: true)
            // A case-insensitive disk finds the folder of another name.
            guard !Folder.holds(path), Folder.holds(parent + "/" + older),
                try Folder.names(in: parent, prefix: "").contains(where: { $0.isIdentical(to: older) })
            else { return path }
            return parent + "/" + older
        }

        /// Returns a name that is unique to the text, even on a case-insensitive disk. Bytes other than small letters,
        /// digits, `_`, and `-` are escaped, and a long name is replaced by a hash.
        static func fileName(_ text: String, prefix: String = "", keepsCapitals: Bool = false) throws -> String {
            let name = text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "-"):
                    String(UnicodeScalar(byte))
                case UInt8(ascii: "A")...UInt8(ascii: "Z") where keepsCapitals: String(UnicodeScalar(byte))
                default: "%" + Hexadecimal.text([byte])
                }
            }.joined()
            if prefix.utf8.count + name.utf8.count <= 200 {
                return prefix + (prefix.isEmpty && name.isEmpty ? "%" : name)
            }
            let hash = try SHA256()
            hash.update(Array((prefix + text).utf8))
            return "%hash" + Hexadecimal.text(hash.finish())
        }

        /// - Parameter absent: The partitions that other threads use.
        /// - Returns: The errors of partitions that nodes share, which must be dropped.
        /// - Throws: The error of a partition in the folder.
        func flush(except absent: Set<ObjectIdentifier>) throws -> [(partition: StoredPartition, error: any Error)] {
            var lost: [(StoredPartition, any Error)] = []
            for partition in partitions.values where !absent.contains(ObjectIdentifier(partition)) {
                do { try partition.flush(compacts: false) } catch {
                    guard partition.isShared else { throw error }
                    lost.append((partition, error))
                }
            }
            return lost
        }

        // MARK: Partitions that nodes share

        var isShared: Bool { shared != nil }

        /// Opens the partition of a `bind`. Returns `nil` if that fails, as the `bind` will.
        func sharedPartition(_ path: String, connection: UInt64) -> StoredPartition? {
            guard isShared else { return nil }
            return (try? partition(path, connection: connection)) as? StoredPartition
        }

        /// Removes a partition from memory. Its next use opens it again.
        func drop(_ partition: StoredPartition) {
            partitions = partitions.filter { $0.value !== partition }
            partition.abandon()
        }

        /// The partitions with changes that wait for the append lock.
        var partitionsToLock: [StoredPartition] {
            isShared ? partitions.values.filter { !$0.isBusy && $0.isLockDue } : []
        }

        func partitions(of stores: Set<UInt64>) -> [StoredPartition] {
            partitions.values.filter { $0.sharedStore.map(stores.contains) == true }
        }

        func followShared(
            _ didAppend: @escaping @Sendable (Set<UInt64>) -> Void, _ didFail: @escaping @Sendable (any Error) -> Void
        ) throws {
            try shared?.follow(didAppend, didFail)
        }

        func stopFollowing() { shared?.stop() }

        /// Another server can then use them.
        func closeDocuments(except absent: Set<ObjectIdentifier>) {
            for partition in partitions.values where !absent.contains(ObjectIdentifier(partition)) {
                partition.queryDocuments = nil
            }
        }

        var partitionsToCompact: [StoredPartition] {
            partitions.values.filter { !$0.isBusy && !$0.isDirty && $0.isCompactionDue }
        }

        /// The documents of these partitions, or the copies of the documents, lack durable versions.
        var partitionsToDocument: [StoredPartition] {
            partitions.values.filter { !$0.isBusy && ($0.areDocumentsBehind || isMirrored && $0.isCopyBehind) }
        }

        /// Whether the stores have copies of their documents.
        private var isMirrored: Bool { shared is any MirroringStores }

        func isBusy(_ path: String, connection: UInt64) -> Bool {
            guard let grant = grants[connection] else { return false }
            let isFlexible = mode(of: connection) == .flexible
            let name = isFlexible ? nil : PartitionName(path: path)
            guard isFlexible || name != nil else { return false }
            return partitions[Key(app: ByteText(grant.app), name: name)]?.isBusy == true
        }

        func unload(_ isBound: (any PartitionStore) -> Bool) {
            dropRights()
            let isMirrored = isMirrored
            partitions = partitions.filter {
                $0.value.isBusy || $0.value.isDirty || $0.value.areDocumentsBehind || isBound($0.value)
                    || $0.value.ingestFeed != nil && !isShared || isMirrored && $0.value.isCopyPending
            }
        }
    }

    extension DataFolder {
        /// Drops the rights of users without connections.
        private func dropRights() {
            let flexible = partitions.filter { $0.key.name == nil && !$0.value.isBusy }
            guard !flexible.isEmpty else { return }
            var users: [ByteText: Set<ByteText>] = [:]
            for grant in grants.values { users[ByteText(grant.app), default: []].insert(ByteText(grant.rightsHolder)) }
            for (key, partition) in flexible { partition.rights?.retain(users[key.app] ?? []) }
        }
    }

    /// An error that prevents a server from starting or continuing.
    public struct ServerFailure: Error, Sendable, CustomStringConvertible {
        /// The cause of the error.
        public let description: String

        static let withoutPostgres = ServerFailure(
            description: "The server was built without PostgreSQL: build it with --traits PostgreSQL.")
    }
#endif
