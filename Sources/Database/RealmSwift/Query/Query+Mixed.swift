// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension Query where T == AnyRealmValue {
    /// The element of a list at an index; null if the value isn't a list, or the list has no such element.
    public subscript(position: Int) -> Query<AnyRealmValue> {
        if position < 0 { throwRealmException("Cannot pass a negative value for 'index'.") }
        return element(.index(position))
    }

    /// The value of a dictionary's key; null if the value isn't a dictionary, or the dictionary doesn't have the key.
    public subscript(key: String) -> Query<AnyRealmValue> { element(.key(key)) }

    /// Any element of a list, or any value of a dictionary: a comparison is true if at least one of them satisfies it.
    public var any: Query<AnyRealmValue> { element(.any) }
}
