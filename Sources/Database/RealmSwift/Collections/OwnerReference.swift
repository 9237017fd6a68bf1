// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A reference to the row that a collection belongs to.
///
/// Used instead of the owner's accessor, which retains the collection and must not be retained by it.
struct OwnerReference {
    let realm: RealmInstance
    let managed: ManagedClass
    private(set) var key: ObjectKey
    /// The write transaction in which this was created, or 0, as `RowState.createdInWrite` for an object.
    private(set) var createdInWrite: UInt64
    /// The value of `ReadState.epoch` when this was created.
    private var epoch: UInt32

    /// Returns nil for an unmanaged object.
    init?(_ object: ObjectBase) {
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed else { return nil }
        self.realm = realm
        self.managed = managed
        key = object._rlmRow.key
        createdInWrite = object._rlmRow.createdInWrite
        epoch = object._rlmRow.epoch
    }

    mutating func move(to object: ObjectBase) {
        key = object._rlmRow.key
        createdInWrite = object._rlmRow.createdInWrite
        epoch = object._rlmRow.epoch
    }

    init(_ anchor: OwnerReference, in realm: RealmInstance) {
        self.realm = realm
        managed = anchor.managed
        key = anchor.key
        createdInWrite = realm.currentWrite
        epoch = realm.epoch
    }

    /// Returns the row's table and its position in the current version; nil if the object was deleted. Checks the
    /// thread.
    func locate() -> (table: Table, position: ClusterTree.Position)? {
        realm.verifyThread()
        guard epoch == realm.epoch, !realm.writes.cancelled.contains(key, of: managed, createdInWrite: createdInWrite),
            let table = realm.table(managed.tableKey),
            let position = realm.reading(nil, { try realm.find(key, in: table) })
        else { return nil }
        return (table, position)
    }

    func denotesSameRow(as other: OwnerReference) -> Bool {
        realm === other.realm && managed.tableKey == other.managed.tableKey && key == other.key
            && epoch == other.epoch
    }

    /// Handles a read of a collection of a deleted object, which reads as empty (design decision 8).
    func readWithoutRow(_ column: ColumnKey, _ kind: String) {
        if realm.configuration.access.invalidated == .trap { refuseAsInvalid(kind) }
        InvalidatedReads.log(
            managed.info.name, managed.propertyName(PropertyKey(column.leafIndex)), to: realm.coordinator.logger)
    }

    func refuseAsInvalid(_ kind: String) {
        realm.refuse(
            """
            \(kind) is no longer valid. Either the parent object was deleted or the containing Realm has been \
            invalidated or closed.
            """)
    }
}
