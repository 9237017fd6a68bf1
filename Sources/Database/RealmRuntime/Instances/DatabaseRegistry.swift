// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The databases that are open in this process, by name, and the instances of each confinement. Both are referenced
/// weakly.
///
/// `Shared` is the state that the instances of one database share. A name is a path or an identifier.
package final class DatabaseRegistry<Shared: AnyObject & Sendable>: Sendable {
    private struct Entry {
        let database: Weak<Shared>
        let identity: LatestIdentity
    }

    private struct Entries {
        var databases: [String: Entry] = [:]
        var instances: [String: [Confinement.Key: InstanceReference]] = [:]
        /// A process that inherits the entries by `fork` has to open the databases itself.
        let owner = CurrentProcess.identifier
    }

    private let entries = Locked(Entries())
    /// Opening acquires the session lock and may write the schema, so two threads must not open one file at once.
    /// Openings of different files don't wait for each other.
    private let openings = OpeningLocks()
    private let identity: @Sendable (Shared) -> LatestIdentity

    package init(identity: @escaping @Sendable (Shared) -> LatestIdentity) { self.identity = identity }

    private func withEntries<Result>(_ body: (inout Entries) -> Result) -> Result {
        entries.withLock { entries in
            if entries.owner != CurrentProcess.identifier { entries = Entries() }
            return body(&entries)
        }
    }

    package func database(named name: String) -> Shared? { withEntries { $0.databases[name]?.database.object } }

    /// Returns the name of a database: `name`, unless the file at `path` is open under another name, such as a hard
    /// link.
    ///
    /// Other databases aren't referenced meanwhile: a database that another thread closes would remain open.
    package func name(_ name: String, ofFile path: String?) -> String {
        guard database(named: name) == nil, let path, let file = FileIdentity(path) else { return name }
        let identities = withEntries { $0.databases.mapValues(\.identity) }
        for (other, identity) in identities where other != name && identity.current == file {
            if database(named: other) != nil { return other }
            // It was closed, and another file may have the identity since.
            withEntries { if $0.databases[other]?.identity === identity { $0.databases[other] = nil } }
        }
        return name
    }

    package func instance(of name: String, at place: Confinement.Key) -> InstanceReference? {
        withEntries { $0.instances[name]?[place] }
    }

    /// Adds an instance, after removing the deallocated ones of its database.
    package func add(_ instance: InstanceReference, of name: String, at place: Confinement.Key) {
        withEntries {
            $0.instances[name] = ($0.instances[name] ?? [:]).filter { $0.value.instance != nil }
            $0.instances[name]?[place] = instance
        }
    }

    /// Runs `body` with the open database, or nil if it isn't open. No other thread can open it meanwhile.
    package func whileOpening<Result>(_ name: String, _ body: (Shared?) throws -> Result) rethrows -> Result {
        try openings.locked(name) { try body(database(named: name)) }
    }

    /// Runs `open`, which opens the database, and adds the database. Called within `whileOpening`. Traps if this thread
    /// is opening the database already.
    package func opening<Opened>(
        _ name: String, _ open: () throws -> (shared: Shared, opened: Opened)
    ) rethrows -> Opened {
        try openings.opening(name) {
            let (shared, opened) = try open()
            withEntries { $0.databases[name] = Entry(database: Weak(object: shared), identity: identity(shared)) }
            return opened
        }
    }
}
