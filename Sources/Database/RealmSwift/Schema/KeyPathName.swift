// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Returns the names of the stored properties of a key path, separated by dots, for use in filters and sort
/// descriptors: `"address.city"` for `\Person.address?.city`, and `"dogs.name"` for `\Person.dogs[0].name`.
///
/// Returns an empty string if the key path contains anything except `@Persisted` properties and subscripts of
/// collections. Subscripts don't appear in the result.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
    PropertyProbe.nameIfStored(keyPath) ?? ""
}
