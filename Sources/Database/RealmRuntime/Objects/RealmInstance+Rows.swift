// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The reads of deleted objects that were logged already.
private let loggedReads = Locked<Set<String>>([])

extension RealmInstance {
    /// Handles a read of a deleted object: by default it only writes a line to the log, once per class and property
    /// (design decision 8); the settings can enable the original's exception, with `text`.
    package func readWithoutRow(_ managed: ManagedClass, _ property: String, _ text: @autoclosure () -> String) {
        if reader.settings.trapsInvalidated { refuse(text()) }
        let place = "\(managed.name).\(property)"
        guard loggedReads.withLock({ $0.insert(place).inserted }) else { return }
        reader.host.log.write(
            .error, "'\(place)' was read from a deleted or invalidated object; the empty value is returned.")
    }

    package func allKeys(of managed: ManagedClass, first limit: Int = .max) -> [ObjectKey] {
        guard let table = table(managed.tableKey) else { return [] }
        return reading([]) { try table.allKeys(first: limit) }
    }
}
