// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A class of objects that the database stores, each with a table of its own.
///
/// ```swift
/// class Dog: Object {
///     @Persisted var name: String
///     @Persisted var age: Int
/// }
/// ```
///
/// A managed object is an accessor of a row, made when it is asked for. Where objects are gone through one after the
/// other, one that is not referenced any more may become the accessor of the next, unless the class has stored
/// properties that are not in the database. So nothing should depend on `deinit`, or on the identity of an object let
/// go of.
open class Object: ObjectBase {
    public required init() {}

    /// Makes an unmanaged object from a dictionary by property name, an array in the order of the properties, or
    /// another object with properties of the same names. What a dictionary lacks keeps its default.
    public convenience init(value: Any) {
        self.init()
        setValues(from: value)
    }

    open override class func shouldIncludeInDefaultSchema() -> Bool { self != Object.self }

    open override class func propertiesMapping() -> [String: String] { [:] }

    /// The name of the primary key, where `@Persisted(primaryKey: true)` does not declare it.
    open class func primaryKey() -> String? { nil }

    /// The names of properties that are not stored. A `@Persisted` property among them is an ordinary one of the
    /// object.
    open class func ignoredProperties() -> [String] { [] }

    /// The names of properties to index, beside those that `@Persisted(indexed: true)` declares.
    open class func indexedProperties() -> [String] { [] }

    open override var isInvalidated: Bool { super.isInvalidated }

    open override var description: String { super.description }

    /// The property with this name. The value must be of the property's type, or convertible to it without loss; an
    /// enum is its raw value here.
    open subscript(key: String) -> Any? {
        get { boxedValue(named: key) }
        set { setDynamicValue(newValue, named: key) }
    }

    /// Whether both are one object, or are managed by the same Realm and denote the same row, whatever `==` says.
    public func isSameObject(as object: Object?) -> Bool {
        object.map { $0 === self || denotesSameRow(as: $0) } ?? false
    }
}

/// Another name of ``Object``.
public typealias RealmSwiftObject = Object
