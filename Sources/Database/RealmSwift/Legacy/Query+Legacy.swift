// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Query where T: ObjectBase {
    /// Returns a query on a property declared with `RealmProperty`.
    public subscript<V>(dynamicMember member: KeyPath<T, RealmProperty<V>>) -> Query<V> { self.member(member) }
}
