// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Registers the reads of an instance's objects and collections with Swift's Observation, and reports their changes.
///
/// Used only where the instance is confined. On platforms without Observation, this base class is used: nothing is
/// tracked.
///
/// A read within `withObservationTracking` counts as changed at the end of the write that changes it, or when the Realm
/// moves to a version where it is different, for any writer. `onChange` is called once, where the Realm is confined,
/// when the Realm shows the new state. For deleted objects it is called after the observers, which may hold the lists
/// that such objects were shown from: a view replaces its list before it evaluates old rows.
///
/// Checking whether the caller is within `withObservationTracking` takes longer than reading a number, so programs that
/// never use that skip the check: `isWanted` is the default for all Realms.
class ReadTracker {
    enum Subject: Hashable {
        case property(TableKey, ObjectKey, ColumnKey)
        /// The existence of an object.
        case object(TableKey, ObjectKey)
        case collection(CollectionPath)
        /// A query, by its number. A change of its elements counts; if deep, also changes of objects that they link to.
        case query(Int, deep: Bool)
    }

    /// Whether this program may use Observation. This can be determined only for dynamically linked symbols, so a
    /// statically linked program counts as one that does.
    static let isWanted: Bool = {
        #if !canImport(Observation)
            return false
        #elseif canImport(Darwin) || os(Windows)
            return true
        #else
            var isLinked = false
            let users = ImportedSymbols.filter(prefix: "$s11Observation") { name in
                isLinked = true
                // The library's own imports: the registrar and the protocol.
                return !name.hasPrefix("0A9Registrar") && !name.hasPrefix("10Observable")
            }
            return users.map { !$0.isEmpty || !isLinked } ?? true
        #endif
    }()

    /// The tracker of an instance; nil if its reads shouldn't or can't be tracked.
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

    /// Registers a read of the state that `instance` shows.
    func read(_ subject: Subject, in instance: RealmInstance) {}

    /// Registers a read of a query.
    func read(_ core: ResultsCore, deep: Bool) {}

    /// Called when the instance may show another version than before.
    func moved(_ instance: RealmInstance) {}

    /// Called after all observers have been notified of the state that the instance shows.
    func observersWereNotified() {}

    /// Called when everything that was read is invalid, or may be different.
    func forgetVersion() {}
}

extension ObjectBase {
    /// Registers a read of a property. Called for every read whose confinement isn't checked by thread alone.
    @inline(__always) final func trackRead(_ key: PropertyKey) {
        guard let realm = _rlmRow.realm, let tracker = realm.tracker, tracker.isTracking else { return }
        trackRead(key, realm, tracker)
    }

    @inline(never) private final func trackRead(_ key: PropertyKey, _ realm: RealmInstance, _ tracker: ReadTracker) {
        guard let managed = _rlmRow.managed else { return }
        tracker.read(.property(managed.tableKey, _rlmRow.key, managed.columnKey(key)), in: realm)
    }

    /// Registers that the program checked whether the object exists.
    final func trackExistence() {
        guard let realm = _rlmRow.realm, let tracker = realm.tracker, tracker.isTracking,
            let managed = _rlmRow.managed
        else { return }
        tracker.read(.object(managed.tableKey, _rlmRow.key), in: realm)
    }
}

extension ManagedCollection {
    /// Registers a read of the collection.
    final func trackRead() {
        guard let tracker = realm.tracker, tracker.isTracking else { return }
        tracker.read(.collection(path), in: realm)
    }
}

extension ResultsCore {
    /// Registers a read of the query; with `deep`, of one that depends on more than the set of elements.
    func trackRead(deep: Bool = false) {
        guard let tracker = realm.tracker, tracker.isTracking else { return }
        tracker.read(self, deep: deep)
    }
}
