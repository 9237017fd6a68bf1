// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The tables of an immutable version. After its first use, a table is read without the snapshot's lock.
package final class FrozenTables: Sendable {
    package static let label = "frozen"

    private let snapshot: Snapshot
    private let bySlot: [PublishedOnce<Table>]

    package init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        bySlot = (0..<snapshot.slotCount).map { _ in PublishedOnce() }
    }

    package func table(_ key: TableKey) throws -> Table? {
        guard key.slot < bySlot.count else { return nil }
        if let table = bySlot[key.slot].value { return table.key == key ? table : nil }
        return try snapshot.table(key).map(bySlot[key.slot].publish)
    }
}
