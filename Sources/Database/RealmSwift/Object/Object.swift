// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The superclass of the objects that a Realm stores. Each subclass has a table of its own.
///
/// ```swift
/// class Dog: Object {
///     @Persisted var name: String
///     @Persisted var age: Int
/// }
/// ```
///
/// A managed object is an accessor of a row, created on demand. During an iteration, an accessor may be reused for the
/// next object once you no longer reference it, unless the class has stored properties that aren't in the database.
/// Don't depend on `deinit`, or on the identity of an object after you have released it.
open class Object: ObjectBase {
    public required init() {}

    /// Creates an unmanaged object from a dictionary by property name, an array in the order of the properties, or
    /// another object with properties of the same names. Properties missing from a dictionary have their defaults.
    public convenience init(value: Any) {
        self.init()
        setValues(from: value)
    }

    open override class func shouldIncludeInDefaultSchema() -> Bool { self != Object.self }

    open override class func propertiesMapping() -> [String: String] { [:] }

    /// Returns the name of the property that is the primary key; nil for a class without one, and if the property is
    /// declared with `@Persisted(primaryKey: true)`.
    open class func primaryKey() -> String? { nil }

    /// Returns the names of properties that aren't stored. A `@Persisted` property among them behaves like an ordinary
    /// one.
    open class func ignoredProperties() -> [String] { [] }

    /// Returns the names of properties to index, in addition to those declared with `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }

    open override var isInvalidated: Bool { super.isInvalidated }

    open override var description: String { super.description }

    /// Accesses the property with this name. The value must be of the property's type, or convertible to it without
    /// loss; an enum is represented by its raw value.
    open subscript(key: String) -> Any? {
        get { boxedValue(named: key) }
        set { setDynamicValue(newValue, named: key) }
    }

    /// Returns whether both are the same instance, or are managed by the same Realm and represent the same stored
    /// object. Doesn't use `==`.
    public func isSameObject(as object: Object?) -> Bool {
        object.map { $0 === self || denotesSameRow(as: $0) } ?? false
    }
}

/// Another name for ``Object``.
public typealias RealmSwiftObject = Object
