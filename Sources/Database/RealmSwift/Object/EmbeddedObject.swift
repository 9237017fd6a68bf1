// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The superclass of objects that belong to one parent object each, and are deleted with it.
///
/// ```swift
/// class Address: EmbeddedObject {
///     @Persisted var street: String
/// }
/// class Person: Object {
///     @Persisted var address: Address?
/// }
/// ```
open class EmbeddedObject: ObjectBase {
    public required init() {}

    /// Creates an unmanaged object from a dictionary by property name, an array in the order of the properties, or
    /// another object with properties of the same names. Properties missing from a dictionary have their defaults.
    public convenience init(value: Any) {
        self.init()
        setValues(from: value)
    }

    public static override func isEmbedded() -> Bool { true }

    open override class func shouldIncludeInDefaultSchema() -> Bool { self != EmbeddedObject.self }

    open override class func propertiesMapping() -> [String: String] { [:] }

    /// Returns the names of properties that aren't stored, in a class without `@Persisted` properties.
    open class func ignoredProperties() -> [String] { [] }

    public override final var isInvalidated: Bool { super.isInvalidated }

    open override var description: String { super.description }

    /// Accesses the property with this name. The value must be of the property's type, or convertible to it without
    /// loss; an enum is represented by its raw value.
    open subscript(key: String) -> Any? {
        get { boxedValue(named: key) }
        set { setDynamicValue(newValue, named: key) }
    }

    /// Returns whether both are the same instance, or are managed by the same Realm and represent the same stored
    /// object.
    public func isSameObject(as object: EmbeddedObject?) -> Bool {
        object.map { $0 === self || denotesSameRow(as: $0) } ?? false
    }
}

/// Another name for ``EmbeddedObject``.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
