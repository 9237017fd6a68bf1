// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Tells Swift's Observation what is read of the objects and collections of an instance, and what of that has changed.
///
/// Used at the instance's place only. This is what remains where there is no Observation: nothing is ever tracked.
///
/// What is read within `withObservationTracking` counts as changed at the end of the write that changes it, or when the
/// Realm moves to a version where it is different, whichever writer made that. `onChange` is called once, where the
/// Realm is confined, and the Realm shows the new state by then. Of deleted objects it is called after the observers,
/// which may hold the lists that such objects were shown from: a view replaces its list before it evaluates old rows.
///
/// To ask whether the caller is within `withObservationTracking` takes longer than to read a number, so programs that
/// never use that do not ask: `isWanted` decides for all Realms that say nothing else.
class ReadTracker {
    /// Something that was read.
    enum Subject: Hashable {
        case property(TableKey, ObjectKey, ColumnKey)
        /// Whether there is such an object.
        case object(TableKey, ObjectKey)
        case collection(CollectionPath)
        /// A query, by its number, of which the elements count, or whatever these lead to as well.
        case query(Int, deep: Bool)
    }

    /// Whether this program may look at reads at all. Where only names that are linked dynamically can be notified, a
    /// program that has linked everything into itself counts as one that does.
    static let isWanted: Bool = {
        #if !canImport(Observation)
            return false
        #elseif canImport(Darwin) || os(Windows)
            return true
        #else
            var isLinked = false
            let users = ImportedSymbols.filter(prefix: "$s11Observation") { name in
                isLinked = true
                // What the library itself imports: the registrar and the protocol.
                return !name.hasPrefix("0A9Registrar") && !name.hasPrefix("10Observable")
            }
            return users.map { !$0.isEmpty || !isLinked } ?? true
        #endif
    }()

    /// The tracker of an instance; nil if its reads shall not be tracked, or cannot be.
    static func make(_ configuration: Realm.Configuration) -> ReadTracker? {
        #if canImport(Observation)
            if configuration.tracksReads, #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) {
                return ObservationTracker()
            }
        #endif
        return nil
    }

    /// Whether the caller reads within `withObservationTracking`.
    var isTracking: Bool { false }

    /// Something was read of what `instance` shows.
    func read(_ subject: Subject, in instance: RealmInstance) {}

    /// A query was read.
    func read(_ core: ResultsCore, deep: Bool) {}

    /// The instance may show another version than before.
    func moved(_ instance: RealmInstance) {}

    /// All observers have been notified of what the instance shows.
    func observersWereNotified() {}

    /// Everything that was read is gone, or may be different.
    func forgetVersion() {}
}

extension ObjectBase {
    /// Tells of a read of a property. Every read comes here whose place is not checked by thread alone.
    @inline(__always) final func trackRead(_ key: PropertyKey) {
        guard let realm = _rlmRow.realm, let tracker = realm.tracker, tracker.isTracking else { return }
        trackRead(key, realm, tracker)
    }

    @inline(never) private final func trackRead(_ key: PropertyKey, _ realm: RealmInstance, _ tracker: ReadTracker) {
        guard let managed = _rlmRow.managed else { return }
        tracker.read(.property(managed.tableKey, _rlmRow.key, managed.columnKey(key)), in: realm)
    }

    /// Tells that the program has asked whether the object is there.
    final func trackExistence() {
        guard let realm = _rlmRow.realm, let tracker = realm.tracker, tracker.isTracking,
            let managed = _rlmRow.managed
        else { return }
        tracker.read(.object(managed.tableKey, _rlmRow.key), in: realm)
    }
}

extension ManagedCollection {
    /// Tells of a read of the collection.
    final func trackRead() {
        guard let tracker = realm.tracker, tracker.isTracking else { return }
        tracker.read(.collection(path), in: realm)
    }
}

extension ResultsCore {
    /// Tells of a read of the query; with `deep`, of one that depends on more than which elements there are.
    func trackRead(deep: Bool = false) {
        guard let tracker = realm.tracker, tracker.isTracking else { return }
        tracker.read(self, deep: deep)
    }
}
