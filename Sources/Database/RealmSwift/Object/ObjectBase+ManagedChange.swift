// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension ObjectBase {
    final func _store(_ value: StoredValue, _ key: PropertyKey) {
        let (realm, managed) = verifyChange(of: key)
        realm.change { try $0.set(value, managed.columnKey(key), of: _rlmRow.key, in: managed.tableKey) }
    }

    final func _store(_ value: Int64, _ key: PropertyKey) {
        if overwrite(key, { $0.overwrite(value, .int, $1, in: $2, row: $3, of: $4) }) { return }
        _store(.int(value), key)
    }

    final func _store(_ value: Bool, _ key: PropertyKey) {
        if overwrite(key, { $0.overwrite(value ? 1 : 0, .bool, $1, in: $2, row: $3, of: $4) }) { return }
        _store(.bool(value), key)
    }

    final func _store(_ value: Double, _ key: PropertyKey) {
        if overwrite(key, { $0.overwrite(value, $1, in: $2, row: $3, of: $4) }) { return }
        _store(.double(value), key)
    }

    /// Calls `body` to overwrite the existing value, if the cached position of the row is valid and a write is in
    /// progress here. Returns false otherwise; the value is then stored by the general path, with every check.
    ///
    /// Nothing is retained here, because that would take longer than the rest.
    @inline(__always)
    private func overwrite(
        _ key: PropertyKey, _ body: (WriteTransaction, ColumnKey, TableKey, Int, Node) -> Bool
    ) -> Bool {
        guard isInKnownRow, let state = _rlmRow.state, let transaction = unsafe state.pointee.transaction,
            let leaf = _rlmRow.leaf, let column = _rlmRow.managed?.columnKey(key),
            let table = _rlmRow.managed?.tableKey
        else { return false }
        let node = unsafe Node(header: _rlmRow.leafHeader, payload: leaf, in: state.pointee.space)
        let row = _rlmRow.row
        guard unsafe transaction._withUnsafeGuaranteedRef({ body($0, column, table, row, node) }) else { return false }
        unsafe state.pointee.clock.record(.value)
        return true
    }

    final func _storeMixed(_ content: _StoredContent, _ key: PropertyKey) {
        let (realm, managed) = verifyChange(of: key)
        let path = CollectionPath(managed.columnKey(key), of: _rlmRow.key, in: managed.tableKey)
        realm.put(content, at: .property(path), update: .error)
    }

    /// Assigns a link. An unmanaged object is added with everything it links to; an embedded one becomes part of this
    /// object and replaces the previous one.
    final func _storeLink(_ target: ObjectBase?, _ key: PropertyKey) {
        let (realm, managed) = verifyChange(of: key)
        realm.setLink(target?.stored, managed.columnKey(key), of: _rlmRow.key, in: managed, update: .error)
    }

    /// The order of the checks is that of the original's errors.
    private func verifyChange(of key: PropertyKey) -> (RealmInstance, ManagedClass) {
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed else {
            throwRealmException("The object is not managed by a Realm.")
        }
        if !isInKnownRow { verifyRow(in: realm) }
        if realm.isFrozen {
            throwRealmException(
                "Attempting to modify a frozen object - call thaw on the Object instance first.")
        }
        realm.verifyInWrite(
            "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first."
        )
        if managed.primaryKey == managed.columnKey(key), !realm.allowsKeyChange(of: managed) {
            throwRealmException("Primary key can't be changed after an object is inserted.")
        }
        return (realm, managed)
    }
}
