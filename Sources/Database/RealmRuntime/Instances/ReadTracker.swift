// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Registers the reads of an instance's objects and collections with Swift's Observation, and reports their changes.
///
/// Confined like the instance. This base class, which tracks nothing, is used on platforms without Observation.
///
/// A read within `withObservationTracking` counts as changed when the write that changes it ends, or when the Realm
/// moves to a version with another value. The writer doesn't matter. `onChange` is called once, where the Realm is
/// confined, when the Realm shows the new state. For deleted objects it is called after the observers. These may own
/// the lists that showed the objects: a view must replace its list before it evaluates old rows.
///
/// Checking whether the caller is within `withObservationTracking` takes longer than reading a number, so programs that
/// never use it skip the check: `isWanted` is the default for all Realms.
package class ReadTracker {
    package enum Subject: Hashable {
        case property(TableKey, ObjectKey, ColumnKey)
        /// The existence of an object.
        case object(TableKey, ObjectKey)
        case collection(CollectionPath)
        /// A query, identified by its number. If deep, changes of linked objects count in addition to changes of its
        /// elements.
        case query(Int, deep: Bool)
    }

    /// Whether this program may use Observation. This can be determined only for dynamically linked symbols, so the
    /// result is true for a statically linked program.
    package static let isWanted: Bool = {
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

    /// Returns nil if the platform has no Observation.
    package static func make() -> ReadTracker? {
        #if canImport(Observation)
            if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) { return ObservationTracker() }
        #endif
        return nil
    }

    package init() {}

    package var isTracking: Bool { false }

    package func read(_ subject: Subject, in instance: RealmInstance) {}

    /// Registers a read of a query. `number` identifies the query, and is assigned at its first read.
    package func read(
        query number: inout Int, deep: Bool, in instance: RealmInstance, _ query: () -> ObservedQuery
    ) {}

    /// Called when the instance may show a new version.
    func moved(_ instance: RealmInstance) {}

    /// Called after all observers have been notified of the state that the instance shows.
    func observersWereNotified() {}

    /// Called when everything that was read is invalid, or may differ.
    func forgetVersion() {}
}
