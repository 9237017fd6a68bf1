// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension RealmInstance {
    func managed(_ info: ClassInfo) -> ManagedClass? { coordinator.managedClass(info) }

    /// Like `managed`, but traps with the documented exception if the Realm doesn't have the class. If a world error
    /// prevents the Realm from storing it, or if the file can't be written to, the class has no table and no objects.
    func requireManaged(_ type: ObjectBase.Type) -> ManagedClass {
        remembersClasses ? known(type).locator.managed : findManaged(type)
    }

    /// The class as `requireManaged` returns it, with the last known location of an object of the class. Called only if
    /// `remembersClasses` is true.
    func known(_ type: ObjectBase.Type) -> ClassCacheEntry {
        let models = own
        let bits = UInt(bitPattern: ObjectIdentifier(type))
        let slot = Int((bits >> 4 ^ bits >> 9) & 31)
        if let known = models.knownClasses[slot], known.type == type { return known }
        noteRead()
        let known = ClassCacheEntry(type, findManaged(type))
        if known.locator.managed.isStored { models.knownClasses[slot] = known }
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

    static func unmanagedClass(_ name: String) -> String {
        """
        Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array in \
        your configuration, add `\(name)` to the list of `objectClasses` / `objectTypes`.
        """
    }

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

    private func arrived(_ info: ClassInfo) -> ManagedClass? {
        adoptArrivedClasses()
        return managed(info)
    }

    /// Whether tables can be added by a writer other than this Realm.
    var mayGetTables: Bool { configuration.readOnly && !configuration.isImmutable }

    /// Adopts the tables of a synchronised read-only Realm that were added after it was opened. Tables that don't match
    /// the models are reported, and their classes have no objects.
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

    private func isReadable(_ info: ClassInfo) -> Bool {
        configuration.objectTypes == nil || configuration.schema.classes.contains { $0 === info }
    }
}
