// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ObjectBase {
    /// Whether both are managed by one Realm and denote one row.
    func denotesSameRow(as other: ObjectBase) -> Bool {
        _row.realm != nil && _row.realm === other._row.realm && _row.managed === other._row.managed
            && _row.key == other._row.key
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
