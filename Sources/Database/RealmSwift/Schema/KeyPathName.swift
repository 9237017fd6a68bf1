// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Returns the names of the stored properties on a key path, with dots between them, as filters and sort descriptors
/// accept them: `"address.city"` for `\Person.address?.city`, `"dogs.name"` for `\Person.dogs[0].name`.
///
/// Returns an empty text for a key path that contains anything except properties declared `@Persisted` and subscripts
/// of collections, which add nothing to the name.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
    PropertyProbe.nameIfStored(keyPath) ?? ""
}
