// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A class of objects that are only written, for a sync service to collect: sensor readings, events, logs.
///
/// ```swift
/// class Reading: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var celsius: Double
/// }
/// try realm.write { realm.create(Reading.self, value: ["celsius": 21.5]) }
/// ```
///
/// `realm.create(_:value:)` is all that can be done with one: nothing is returned, and no query, count or dynamic
/// object shows it again. They may hold embedded objects, but no links to others, and nothing may link to them.
///
/// A local Realm refuses such classes unless `Realm.Configuration.keepsAsymmetricObjects` asks for them: their objects
/// are kept in the file then, in a table of their own, until they can be sent.
open class AsymmetricObject: ObjectBase {
    public required init() {}

    /// Makes an object to read and change until it is created in a Realm, from a dictionary by property name, an array
    /// in the order of the properties, or another object with properties of the same names.
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

/// So that a link to one compiles, and is refused with the documented text when the schema is built.
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
    /// Stores an object of a class that is only written. During a write only.
    ///
    /// The object is made from a dictionary by property name, an array in the order of the properties, or another
    /// object, and cannot be read again.
    public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
        verifyInWrite()
        if !configuration.keepsAsymmetricObjects {
            throwRealmException("Asymmetric table '\(type.className())' not allowed in a local Realm")
        }
        _ = instance.create(type, value, update: .error)
    }
}
