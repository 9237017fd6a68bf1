// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The cancelled writes of an instance, by which objects that were made in one of them are told: a later write may give
/// their keys to other objects.
struct CancelledWrites {
    /// For each cancelled write, the sequence numbers that its tables had before it.
    private var sequences: [UInt64: [TableKey: UInt64]] = [:]

    /// Notes that a write was cancelled. `sequences` are those of the tables that the instance reads now.
    mutating func insert(_ write: UInt64, _ sequences: [TableKey: UInt64]) { self.sequences[write] = sequences }

    /// Whether an object was made in a write that was cancelled since. Something was made for it in the write
    /// `createdInWrite`, or outside of writes if that is 0.
    func contains(_ key: ObjectKey, of managed: ManagedClass, createdInWrite: UInt64) -> Bool {
        guard createdInWrite != 0, let sequences = sequences[createdInWrite] else { return false }
        guard let sequence = sequences[managed.tableKey] else { return true }
        return key.number(hasPrimaryKey: managed.primaryKey != nil) >= sequence
    }
}
