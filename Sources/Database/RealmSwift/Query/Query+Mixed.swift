// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Lists and dictionaries inside mixed values.
extension Query where T == AnyRealmValue {
    /// The element of a list at a position; null if the value isn't a list, or has no such element.
    public subscript(position: Int) -> Query<AnyRealmValue> {
        if position < 0 { throwRealmException("Cannot pass a negative value for 'index'.") }
        return element(.index(position))
    }

    /// The value of a dictionary's key; null if the value isn't a dictionary, or doesn't have the key.
    public subscript(key: String) -> Query<AnyRealmValue> { element(.key(key)) }

    /// Each element of a list, or each value of a dictionary: some of them must satisfy a comparison.
    public var any: Query<AnyRealmValue> { element(.any) }
}
