// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSync
import RealmSystem

/// Opens the database of a configuration: locates its file, upgrades and compacts it if configured, and adapts its
/// tables to the schema. `RealmRegistry` handles databases that are already open.
struct DatabaseOpener {
    let configuration: Realm.Configuration
    let logger: Logger

    init(_ configuration: Realm.Configuration, logger: Logger = .shared) {
        self.configuration = configuration
        self.logger = logger
    }

    struct Opened {
        let coordinator: RealmCoordinator
        /// The version that was opened, if the file needed no changes.
        let version: Snapshot?
    }

    func open() throws -> Opened {
        guard let data = configuration.synchronisedData else {
            return try Self.install(configuration, in: try openDatabase())
        }
        return try openSynchronised(data)
    }

    /// A file that is still uploading, with no Realm open, is reused as it is.
    private func openSynchronised(_ data: any SynchronisedData) throws -> Opened {
        let known = configuration.path.flatMap { SynchronisedFiles.hold(Folder.absolute(Folder.followed($0))) }
        let database = try known?.file.database ?? openDatabase()
        if known == nil { try data.prepare(database) }
        let opened = try Self.install(configuration, in: database)
        opened.coordinator.synchronise(known ?? SynchronisedFiles.begin(database, configuration, data))
        try data.didOpen(opened.coordinator)
        return opened
    }

    static func install(_ configuration: Realm.Configuration, in database: Database) throws -> Opened {
        let installed = try SchemaInstaller(configuration, configuration.schema).install(in: database)
        let coordinator = RealmCoordinator(configuration, database, installed.classes)
        return Opened(coordinator: coordinator, version: installed.version)
    }

    /// A missing file is created, from the seed if there is one.
    func openDatabase() throws -> Database {
        if configuration.inMemoryIdentifier != nil {
            return try Database.inMemory(in: NSTemporaryDirectory(), cipher: configuration.cipher())
        }
        let path = try preparedPath()
        let database = try Database.open(
            path, readOnly: configuration.isImmutable, joining: .always, cipher: configuration.cipher(),
            options: options, holder: VersionReader.holder)
        if database.isUnguarded { warnOnce(ofUnguarded: path) }
        let name = database.logName
        logger.log(.detail, "\(name) Open file: \(path)")
        logger.log(.trace, "\(name) Start read: version \(database.version)")
        for note in database.upgradeNotes { logger.log(.warn, "\(configuration.place): \(note)") }
        if let asks = configuration.shouldCompactOnLaunch { try compact(database, if: asks) }
        return database
    }

    var options: OpenOptions {
        var options = OpenOptions()
        options.allowsUpgrade = !configuration.disableFormatUpgrade
        options.historyConversion = configuration.storage.convertsSyncedFile ? .local : .none
        if configuration.isSynchronised { options.synchronisedHistory = ClientFileHistory() }
        options.creates = !configuration.needsFile
        options.newFileMode = configuration.storage.newFileMode
        if let report = configuration.schemaRules.migrationProgress {
            options.upgradeProgress = { report(MigrationProgress($0)) }
        }
        let (place, logger) = (configuration.place, logger)
        options.patience = Patience(limit: configuration.storage.writeLimit) { logger.log(.warn, "\(place): \($0).") }
        options.warn = { logger.log(.warn, $0) }
        options.durability =
            switch configuration.storage.durability {
            case .survivesSystemCrash: .ordered
            case .survivesPowerFailure: .full
            case .survivesPowerFailureInEveryEngine: .interchangeable
            }
        return options
    }

    /// Creates the default directory, and the file from its seed, if they are missing.
    private func preparedPath() throws -> String {
        guard let given = configuration.path else {
            throwRealmException("A Realm Configuration must specify a path or an in-memory identifier.")
        }
        let path = Folder.followed(given)
        // If a required file is missing, nothing is created next to it.
        if !configuration.needsFile || configuration.seedFilePath != nil || Folder.holds(path) {
            configuration.makeSynchronisedFolder(for: path)
        }
        // Finding the default folder is slow, so it is looked up only if something is missing.
        let folder = Folder.containing(path)
        if !configuration.readOnly, !Folder.wasFound(folder), !Folder.holds(folder + "/") {
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
            if directory == Realm.Configuration.defaultFileURL.deletingLastPathComponent() {
                try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
        }
        if let seed = configuration.seedFilePath {
            do {
                _ = try FileCopy.makeNew(of: seed.path, at: path, mode: configuration.storage.newFileMode)
            } catch {
                throw Realm.Error(error)
            }
        }
        return path
    }

    /// Compacts the database if `asks` returns true for the size of the file and the bytes in use. After a failure the
    /// file is unchanged and is used as it is.
    private func compact(_ database: Database, if asks: (Int, Int) -> Bool) throws {
        let use = try database.spaceUse()
        guard asks(use.fileByteCount, use.usedByteCount) else { return }
        do {
            let isCompacted = try database.compact()
            logger.log(.info, "'\(database.path)' \(isCompacted ? "was" : "is in use and was not") compacted.")
        } catch {
            logger.log(.warn, "'\(database.path)' could not be compacted: \(error)")
        }
    }

    private static let unguarded = Locked<Set<String>>([])

    private func warnOnce(ofUnguarded path: String) {
        guard Self.unguarded.withLock({ $0.insert(path).inserted }) else { return }
        logger.log(
            .info,
            """
            '\(path)' is opened read-only without its lock file, which cannot be created or opened. The data that is \
            read could be overwritten, so no other process may write to the file meanwhile.
            """)
    }
}

extension Realm.Configuration {
    func makeSynchronisedFolder(for path: String) {
        guard let data = synchronisedData else { return }
        try? FileManager.default.createDirectory(atPath: Folder.containing(path), withIntermediateDirectories: true)
        data.willOpen(path)
    }
}
