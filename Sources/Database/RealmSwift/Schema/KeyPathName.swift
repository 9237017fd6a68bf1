// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The names of the stored properties that a key path goes through, with dots between them, as filters and sort
/// descriptors take them: `"address.city"` for `\Person.address?.city`, `"dogs.name"` for `\Person.dogs[0].name`.
///
/// Empty for a key path that goes through anything else but properties declared `@Persisted` and subscripts of
/// collections, which add nothing to the name.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
    PropertyProbe.nameIfStored(keyPath) ?? ""
}
