// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmQuery
import RealmStorage
import RealmSystem

/// What all instances of one database in this process share: the open file and the classes it stores.
///
/// `ports`, `feeds`, `frozen` and `foreignCommits` are guarded by `lock`; the database and the classes guard
/// themselves; the rest is immutable. Instances keep it alive, and with the last of them the file is closed.
final class RealmCoordinator: @unchecked Sendable {
    let database: Database
    let configuration: Realm.Configuration
    /// The logger that was the shared one when the database was opened.
    let logger = Logger.shared
    private let isForMigration: Bool
    /// For the objects before a migration: what their classes will be, by the names of the tables.
    let declared: [String: ClassInfo]
    private let lock = Lock()
    private let classes: ManagedClasses
    /// Properties by the names of the models.
    let propertyNames: PropertyNames
    /// The instances to tell of new versions.
    private var ports: [Weak<DeliveryPort>] = []
    /// The change feeds to tell of new versions.
    private var feeds: [Weak<ChangeFeedSignal>] = []
    /// The frozen instances by version.
    private var frozen: [UInt64: InstanceReference] = [:]
    /// Tells of other processes' commits, once some instance wants to know.
    private var foreignCommits: ForeignCommitToken?
    /// What comparing frozen objects has found out last, for the comparisons of the same turn.
    let frozenChanges = Locked<VersionChanges?>(nil)
    /// Where async writes wait for the write lock, and where their commits wait for the disk.
    let turns = DispatchQueue(label: "regnum.turns")
    let commits = DispatchQueue(label: "regnum.commits")

    /// `version` becomes the one that is open, where nothing had to be done to the file.
    init(_ configuration: Realm.Configuration, _ database: Database, _ version: inout Snapshot?) throws {
        isForMigration = false
        declared = [:]
        self.configuration = configuration
        self.database = database
        let installer = SchemaInstaller(configuration, configuration.schema)
        let installed = try installer.install(in: database)
        let classes = ManagedClasses(installed.classes)
        self.classes = classes
        propertyNames = PropertyNames { classes.namedProperty($0, $1) }
        version = installed.version
    }

    deinit {
        if !isForMigration { logger.log(.detail, "Closed \(configuration.place).") }
    }

    /// For a migration, which sees its database with classes of its own.
    init(
        migrating database: Database, _ configuration: Realm.Configuration, _ managed: [ManagedClass],
        declared: [ClassInfo] = []
    ) {
        isForMigration = true
        self.declared = Dictionary(declared.map { ($0.tableName, $0) }) { first, _ in first }
        self.database = database
        self.configuration = configuration
        let classes = ManagedClasses(managed)
        self.classes = classes
        propertyNames = PropertyNames { classes.namedProperty($0, $1) }
    }

    /// Puts other classes in the place of those that are there: the columns of a migration have changed.
    func replaceClasses(by managed: [ManagedClass]) { classes.replaceAll(by: managed) }

    /// With `options`, the file is opened as these say, and nothing is made or compacted.
    static func openDatabase(
        _ configuration: Realm.Configuration, _ logger: Logger = .shared, options: OpenOptions? = nil
    ) throws -> Database {
        if configuration.inMemoryIdentifier != nil {
            return try Database.inMemory(in: NSTemporaryDirectory(), cipher: configuration.cipher())
        }
        let path = try filePath(configuration, isMade: options == nil)
        let database = try Database.open(
            path, readOnly: configuration.readOnly, joining: .always, cipher: configuration.cipher(),
            options: completed(options ?? self.options(configuration), configuration, logger),
            holder: RealmInstance.holder)
        if database.isUnguarded { warnOnce(ofUnguarded: path, logger) }
        logger.log(.detail, "Opened \(configuration.place) at version \(database.version).")
        for note in database.upgradeNotes { logger.log(.warn, "\(configuration.place): \(note)") }
        if options == nil, let asks = configuration.shouldCompactOnLaunch { try compact(database, if: asks, logger) }
        return database
    }

    /// The options with what the configuration says of waiting and durability.
    private static func completed(
        _ options: OpenOptions, _ configuration: Realm.Configuration, _ logger: Logger
    ) -> OpenOptions {
        var options = options
        let place = configuration.place
        options.patience = Patience(limit: configuration.writeLimit) { logger.log(.warn, "\(place): \($0).") }
        options.warn = { logger.log(.warn, $0) }
        options.durability = configuration.durability == .full ? .full : .ordered
        return options
    }

