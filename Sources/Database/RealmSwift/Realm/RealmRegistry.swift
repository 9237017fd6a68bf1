// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// The Realms that are open in this process. Open databases are shared; `DatabaseOpener` opens the others.
enum RealmRegistry {
    private enum Lookup {
        /// A file that was already open in this process. Its schema may lack classes of the configuration.
        case open(RealmCoordinator)
        case opened(DatabaseOpener.Opened)
    }

    private static let entries = DatabaseRegistry<RealmCoordinator> { $0.database.identity }

    private static func name(of configuration: Realm.Configuration) -> String {
        entries.name(configuration.registryName, ofFile: configuration.path)
    }

    // MARK: Instances

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
        entries.add(instance.reference, of: name, at: place.key)
        return instance
    }

    private static func openInstance(
        _ name: String, at place: Confinement, _ configuration: Realm.Configuration
    ) throws -> RealmInstance? {
        guard let open = entries.instance(of: name, at: place.key)?.instance else { return nil }
        try open.configuration.verifyCompatible(onSameThread: configuration)
        if !open.configuration.hasSameTypes(as: configuration) { try open.registerMissingClasses(configuration) }
        return open
    }

    private static func newInstance(
        _ configuration: Realm.Configuration, _ name: String, at place: Confinement
    ) throws -> RealmInstance {
        let found = try database(of: configuration, named: name)
        do {
            return try RealmInstance(found.coordinator, configuration, at: place, found.version)
        } catch {
            throw Realm.Error(error, opening: configuration.fileURL?.path)
        }
    }

    // MARK: Databases

    /// Opens the database if it isn't open yet. The result has all classes of the configuration.
    static func coordinator(_ configuration: Realm.Configuration) throws -> RealmCoordinator {
        try database(of: configuration, named: name(of: configuration)).coordinator
    }

    /// Like `coordinator`, but opens the database on another thread. Opening an instance of it is then fast.
    static func coordinatorInBackground(_ configuration: Realm.Configuration) async throws -> RealmCoordinator {
        configuration.verifyConsistent()
        if let open = entries.database(named: name(of: configuration)) { return open }
        let opened: Result<RealmCoordinator, any Swift.Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { try coordinator(configuration) })
            }
        }
        try Task.checkCancellation()
        return try opened.get()
    }

    /// Returns the open database of a configuration, with all its classes. `name` is passed because computing it
    /// inspects each folder of the path. The result includes the version if this call opened the database.
    private static func database(
        of configuration: Realm.Configuration, named name: String
    ) throws -> DatabaseOpener.Opened {
        do {
            switch try lookUp(name, configuration) {
            case .opened(let opened): return opened
            case .open(let coordinator):
                // Called outside of the opening lock: this may wait for a writer that is itself opening a database.
                try coordinator.registerMissingClasses(configuration)
                return DatabaseOpener.Opened(coordinator: coordinator, version: nil)
            }
        } catch {
            throw Realm.Error(error, opening: configuration.fileURL?.path)
        }
    }

    // MARK: Opening

    private static func lookUp(_ name: String, _ configuration: Realm.Configuration) throws -> Lookup {
        try entries.whileOpening(name) { open in
            if let open {
                try open.configuration.verifyCompatible(acrossThreads: configuration)
                return .open(open)
            }
            return .opened(
                try entries.opening(name) {
                    let opened = try DatabaseOpener(configuration).open()
                    return (opened.coordinator, opened)
                })
        }
    }

    /// Runs `body` while the database of `configuration` is closed in this process and can't be opened; returns nil and
    /// does nothing if it is open.
    static func whileClosed<Result>(
        _ configuration: Realm.Configuration, _ body: () throws -> Result
    ) rethrows -> Result? {
        try entries.whileOpening(name(of: configuration)) { try $0 == nil ? body() : nil }
    }

    /// Runs `body` with the open database of a configuration, or nil if it isn't open. No other thread can open it
    /// meanwhile.
    static func whileOpening<Result>(
        _ configuration: Realm.Configuration, _ body: (RealmCoordinator?) throws -> Result
    ) throws -> Result {
        configuration.verifyConsistent()
        let name = self.name(of: configuration)
        return try entries.whileOpening(name) { open in
            if entries.instance(of: name, at: Confinement.current.key)?.instance?.isInWriteTransaction == true {
                throwRealmException("The Realm is already in a write transaction")
            }
            return try body(open)
        }
    }

    /// Opens a database, which migrates it, and closes it. Traps if it is already open.
    static func migrate(_ configuration: Realm.Configuration) throws {
        try whileOpening(configuration) { open in
            if open != nil { throwRealmException("Cannot migrate Realms that are already open.") }
            _ = try coordinator(configuration)
        }
    }
}

extension RealmInstance {
    /// Creates a live instance. `version`, if given, is the newest one, of which only the schema has been read.
    convenience init(
        _ coordinator: RealmCoordinator, _ configuration: Realm.Configuration, at confinement: Confinement,
        _ version: Snapshot? = nil
    ) throws {
        let tracker = configuration.access.tracksReads ? ReadTracker.make() : nil
        let snapshot = try version ?? coordinator.database.snapshot(label: VersionReader.holder)
        let reader = VersionReader(
            coordinator.host, configuration.readerSettings, at: confinement, snapshot, isTracked: tracker != nil)
        self.init(
            reader, models: InstanceModels(coordinator, configuration), names: coordinator.propertyNames,
            known: PathBindingCache(), tracker: tracker)
    }
}
