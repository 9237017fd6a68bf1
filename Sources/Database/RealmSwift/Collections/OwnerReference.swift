// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Which row a collection belongs to.
///
/// It stands in for the owner's accessor, which holds the collection and must not be held by it.
struct OwnerReference {
    let realm: RealmInstance
    let managed: ManagedClass
    private(set) var key: ObjectKey
    /// The write transaction in which this was made, or 0, as `RowState.createdInWrite` has it for an object.
    private(set) var createdInWrite: UInt64
    /// The value of `ReadState.epoch` when this was made.
    private var epoch: UInt32

    /// nil for an unmanaged object.
    init?(_ object: ObjectBase) {
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed else { return nil }
        self.realm = realm
        self.managed = managed
        key = object._rlmRow.key
        createdInWrite = object._rlmRow.createdInWrite
        epoch = object._rlmRow.epoch
    }

    /// Goes over to another row of the class.
    mutating func move(to object: ObjectBase) {
        key = object._rlmRow.key
        createdInWrite = object._rlmRow.createdInWrite
        epoch = object._rlmRow.epoch
    }

    /// The same row in another instance.
    init(_ anchor: OwnerReference, in realm: RealmInstance) {
        self.realm = realm
        managed = anchor.managed
        key = anchor.key
        createdInWrite = realm.currentWrite
        epoch = realm.epoch
    }

    /// The row's table and its place in the current version; nil if the object is gone. Checks the thread.
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

    /// What reading a collection of a deleted object does, which is empty (design decision 8).
    func readWithoutRow(_ column: ColumnKey, _ kind: String) {
        if realm.configuration.invalidatedAccess == .trap { refuseAsInvalid(kind) }
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
