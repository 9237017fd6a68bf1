// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The cancelled writes of an instance. Used to detect objects that were created in one of them, because a later write
/// may assign their keys to other objects.
package struct CancelledWrites {
    /// For each cancelled write, the sequence numbers of the tables before it.
    private var sequences: [UInt64: [TableKey: UInt64]] = [:]

    /// `sequences` are those of the tables that the instance reads now.
    package mutating func insert(_ write: UInt64, _ sequences: [TableKey: UInt64]) { self.sequences[write] = sequences }

    /// Whether an object of a class was created in a write that was cancelled later.
    package func contains(_ key: ObjectKey, of managed: ManagedClass, createdInWrite: UInt64) -> Bool {
        guard createdInWrite != 0 else { return false }
        return contains(
            key, of: managed.tableKey, hasPrimaryKey: managed.primaryKey != nil, createdInWrite: createdInWrite)
    }

    /// Whether an object was created in a write that was cancelled later. `createdInWrite` is the write in which the
    /// accessor was created; 0 outside of writes.
    package func contains(_ key: ObjectKey, of table: TableKey, hasPrimaryKey: Bool, createdInWrite: UInt64) -> Bool {
        guard createdInWrite != 0, let sequences = sequences[createdInWrite] else { return false }
        guard let sequence = sequences[table] else { return true }
        return key.number(hasPrimaryKey: hasPrimaryKey) >= sequence
    }
}
