// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A reference to the row that a collection belongs to.
///
/// Used instead of the owner's accessor, which retains the collection and must not be retained by it.
package struct OwnerReference {
    package let realm: RealmInstance
    package let managed: ManagedClass
    package private(set) var key: ObjectKey
    /// The write transaction in which this was created, or 0, as an object's.
    package private(set) var createdInWrite: UInt64
    /// The value of `ReadState.epoch` when this was created.
    private var epoch: UInt32

    package init(
        _ realm: RealmInstance, _ managed: ManagedClass, _ key: ObjectKey, createdInWrite: UInt64, epoch: UInt32
    ) {
        self.realm = realm
        self.managed = managed
        self.key = key
        self.createdInWrite = createdInWrite
        self.epoch = epoch
    }

    /// Creates a reference to the same row in another instance.
    package init(_ owner: OwnerReference, in realm: RealmInstance) {
        self.init(realm, owner.managed, owner.key, createdInWrite: realm.currentWrite, epoch: realm.epoch)
    }

    /// Refers to another row of the same class.
    package mutating func move(to key: ObjectKey, createdInWrite: UInt64, epoch: UInt32) {
        self.key = key
        self.createdInWrite = createdInWrite
        self.epoch = epoch
    }

    /// Returns the row's table and its position in the current version; nil if the object was deleted. Checks the
    /// thread.
    package func locate() -> (table: Table, position: ClusterTree.Position)? {
        realm.verifyThread()
        guard epoch == realm.epoch, !realm.writes.cancelled.contains(key, of: managed, createdInWrite: createdInWrite),
            let table = realm.table(managed.tableKey),
            let position = realm.reading(nil, { try realm.find(key, in: table) })
        else { return nil }
        return (table, position)
    }

    package func denotesSameRow(as other: OwnerReference) -> Bool {
        realm === other.realm && managed.tableKey == other.managed.tableKey && key == other.key
            && epoch == other.epoch
    }

    /// Handles a read of a collection of a deleted object, which reads as empty (design decision 8).
    package func readWithoutRow(_ column: ColumnKey, _ kind: String) {
        realm.readWithoutRow(managed, managed.propertyName(UInt16(column.leafIndex)), refusal(of: kind))
    }

    package func refuseAsInvalid(_ kind: String) { realm.refuse(refusal(of: kind)) }

    private func refusal(of kind: String) -> String {
        """
        \(kind) is no longer valid. Either the parent object was deleted or the containing Realm has been \
        invalidated or closed.
        """
    }
}
