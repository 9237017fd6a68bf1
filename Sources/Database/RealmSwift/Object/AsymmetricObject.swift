// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The superclass of write-only objects that a sync service collects, such as sensor readings, events, and logs.
///
/// ```swift
/// class Reading: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var celsius: Double
/// }
/// try realm.write { realm.create(Reading.self, value: ["celsius": 21.5]) }
/// ```
///
/// Create such an object with `realm.create(_:value:)`, which returns nothing; no query, count or dynamic object
/// includes it. An asymmetric object may contain embedded objects. It can't have other links, and can't be linked to.
///
/// A Realm with subscriptions sends the objects to the server, and the file doesn't keep them. Other Realms reject such
/// classes unless `Realm.Configuration.schemaRules.keepsAsymmetricObjects` is set. If it is set, the objects are stored
/// in a separate table of the file until they can be sent.
open class AsymmetricObject: ObjectBase {
    public required init() {}

    /// Creates an unmanaged object from a dictionary by property name, an array in the order of the properties, or
    /// another object with properties of the same names. The object can be read and changed until it is created in a
    /// Realm.
    public convenience init(value: Any) {
        self.init()
        setValues(from: value)
    }

    open override class func shouldIncludeInDefaultSchema() -> Bool { self != AsymmetricObject.self }

    open override class func propertiesMapping() -> [String: String] { [:] }

    /// The schema of the object's class.
    public var objectSchema: ObjectSchema { ObjectSchema(classInfo) }

    open override var description: String { super.description }

    /// Accesses the property with this name. The value must be of the property's type, or convertible to it without
    /// loss; an enum is represented by its raw value.
    open subscript(key: String) -> Any? {
        get { boxedValue(named: key) }
        set { setDynamicValue(newValue, named: key) }
    }
}

/// Another name for ``AsymmetricObject``.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject

/// Lets a link to such an object compile, so that it is rejected with the documented text when the schema is built.
extension AsymmetricObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _DefaultConstructible {
    /// The type in which values are stored.
    public typealias PersistedType = AsymmetricObject

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: AsymmetricObject) {
        object._storeLink(value, key)
    }

    public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: AsymmetricObject?) {
        object._storeLink(value, key)
    }
}

extension Realm {
    /// Stores an object of an asymmetric class. Call this only within a write transaction.
    ///
    /// The object is created from a dictionary by property name, an array in the order of the properties, or another
    /// object, and can't be read afterwards.
    public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
        verifyInWrite()
        if !configuration.hasAsymmetricClasses {
            let realm = configuration.isSynchronised ? "partition based sync" : "a local Realm"
            throwRealmException("Asymmetric table '\(type.className())' not allowed in \(realm)")
        }
        _ = instance.create(type, value, update: .error)
    }
}
