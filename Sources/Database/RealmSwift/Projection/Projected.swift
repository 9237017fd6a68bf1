// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A property wrapper that declares a property of a ``Projection``: a property of the root object, or of an object that
/// it links to.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var firstName
///     @Projected(\Person.address?.city) var homeCity
///     @Projected(\Person.friends.projectTo.firstName) var friendsNames: ProjectedCollection<String>
/// }
/// ```
///
/// The property is read and written through the key path. Writing traps if the key path is read-only.
@frozen
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
    @usableFromInline let keyPath: KeyPath<T, Value>

    /// Declares a property with the value of a key path of the root class.
    @inlinable public init(_ projectedKeyPath: KeyPath<T, Value>) {
        keyPath = projectedKeyPath
    }

    /// Unavailable: a projected property must be declared in a projection.
    @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
    public var wrappedValue: Value {
        get { throwRealmException("@Projected can only be used as a property on a Projection") }
        set { throwRealmException("@Projected can only be used as a property on a Projection") }
    }

    /// The property of the enclosing projection.
    @inlinable
    public static subscript<EnclosingSelf: Projection<T>>(
        _enclosingInstance observed: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        get { observed.rootObject[keyPath: observed[keyPath: storageKeyPath].keyPath] }
        set { observed[keyPath: storageKeyPath].write(newValue, to: observed.rootObject) }
    }

    @usableFromInline func write(_ value: Value, to root: T) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<T, Value> else {
            throwRealmException("KeyPath is not writable")
        }
        root[keyPath: keyPath] = value
    }
}

protocol ProjectedField {
    /// The wrapper is at `address`.
    static func keyPath(at address: UnsafeRawPointer) -> AnyKeyPath
}

extension Projected: ProjectedField {
    static func keyPath(at address: UnsafeRawPointer) -> AnyKeyPath {
        unsafe address.assumingMemoryBound(to: Self.self).pointee.keyPath
    }
}
