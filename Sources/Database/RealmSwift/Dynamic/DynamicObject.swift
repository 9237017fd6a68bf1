// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// An object of any class in the file, with or without a Swift class, whose properties are accessed by name.
///
/// ```swift
/// for dog in realm.dynamicObjects("Dog").filter("age > 3") {
///     print(dog.name as? String ?? "", dog["age"] as? Int ?? 0)
/// }
/// ```
///
/// Properties have the names declared in the Swift class if the Realm has one for the table, otherwise the names of the
/// columns. Values are Swift values, nil for null, and numbers can be cast to every numeric type that can represent
/// them. A link is an object of its Swift class; it is a `DynamicObject` during a migration, and if the Realm has no
/// such class. An object inside a mixed value is always a `DynamicObject`. A collection is a `List`, `MutableSet` or
/// `Map` of its element type, with `DynamicObject` for objects. An inverse property of the Swift class is
/// `LinkingObjects<DynamicObject>`. In all other respects it behaves like an `Object`.
@dynamicMemberLookup
public final class DynamicObject: Object {
    struct Detached {
        var info = DynamicObject.blank
        /// The Realm in which its class, and those of the objects it links to, were found.
        var owner: RealmInstance?
        /// Values of the properties' own types, by the index of the property.
        var values: [Int: Any] = [:]
        /// An unmanaged object of a Swift class whose properties are shown instead.
        var subject: ObjectBase?
    }

    private static let blank = ClassInfo(objectClass: DynamicObject.self, properties: [], name: "DynamicObject")

    /// Confined to one thread like the object, and never accessed across a call that could reenter.
    @safe @exclusivity(unchecked) var detached = Detached()

    /// Creates an unmanaged object without properties. To create an object of a class, call
    /// `Realm.dynamicCreate(_:value:update:)`.
    public required init() { super.init() }

    convenience init(_ info: ClassInfo, in owner: RealmInstance) {
        self.init()
        detached.info = info
        detached.owner = owner
    }

    private convenience init(showing subject: ObjectBase) {
        self.init()
        detached.info = ClassInfo(dynamic: subject.classInfo)
        detached.subject = subject
    }

    /// Returns the object itself, or a dynamic view of it: of its row, if it is managed.
    static func view(of object: ObjectBase) -> DynamicObject {
        if let object = object as? DynamicObject { return object }
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed,
            let table = realm.table(managed.tableKey)
        else { return DynamicObject(showing: object) }
        return realm.object(of: DynamicObject.self, realm.dynamicClass(of: table), object._rlmRow.key)
    }

    var info: ClassInfo { _rlmRow.managed?.info ?? detached.info }

    func object<Typed: ObjectBase>(of type: Typed.Type) -> Typed? {
        if let subject = detached.subject { return subject as? Typed }
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed, let table = realm.table(managed.tableKey),
            let model = realm.coordinator.model(of: table), model.info.objectClass == type
        else { return nil }
        return realm.object(of: type, model, _rlmRow.key)
    }

    /// Returns a value that may be an object in the form presented to programs: a link as an object of its Swift class,
    /// except in a migration, whose objects are dynamic ones (row S17).
    func shown(_ value: Any?, of property: PropertyInfo) -> Any? {
        guard let object = value as? ObjectBase else { return value }
        if property.shape.type == .any { return DynamicObject.view(of: object) }
        guard let object = object as? DynamicObject, let realm = object._rlmRow.realm, !realm.isMigrating,
            let managed = object._rlmRow.managed, let table = realm.table(managed.tableKey),
            let model = realm.coordinator.model(of: table)
        else { return object }
        return realm.object(of: model.info.objectClass, model, object._rlmRow.key)
    }

    /// Returns the objects that link to this one through a property of their class (row R17).
    func inverse(_ property: PropertyInfo, at index: Int) -> Any? {
        if let subject = detached.subject { return subject.dynamicValue(named: property.name) }
        guard let anchor = OwnerReference(self), !anchor.realm.isMigrating else {
            throwRealmException("Unsupported migration type of 'LinkingObjects' for type 'List'.")
        }
        let place = index - anchor.managed.columns.count
        guard anchor.managed.backlinks.indices.contains(place),
            let table = anchor.realm.table(anchor.managed.tableKey),
            case let column = anchor.managed.backlinks[place], column != .null,
            let origin = anchor.realm.table(table.oppositeTables[column.leafIndex])
        else { return nil }
        let core = LiveQuery(
            anchor.realm, .backlinks(anchor, column), elementClass: anchor.realm.dynamicClass(of: origin))
        return LinkingObjects<DynamicObject>(core)
    }

    /// Accesses the property with this name; nil for null.
    ///
    /// - Precondition: The object has a property with this name.
    public override subscript(key: String) -> Any? {
        get { boxedValue(named: key) }
        set { setDynamicValue(newValue, named: key) }
    }

    /// Accesses the property with this name, like `object["name"]`.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }

    /// Returns the value of the property with this name, like `object["name"]`.
    public func value(forUndefinedKey key: String) -> Any? { self[key] }

    /// Sets the property with this name, like `object["name"] = value`.
    public func setValue(_ value: Any?, forUndefinedKey key: String) { self[key] = value }

    public override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An object passed to a migration block.
public typealias MigrationObject = DynamicObject

/// Another name for ``DynamicObject``.
public typealias RealmSwiftDynamicObject = DynamicObject

extension ObjectBase {
    /// The object that is stored instead of this one: the Swift object shown by a dynamic one.
    var stored: ObjectBase { (self as? DynamicObject)?.detached.subject ?? self }

    /// Whether the object is embedded in another.
    var livesInParent: Bool { self is EmbeddedObject || (self as? DynamicObject)?.info.isEmbedded == true }
}
