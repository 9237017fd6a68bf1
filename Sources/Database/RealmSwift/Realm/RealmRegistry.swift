// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem

/// The databases that are open in this process, and the instances of each confinement. Open databases are shared;
/// `DatabaseOpener` opens the others.
enum RealmRegistry {
    private enum Lookup {
        /// A file that was already open in this process. Its schema may lack classes of the configuration.
        case open(RealmCoordinator)
        case opened(DatabaseOpener.Opened)
    }

    // MARK: Entries

    /// The open databases by path or identifier, and the instances by database and confinement. Both are referenced
    /// weakly.
    private struct Entries {
        var coordinators: [String: Weak<RealmCoordinator>] = [:]
        var instances: [String: [Confinement.Key: InstanceReference]] = [:]
        /// A process that inherits the entries by `fork` has to open the databases itself.
        let owner = CurrentProcess.identifier
    }

    private static let knownEntries = Locked(Entries())

    private static func withEntries<Result>(_ body: (inout Entries) -> Result) -> Result {
        knownEntries.withLock { entries in
            if entries.owner != CurrentProcess.identifier { entries = Entries() }
            return body(&entries)
        }
    }

    private static func openCoordinator(_ name: String) -> RealmCoordinator? {
        withEntries { $0.coordinators[name]?.object }
    }

    /// Returns the registry name of a configuration's database: its own name, unless the file is open under another
    /// name, such as a hard link.
    private static func name(of configuration: Realm.Configuration) -> String {
        let name = configuration.registryName
        let (own, others) = withEntries { entries in
            let own = entries.coordinators[name]?.object
            return (own, own == nil ? entries.coordinators.compactMapValues(\.object) : [:])
        }
        guard own == nil, !others.isEmpty, let path = configuration.path, let identity = FileIdentity(path) else {
            return name
        }
        return others.first { $0.value.database.identity == identity }?.key ?? name
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
        withEntries {
            $0.instances[name] = ($0.instances[name] ?? [:]).filter { $0.value.instance != nil }
            $0.instances[name]?[place.key] = instance.reference
        }
        return instance
    }

    private static func openInstance(
        _ name: String, at place: Confinement, _ configuration: Realm.Configuration
    ) throws -> RealmInstance? {
        guard let open = withEntries({ $0.instances[name]?[place.key]?.instance }) else { return nil }
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
        if let open = openCoordinator(name(of: configuration)) { return open }
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

    /// Opening acquires the session lock and may write the schema, so two threads must not open one file at once.
    /// Openings of different files don't wait for each other.
    private static let openings = OpeningLocks()

    private static func lookUp(_ name: String, _ configuration: Realm.Configuration) throws -> Lookup {
        try openings.locked(name) {
            if let open = openCoordinator(name) {
                try open.configuration.verifyCompatible(acrossThreads: configuration)
                return .open(open)
            }
            return try openings.opening(name) {
                let opened = try DatabaseOpener(configuration).open()
                withEntries { $0.coordinators[name] = Weak(object: opened.coordinator) }
                return .opened(opened)
            }
        }
    }

    /// Runs `body` while the database of `configuration` is closed in this process and can't be opened; returns nil and
    /// does nothing if it is open.
    static func whileClosed<Result>(
        _ configuration: Realm.Configuration, _ body: () throws -> Result
    ) rethrows -> Result? {
        let name = self.name(of: configuration)
        return try openings.locked(name) { try openCoordinator(name) == nil ? body() : nil }
    }

    /// Runs `body` with the open database of a configuration, or nil if it isn't open. No other thread can open it
    /// meanwhile.
    static func whileOpening<Result>(
        _ configuration: Realm.Configuration, _ body: (RealmCoordinator?) throws -> Result
    ) throws -> Result {
        configuration.verifyConsistent()
        let name = self.name(of: configuration)
        return try openings.locked(name) {
            let open = withEntries { entries in
                (entries.coordinators[name]?.object, entries.instances[name]?[Confinement.current.key]?.instance)
            }
            if open.1?.isInWriteTransaction == true {
                throwRealmException("The Realm is already in a write transaction")
            }
            return try body(open.0)
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
