// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSync
import RealmSystem

/// Opens the database of a configuration: finds its file, upgrades and compacts it where the configuration says so, and
/// brings its tables in line with the schema. What is open already is the business of `RealmRegistry`.
struct DatabaseOpener {
    let configuration: Realm.Configuration
    let logger: Logger

    init(_ configuration: Realm.Configuration, logger: Logger = .shared) {
        self.configuration = configuration
        self.logger = logger
    }

    /// A database and its classes.
    struct Opened {
        let coordinator: RealmCoordinator
        /// The version that was found, as long as nothing had to be done to the file.
        let version: Snapshot?
    }

    /// Opens the database, and brings its tables in line with the schema of the configuration.
    func open() throws -> Opened {
        guard let data = configuration.synchronisedData else {
            return try Self.install(configuration, in: try openDatabase())
        }
        return try openSynchronised(data)
    }

    /// Opens a synchronised file. One that is still uploading, with no Realm open, is used as it is.
    private func openSynchronised(_ data: any SynchronisedData) throws -> Opened {
        let known = configuration.path.flatMap { SynchronisedFiles.hold(Folder.absolute(Folder.followed($0))) }
        let database = try known?.file.database ?? openDatabase()
        let opened = try Self.install(configuration, in: database)
        opened.coordinator.synchronise(known ?? SynchronisedFiles.begin(database, configuration, data))
        return opened
    }

    /// Brings the tables of an open database in line with the schema of the configuration.
    static func install(_ configuration: Realm.Configuration, in database: Database) throws -> Opened {
        let installed = try SchemaInstaller(configuration, configuration.schema).install(in: database)
        let coordinator = RealmCoordinator(configuration, database, installed.classes)
        return Opened(coordinator: coordinator, version: installed.version)
    }

    /// Opens the database. A file that is not there is made, from the seed if there is one.
    func openDatabase() throws -> Database {
        if configuration.inMemoryIdentifier != nil {
            return try Database.inMemory(in: NSTemporaryDirectory(), cipher: configuration.cipher())
        }
        let path = try preparedPath()
        let database = try Database.open(
            path, readOnly: configuration.isImmutable, joining: .always, cipher: configuration.cipher(),
            options: options, holder: RealmInstance.holder)
        if database.isUnguarded { warnOnce(ofUnguarded: path) }
        logger.log(.detail, "Opened \(configuration.place) at version \(database.version).")
        for note in database.upgradeNotes { logger.log(.warn, "\(configuration.place): \(note)") }
        if let asks = configuration.shouldCompactOnLaunch { try compact(database, if: asks) }
        return database
    }

    /// How the configuration has its file opened, upgraded, written and waited for.
    var options: OpenOptions {
        var options = OpenOptions()
        options.allowsUpgrade = !configuration.disableFormatUpgrade
        options.historyConversion = configuration.convertsSyncedFile ? .local : .none
        if configuration.isSynchronised { options.synchronisedHistory = ClientFileHistory() }
        options.creates = !configuration.needsFile
        options.newFileMode = configuration.newFileMode
        if let report = configuration.migrationProgress {
            options.upgradeProgress = { report(MigrationProgress($0)) }
        }
        let (place, logger) = (configuration.place, logger)
        options.patience = Patience(limit: configuration.writeLimit) { logger.log(.warn, "\(place): \($0).") }
        options.warn = { logger.log(.warn, $0) }
        options.durability =
            switch configuration.durability {
            case .ordered: .ordered
            case .full: .full
            case .interchangeable: .interchangeable
            }
        return options
    }

    /// The path of the file to open, once its directory is there if that is the default one, and the seed if it is
    /// needed.
    private func preparedPath() throws -> String {
        guard let given = configuration.path else {
            throwRealmException("A Realm Configuration must specify a path or an in-memory identifier.")
        }
        let path = Folder.followed(given)
        // Beside a file that has to be there, and is not, nothing is made.
        if !configuration.needsFile || configuration.seedFilePath != nil || Folder.holds(path) {
            configuration.makeSynchronisedFolder(for: path)
        }
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

    /// The paths that `warnOnce(ofUnguarded:)` has warned of.
    private static let unguarded = Locked<Set<String>>([])

    /// Says once in the process what it means that no lock file could be used.
    private func warnOnce(ofUnguarded path: String) {
        guard Self.unguarded.withLock({ $0.insert(path).inserted }) else { return }
        logger.log(
            .info,
            """
            '\(path)' is opened read-only without its lock file, which cannot be made or opened here. Nothing keeps \
            what is read from being overwritten, so no other process may write to the file meanwhile.
            """)
    }
}

extension Realm.Configuration {
    /// Creates the folder of a synchronised Realm, and notes that the user has a file there. Does nothing for a local
    /// one.
    func makeSynchronisedFolder(for path: String) {
        guard let data = synchronisedData else { return }
        try? FileManager.default.createDirectory(atPath: Folder.containing(path), withIntermediateDirectories: true)
        data.willOpen(path)
    }
}
