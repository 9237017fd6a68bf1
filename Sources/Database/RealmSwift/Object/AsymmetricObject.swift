// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A class of write-only objects, collected by a sync service: sensor readings, events, logs.
///
/// ```swift
/// class Reading: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var celsius: Double
/// }
/// try realm.write { realm.create(Reading.self, value: ["celsius": 21.5]) }
/// ```
///
/// They can only be created, by `realm.create(_:value:)`: it returns nothing, and no query, count or dynamic object
/// includes them. They may contain embedded objects, but no links to others, and can't be linked to.
///
/// A local Realm rejects such classes unless `Realm.Configuration.keepsAsymmetricObjects` is set: then their objects
/// are stored in the file, in a table of their own, until they can be sent.
open class AsymmetricObject: ObjectBase {
    public required init() {}

    /// Creates an object that can be read and changed until it is created in a Realm, from a dictionary by property
    /// name, an array in the order of the properties, or another object with properties of the same names.
    public convenience init(value: Any) {
        self.init()
        setValues(from: value)
    }

    open override class func shouldIncludeInDefaultSchema() -> Bool { self != AsymmetricObject.self }

    open override class func propertiesMapping() -> [String: String] { [:] }

    /// The properties of the object's class.
    public var objectSchema: ObjectSchema { ObjectSchema(classInfo) }

    open override var description: String { super.description }

    /// The property with this name. The value must be of the property's type, or convertible to it without loss; an
    /// enum is its raw value here.
    open subscript(key: String) -> Any? {
        get { boxedValue(named: key) }
        set { setDynamicValue(newValue, named: key) }
    }
}

/// Another name of ``AsymmetricObject``.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject

/// Lets a link to such an object compile, so that it is rejected with the documented text when the schema is built.
extension AsymmetricObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type as which values are stored.
    public typealias PersistedType = AsymmetricObject

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: AsymmetricObject) {
        object._storeLink(value, key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: AsymmetricObject?) {
        object._storeLink(value, key)
    }
}

extension Realm {
    /// Stores an object of a write-only class. Call this only within a write transaction.
    ///
    /// The object is created from a dictionary by property name, an array in the order of the properties, or another
    /// object, and can't be read afterwards.
    public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
        verifyInWrite()
        if !configuration.keepsAsymmetricObjects {
            throwRealmException("Asymmetric table '\(type.className())' not allowed in a local Realm")
        }
        _ = instance.create(type, value, update: .error)
    }
}
