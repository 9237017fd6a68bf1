// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The classes of the Realm, as its file stores them.
extension RealmInstance {
    /// The class as this file stores it; nil if the file doesn't store it.
    func managed(_ info: ClassInfo) -> ManagedClass? { coordinator.managedClass(info) }

    /// The class as this file stores it. Unlike `managed`, traps with the documented exception if the Realm doesn't
    /// have the class. If a world error prevents the Realm from storing it, or if the file can't be written to, the
    /// class has no table and no objects.
    func requireManaged(_ type: ObjectBase.Type) -> ManagedClass {
        remembersClasses ? known(type).locator.managed : findManaged(type)
    }

    /// The class as `requireManaged` returns it, with the last known location of an object of the class. Only where
    /// classes are remembered.
    func known(_ type: ObjectBase.Type) -> ClassCacheEntry {
        let bits = UInt(bitPattern: ObjectIdentifier(type))
        let slot = Int((bits >> 4 ^ bits >> 9) & 31)
        if let known = knownClasses[slot], known.type == type { return known }
        noteRead()
        let known = ClassCacheEntry(type, findManaged(type))
        if known.locator.managed.isStored { knownClasses[slot] = known }
        return known
    }

    private func findManaged(_ type: ObjectBase.Type) -> ManagedClass {
        let info = ClassRegistry.shared.info(for: type)
        if let managed = managed(info) { return managed }
        if configuration.objectTypes == nil, !configuration.readOnly, !isFrozen, !info.allProperties.isEmpty {
            return register(info)
        }
        if configuration.readOnly || isTroubled, isReadable(info) {
            return arrived(info) ?? ManagedClass(unstored: info)
        }
        throwRealmException(RealmInstance.unmanagedClass(info.name))
    }

    /// The documented text for a class that the schema of the Realm lacks.
    static func unmanagedClass(_ name: String) -> String {
        """
        Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in \
        your configuration, add `\(name)` to the list of `objectClasses` / `objectTypes`.
        """
    }

    /// Creates the table of a class that was first used after the Realm was opened.
    private func register(_ info: ClassInfo) -> ManagedClass {
        do {
            if let failure = reader.writeFailure { throw failure }
            if transaction == nil { writes.yieldTurn() }
            try coordinator.register(info, within: transaction)
            if transaction == nil { try advance() } else { changed() }
        } catch {
            let failure = worldFailure(error)
            if isInWriteTransaction { reader.failWrite(failure) } else { report(failure) }
            return ManagedClass(unstored: info)
        }
        guard let managed = managed(info) else { throwRealmException(RealmInstance.unmanagedClass(info.name)) }
        return managed
    }

    /// A class of a synchronised read-only Realm whose table was added after it was opened; nil while the table is
    /// missing.
    private func arrived(_ info: ClassInfo) -> ManagedClass? {
        adoptArrivedClasses()
        return managed(info)
    }

    /// Whether tables can be added by others than this Realm.
    var mayGetTables: Bool { configuration.readOnly && !configuration.isImmutable }

    /// Adopts the tables of a synchronised read-only Realm that were added after it was opened. Those that don't match
    /// the models are reported, and have no objects.
    func adoptArrivedClasses() {
        guard mayGetTables else { return }
        do {
            try coordinator.registerMissingClasses(configuration)
        } catch {
            report((error as? StorageError) ?? StorageError(.invalidArgument, "\(error)"))
        }
    }

    /// Adds the classes of another opening at the same confinement that the file lacks (row R102).
    func registerMissingClasses(_ other: Realm.Configuration) throws {
        if configuration.readOnly { return try coordinator.registerMissingClasses(other) }
        for info in other.schema.classes where managed(info) == nil {
            if transaction == nil { writes.yieldTurn() }
            try coordinator.register(info, within: transaction)
            if transaction == nil { try advance() } else { changed() }
        }
    }

    /// Whether the class is one that the Realm may be used with.
    private func isReadable(_ info: ClassInfo) -> Bool {
        configuration.objectTypes == nil || configuration.schema.classes.contains { $0 === info }
    }
}
