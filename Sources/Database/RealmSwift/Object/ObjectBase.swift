// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The common superclass of all object classes. Derive your classes from `Object` or `EmbeddedObject`.
///
/// An object is unmanaged until it is added to a Realm, and behaves like any Swift object until then. A managed object
/// is a live view of one row, confined to the thread of its Realm.
open class ObjectBase: Hashable, CustomStringConvertible {
    /// The row, once the object is managed. Confined to one thread, and no access lasts longer than a statement, so the
    /// run-time check for overlapping accesses would only add cost: 10 of 22 ns of a read, by the profile.
    @safe @exclusivity(unchecked) @usableFromInline final var _rlmRow = RowState()

    /// Creates an unmanaged object with default values.
    ///
    /// The library also calls it to discover the properties of the class; it must not access a Realm.
    public required init() {}

    /// A Boolean value that indicates whether the object was managed and its row was deleted, or its Realm was
    /// invalidated. False for unmanaged objects.
    ///
    /// It can be read on any thread, but for an actor-isolated Realm only on its actor. On a thread that isn't the
    /// Realm's, the result refers to the newest version.
    open var isInvalidated: Bool {
        guard let realm = _rlmRow.realm else { return false }
        guard realm.isOnOwnerThread else { return realm.isFrozen || !isInNewestVersion(of: realm) }
        trackExistence()
        return !hasRow
    }

    /// Returns the unqualified name of the class, which is also the name of its table unless `_realmObjectName()`
    /// returns another one.
    open class func className() -> String { _typeName(self, qualified: false) }

    static var tableClassName: String { _realmObjectName() ?? className() }

    /// Returns whether Realms opened without `objectTypes` include the class.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    /// Returns the name of the table; nil if it is that of the class. It affects only the file: schemas, descriptions
    /// and dynamic objects still use the name of the class.
    open class func _realmObjectName() -> String? { nil }

    /// Returns the names of columns that differ from those of their properties. Override `propertiesMapping()` instead
    /// of this function.
    open class func _realmColumnNames() -> [String: String]? { nil }

    /// Returns the names of columns that differ from the names of their properties, by property name.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Returns whether the objects of the class are embedded ones, which belong to a parent object.
    open class func isEmbedded() -> Bool { false }

    /// A textual representation of the object, such as `Dog {\n\tname = Rex;\n\tage = 3;\n}`, limited to five levels
    /// and about 1,000 objects.
    open var description: String { description(within: DescriptionLimits()) }

    /// Returns whether both are the same instance, or represent the same stored object of the same Realm and either
    /// have a primary key or are frozen. Doesn't compare any other property.
    ///
    /// Implements `==`. A class that overrides this must override `hash` too.
    ///
    /// - Parameter object: Another object, or any other value, which is never equal.
    open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ObjectBase else { return false }
        return self === other || denotesSameKeyedRow(as: other)
    }

    /// A hash value: of the primary key, if the class has one; otherwise of the row for a frozen object, and of the
    /// instance for any other object.
    ///
    /// The value differs from one run of the program to the next.
    open var hash: Int {
        var hasher = Hasher()
        hashIdentity(into: &hasher)
        return hasher.finalize()
    }

    /// Returns the schema of the class; nil for a class that can't be stored.
    open class func sharedSchema() -> ObjectSchema? {
        let info = ClassRegistry.shared.info(for: self)
        return info.allProperties.isEmpty ? nil : ObjectSchema(info)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Returns the result of `isEqual(_:)`.
    public static func == (lhs: ObjectBase, rhs: ObjectBase) -> Bool { lhs.isEqual(rhs) }
}

/// Live objects are confined like their Realm. Frozen ones could be sent anywhere, but the type doesn't express that.
@available(*, unavailable)
extension ObjectBase: Sendable {}

extension ObjectBase: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> Self? {
        guard let value else { return nil }
        if isContainer(value) { return make(from: value) }
        if let object = value as? Self { return object }
        if let object = (value as? DynamicObject)?.object(of: self) { return object }
        return make(from: value)
    }

    public var _rlmDynamicValue: Any? { self }
}

/// The name of ``ObjectBase`` in the Objective-C half of Realm's SDK.
public typealias RLMObjectBase = ObjectBase
