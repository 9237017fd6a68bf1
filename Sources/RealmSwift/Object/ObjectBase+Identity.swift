// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ObjectBase {
    /// Whether both are managed by one Realm and denote one row.
    func denotesSameRow(as other: ObjectBase) -> Bool {
        _rlmRow.realm != nil && _rlmRow.realm === other._rlmRow.realm && _rlmRow.key == other._rlmRow.key
            && _rlmRow.managed?.tableKey == other._rlmRow.managed?.tableKey
    }

    /// As `denotesSameRow(as:)`, and the class has a primary key.
    func denotesSameKeyedRow(as other: ObjectBase) -> Bool {
        denotesSameRow(as: other) && classInfo.primaryKey != nil
    }

    /// Objects with a primary key hash by it whether managed or not, so that adding one to a Realm keeps the hash.
    func hashIdentity(into hasher: inout Hasher) {
        guard let key = classInfo.primaryKey else {
            hasher.combine(ObjectIdentifier(self))
            return
        }
        hasher.combine(dynamicValue(of: key) as? AnyHashable)
    }
}
