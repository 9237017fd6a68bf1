// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The cancelled writes of an instance, to detect objects that were created in one of them: a later write may give
/// their keys to other objects.
package struct CancelledWrites {
    /// For each cancelled write, the sequence numbers that its tables had before it.
    private var sequences: [UInt64: [TableKey: UInt64]] = [:]

    /// Records that a write was cancelled. `sequences` are those of the tables that the instance reads now.
    package mutating func insert(_ write: UInt64, _ sequences: [TableKey: UInt64]) { self.sequences[write] = sequences }

    /// Whether an object was created in a write that was cancelled later. The value that refers to the object was
    /// created in the write `createdInWrite`, or outside of writes if that is 0.
    package func contains(_ key: ObjectKey, of table: TableKey, hasPrimaryKey: Bool, createdInWrite: UInt64) -> Bool {
        guard createdInWrite != 0, let sequences = sequences[createdInWrite] else { return false }
        guard let sequence = sequences[table] else { return true }
        return key.number(hasPrimaryKey: hasPrimaryKey) >= sequence
    }
}