    private static let unguarded = Locked<Set<String>>([])

    /// Says once in the process what it means that no lock file could be used.
    private static func warnOnce(ofUnguarded path: String, _ logger: Logger) {
        guard unguarded.withLock({ $0.insert(path).inserted }) else { return }
        logger.log(
            .info,
            """
            '\(path)' is opened read-only without its lock file, which cannot be made or opened here. Nothing keeps \
            what is read from being overwritten, so no other process may write to the file meanwhile.
            """)
    }

    /// The path of the file to open, once its directory is there if that is the default one, and the seed if it is
    /// needed.
    private static func filePath(_ configuration: Realm.Configuration, isMade: Bool) throws -> String {
        guard let given = configuration.path else {
            throwRealmException("A Realm Configuration must specify a path or an in-memory identifier.")
        }
        guard isMade else { return given }
        let path = Folder.followed(given)
        // Where the default folder is takes long to find out, and is asked for only if something is missing.
        let folder = Folder.containing(path)
        if !configuration.readOnly, !Folder.wasFound(folder), !Folder.holds(folder + "/") {
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
            if directory == Realm.Configuration.defaultFileURL.deletingLastPathComponent() {
                try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
        }
        if let seed = configuration.seedFilePath {
            do {
                _ = try FileCopy.makeNew(of: seed.path, at: path, mode: configuration.newFileMode)
            } catch {
                throw Realm.Error(error)
            }
        }
        return path
    }

    /// Compacts the database that was just opened if `asks`, told its size and the bytes in use, says so. A failure
    /// leaves the file as it was, and is no reason not to use it.
    private static func compact(_ database: Database, if asks: (Int, Int) -> Bool, _ logger: Logger) throws {
        let use = try database.spaceUse()
        guard asks(use.fileByteCount, use.usedByteCount) else { return }
        do {
            let isCompacted = try database.compact()
            logger.log(.info, "'\(database.path)' \(isCompacted ? "was" : "is in use and was not") compacted.")
        } catch {
            logger.log(.warn, "'\(database.path)' could not be compacted: \(error)")
        }
    }

    static func options(_ configuration: Realm.Configuration) -> OpenOptions {
        var options = OpenOptions()
        options.allowsUpgrade = !configuration.disableFormatUpgrade
        options.historyConversion = configuration.convertsSyncedFile ? .local : .none
        options.newFileMode = configuration.newFileMode
        if let report = configuration.migrationProgress {
            options.upgradeProgress = { report(MigrationProgress($0)) }
        }
        return options
    }

    // MARK: Classes

    func managedClass(_ info: ClassInfo) -> ManagedClass? { classes[info] }

    func managedClass(named name: String) -> ManagedClass? { classes[name] }

    /// The table of the class with this name, which is the name in the program or the one in the file.
    func tableName(ofClass name: String) -> String {
        if let managed = classes[name] { return managed.info.tableName }
        return declared.values.first { $0.swiftName == name }?.tableName ?? FileFormat.classPrefix + name
    }

    /// The class that a table holds, if there is a model of it.
    func model(of table: Table) -> ManagedClass? { managedClasses.first { $0.tableKey == table.key } }

    var managedClasses: [ManagedClass] { classes.all }

    /// Adds a class that was first used after the file was opened: within the caller's write, or in one of its own.
    func register(_ info: ClassInfo, within transaction: WriteTransaction?) throws {
        let installer = SchemaInstaller(configuration, Schema(managedClasses.map(\.info) + [info]))
        let managed: [ManagedClass]
        if let transaction {
            managed = try installer.installAdditions(in: transaction)
        } else {
            let transaction = try database.beginWrite(within: configuration.writeLimit)
            managed = try installer.installAdditions(in: transaction)
            try transaction.commit()
        }
        classes.add(managed)
    }

    // MARK: New versions

    /// From now on `port` is told of other instances' commits.
    func add(_ port: DeliveryPort) {
        lock.locked {
            ports.removeAll { $0.object == nil }
            ports.append(Weak(object: port))
        }
    }

    /// From now on `feed` is told of all commits.
    func add(_ feed: ChangeFeedSignal) {
        lock.locked {
            feeds.removeAll { $0.object == nil }
            feeds.append(Weak(object: feed))
        }
    }

    /// Tells the other instances of a commit.
    func notifyOthers(than port: DeliveryPort?) {
        let (ports, feeds) = lock.locked { (self.ports.compactMap(\.object), self.feeds.compactMap(\.object)) }
        for feed in feeds { feed.wake() }
        for other in ports where other !== port { other.wake() }
    }

    /// Looks out for other processes' commits from now on.
    func watchOtherProcesses() {
        guard lock.locked({ foreignCommits == nil }) else { return }
        // Without it the Realm follows at its next refresh or write.
        let token = try? database.onForeignCommit { [weak self] in self?.notifyOthers(than: nil) }
        let surplus = lock.locked {
            if foreignCommits != nil { return token }
            foreignCommits = token
            return nil
        }
        withExtendedLifetime(surplus) {}
    }

    /// The frozen instance of a version, which all users of the version share.
    func frozen(_ version: Snapshot, _ configuration: Realm.Configuration) throws -> RealmInstance {
        // Of what went meanwhile, nothing may be let go under the lock.
        var gone: [RealmInstance?] = []
        defer { withExtendedLifetime(gone) {} }
        return try lock.locked {
            if let known = frozen[version.version]?.instance { return known }
            frozen = frozen.filter { entry in
                let instance = entry.value.instance
                gone.append(instance)
                return instance != nil
            }
            let instance = RealmInstance(
                self, configuration, frozen: try version.again(label: FrozenTables.label))
            frozen[version.version] = instance.reference
            return instance
        }
    }

    // MARK: Registry

    /// The open databases by path or identifier, and the instances by database and place; both weakly.
    private struct Registry {
        var coordinators: [String: Weak<RealmCoordinator>] = [:]
        var instances: [String: [Confinement.Key: InstanceReference]] = [:]
        /// The process that opened them. One that has got them by `fork` has to open them itself.
        let owner = CurrentProcess.identifier
    }

    private static let knownRegistry = Locked(Registry())

    private static func withRegistry<Result>(_ body: (inout Registry) -> Result) -> Result {
        knownRegistry.withLock { registry in
            if registry.owner != CurrentProcess.identifier { registry = Registry() }
            return body(&registry)
        }
    }

    /// What the database of a configuration is called in the registry: its own name, unless it is open under another
    /// name of the same file, a hard link say.
    private static func name(of configuration: Realm.Configuration) -> String {
        let name = configuration.registryName
        let (own, others) = withRegistry { registry in
            let own = registry.coordinators[name]?.object
            return (own, own == nil ? registry.coordinators.compactMapValues(\.object) : [:])
        }
        guard own == nil, !others.isEmpty, let path = configuration.path, let identity = FileIdentity(path) else {
            return name
        }
        return others.first { $0.value.database.identity == identity }?.key ?? name
    }

    /// Opening takes the session lock and may write the schema; two threads must not do so at once.
    private static let opening = NSRecursiveLock()

    /// What is being opened, by the holder of `opening`.
    private static let inProgress = Locked<Set<String>>([])

    /// The instance of a place for a configuration; opens the database if no instance has it open yet.
    static func instance(
        _ configuration: Realm.Configuration, at place: Confinement = .current
    ) throws -> RealmInstance {
        configuration.verifyConsistent()
        var name = configuration.registryName
        if let open = try openInstance(name, at: place, configuration) { return open }
        let known = self.name(of: configuration)
        if known != name {
            name = known
            if let open = try openInstance(name, at: place, configuration) { return open }
        }
        let instance = try newInstance(configuration, name, at: place)
        withRegistry {
            $0.instances[name] = ($0.instances[name] ?? [:]).filter { $0.value.instance != nil }
            $0.instances[name]?[place.key] = instance.reference
        }
        return instance
    }

    private static func openInstance(
        _ name: String, at place: Confinement, _ configuration: Realm.Configuration
    ) throws -> RealmInstance? {
        guard let open = withRegistry({ $0.instances[name]?[place.key]?.instance }) else { return nil }
        open.configuration.verifyCompatible(onSameThread: configuration)
        if !open.configuration.hasSameTypes(as: configuration) { try open.registerMissingClasses(configuration) }
        return open
    }

    private static func newInstance(
        _ configuration: Realm.Configuration, _ name: String, at place: Confinement
    ) throws -> RealmInstance {
        var version: Snapshot?
        let coordinator = try open(configuration, as: name, &version)
        do {
            return try RealmInstance(coordinator, configuration, at: place, version)
        } catch {
            throw Realm.Error(error, opening: configuration.fileURL?.path)
        }
    }

    /// The open database of a configuration, with all classes of that; opens it if it is not open yet.
    static func open(_ configuration: Realm.Configuration) throws -> RealmCoordinator {
        var version: Snapshot?
        return try open(configuration, as: name(of: configuration), &version)
    }

    /// The open database of a configuration, as `open(_:)` gives it. `name` is that of the registry, which takes a look
    /// at each folder of the path. Where the database is opened and in order, `version` becomes the version that was
    /// found.
    private static func open(
        _ configuration: Realm.Configuration, as name: String, _ version: inout Snapshot?
    ) throws -> RealmCoordinator {
        do {
            let coordinator = try coordinator(name, configuration, &version)
            // Outside of the opening lock: it may have to wait for a writer, which may want to open something itself.
            if version == nil { try coordinator.registerMissingClasses(configuration) }
            return coordinator
        } catch {
            throw Realm.Error(error, opening: configuration.fileURL?.path)
        }
    }

    /// Runs `body` while the database of `configuration` is not open in this process, and cannot be opened; returns
    /// nil, with nothing done, if it is open.
    static func whileClosed<Result>(
        _ configuration: Realm.Configuration, _ body: () throws -> Result
    ) rethrows -> Result? {
        opening.lock()
        defer { opening.unlock() }
        let name = self.name(of: configuration)
        if withRegistry({ $0.coordinators[name]?.object }) != nil { return nil }
        return try body()
    }

    /// Opens the database of a configuration on another thread, unless it is open already. The caller opens an instance
    /// of it quickly.
    static func openInBackground(_ configuration: Realm.Configuration) async throws -> RealmCoordinator {
        configuration.verifyConsistent()
        let name = self.name(of: configuration)
        if let open = withRegistry({ $0.coordinators[name]?.object }) { return open }
        let opened: Result<RealmCoordinator, any Swift.Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Result { try open(configuration) }) }
        }
        try Task.checkCancellation()
        return try opened.get()
    }

    /// Runs `body` with the open database of a configuration, or nil if it is not open, while no other thread can open
    /// it.
    static func whileOpening<Result>(
        _ configuration: Realm.Configuration, _ body: (RealmCoordinator?) throws -> Result
    ) throws -> Result {
        configuration.verifyConsistent()
        let name = self.name(of: configuration)
        opening.lock()
        defer { opening.unlock() }
        let open = withRegistry { registry in
            (registry.coordinators[name]?.object, registry.instances[name]?[Confinement.current.key]?.instance)
        }
        if open.1?.isInWriteTransaction == true {
            throwRealmException("The Realm is already in a write transaction")
        }
        return try body(open.0)
    }

    /// Opens a database that is not open, which migrates it, and closes it again.
    static func migrate(_ configuration: Realm.Configuration) throws {
        try whileOpening(configuration) { open in
            if open != nil { throwRealmException("Cannot migrate Realms that are already open.") }
            var version: Snapshot?
            _ = try self.open(self.name(of: configuration), configuration, &version)
        }
    }

    /// Opens a database. The caller holds `opening`, so what is in progress is so on this thread.
    private static func open(
        _ name: String, _ configuration: Realm.Configuration, _ version: inout Snapshot?
    ) throws -> RealmCoordinator {
        guard inProgress.withLock({ $0.insert(name).inserted }) else {
            throwRealmException("Cannot open the Realm at '\(name)' while it is being migrated on the same thread.")
        }
        defer { inProgress.withLock { _ = $0.remove(name) } }
        return try RealmCoordinator(configuration, try openDatabase(configuration), &version)
    }

    /// The open database of this name, or a newly opened one.
    private static func coordinator(
        _ name: String, _ configuration: Realm.Configuration, _ version: inout Snapshot?
    ) throws -> RealmCoordinator {
        opening.lock()
        defer { opening.unlock() }
        if let open = withRegistry({ $0.coordinators[name]?.object }) {
            open.configuration.verifyCompatible(acrossThreads: configuration)
            return open
        }
        let coordinator = try open(name, configuration, &version)
        withRegistry { $0.coordinators[name] = Weak(object: coordinator) }
        return coordinator
    }

    /// Gives tables to the classes that this configuration has and the one that opened the file had not.
    private func registerMissingClasses(_ configuration: Realm.Configuration) throws {
        guard !configuration.readOnly else { return }
        for info in configuration.schema.classes where managedClass(info) == nil { try register(info, within: nil) }
    }
}
