// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ObjectBase {
    /// Returns whether the object's class is `aClass` or derives from it.
    public func isKind(of aClass: AnyClass) -> Bool {
        sequence(first: type(of: self) as AnyClass, next: _getSuperclass).contains { $0 == aClass }
    }

    /// Returns whether the object's class is `aClass` itself.
    public func isMember(of aClass: AnyClass) -> Bool { type(of: self) == aClass }

    func denotesSameRow(as other: ObjectBase) -> Bool {
        _rlmRow.realm != nil && _rlmRow.realm === other._rlmRow.realm && _rlmRow.key == other._rlmRow.key
            && _rlmRow.managed?.tableKey == other._rlmRow.managed?.tableKey && _rlmRow.epoch == other._rlmRow.epoch
    }

    /// Whether both denote the same row, as for `denotesSameRow(as:)`, and the class has a primary key or the row is
    /// immutable.
    func denotesSameKeyedRow(as other: ObjectBase) -> Bool {
        denotesSameRow(as: other) && (isFrozen || classInfo.primaryKey != nil)
    }

    /// Objects with a primary key hash by it whether managed or not, so adding one to a Realm preserves the hash.
    /// Frozen objects without a primary key hash by their row.
    func hashIdentity(into hasher: inout Hasher) {
        guard let key = classInfo.primaryKey else {
            if isFrozen { return hasher.combine(_rlmRow.key) }
            hasher.combine(ObjectIdentifier(self))
            return
        }
        hasher.combine(dynamicValue(of: key) as? AnyHashable)
    }
}
