// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A type that can be the type of a property, and so appears in a schema.
public protocol _RealmSchemaDiscoverable {
    /// What a property of this type is in the schema.
    static var _shape: _PropertyShape { get }
}

/// A type that values of unknown type can be converted to and from, for `init(value:)`, `create` and `object[key]`.
public protocol _ObjcBridgeable {
    /// The value as this type, or nil when that would lose something; nil stands for null.
    static func _convert(_ value: Any?) -> Self?

    /// The value as an optional of this type, like `_convert`: nil within for null, and for a stored form that a type
    /// of the user's own refuses.
    static func _convertOptional(_ value: Any?) -> Self??

    /// The value as the database holds it: the raw value of an enum, nil for null.
    var _rlmDynamicValue: Any? { get }

    /// The value as the engine takes it.
    var _rlmContent: _StoredContent { get }

    /// The value that a stored one stands for; nil if it is of another type.
    static func _make(_ stored: _StoredElement) -> Self?
}

extension _ObjcBridgeable {
    public static func _convertOptional(_ value: Any?) -> Self?? {
        guard value != nil else { return .some(nil) }
        return _convert(value).map { .some($0) }
    }
}

/// A type with a stored form: itself for the basic types, the raw value of an enum.
public protocol _HasPersistedType: _ObjcBridgeable {
    associatedtype PersistedType: _ObjcBridgeable
}

/// A type whose values can be aggregated if its stored form can.
public typealias _PossiblyAggregateable = _HasPersistedType

/// A type that `@Persisted` accepts.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType
where PersistedType: _Persistable, PersistedType.PersistedType.PersistedType == PersistedType.PersistedType {
    /// Whether a managed object hands out the same instance at each read. False wherever a read must be quick.
    static var _keepsManagedValue: Bool { get }

    /// The value of a property that was declared without one.
    static func _makeDefault() -> Self

    /// What a property of an unmanaged object holds after an assignment: the value itself, except for collections.
    static func _assigned(_ value: Self, replacing old: Self?) -> Self

    /// Reads a property of a managed object.
    static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self

    /// Writes a property of a managed object.
    static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self)

    /// What the wrapper at this address holds, as the engine takes it. Here and in the two below, so that each type has
    /// code of its own: code that is generic over the wrapper asks the runtime for types at each call.
    static func _fieldContent(_ object: ObjectBase, _ address: UnsafeMutableRawPointer) -> _StoredContent

    /// Gives the wrapper at this address, of an unmanaged object, a value that is of exactly this type; false, with
    /// nothing done, for any other.
    static func _assignField(_ value: Any, _ address: UnsafeMutableRawPointer) -> Bool

    /// Makes the wrapper at this address read from the column of this key; what it held is given up.
    static func _bindField(_ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer)
}

/// A type that `@Persisted` also accepts as an optional.
public protocol _PersistableInsideOptional: _Persistable where PersistedType: _PersistableInsideOptional {
    /// Reads a nullable property of a managed object.
    static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self?

    /// Writes a nullable property of a managed object.
    static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?)

    /// `_fieldContent` of an optional property.
    static func _optionalFieldContent(_ object: ObjectBase, _ address: UnsafeMutableRawPointer) -> _StoredContent

    /// `_assignField` of an optional property.
    static func _assignOptionalField(_ value: Any, _ address: UnsafeMutableRawPointer) -> Bool

    /// `_bindField` of an optional property.
    static func _bindOptionalField(_ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer)
}

/// A type with an empty value.
public protocol _DefaultConstructible {
    init()
}

/// A type that collections can hold.
public protocol RealmCollectionValue: Hashable, _HasPersistedType where PersistedType: RealmCollectionValue {
    /// What a collection with elements of this type holds.
    static var _elementShape: _PropertyShape { get }

    /// Whether the elements are objects themselves, not values that are stored as objects.
    static var _isReference: Bool { get }

    /// Whether the elements show objects: what results can hold, but no property.
    static var _isProjection: Bool { get }

    /// The element that an accessor of a row is or shows, of a collection of objects.
    static func _element(_ object: ObjectBase) -> Self

    /// The element at an index of a list of values; nil if there is none, or if it has to be read in another way.
    static func _element(_ index: Int, of list: _StoredList) -> Self?

    /// The value of a key, of a map of values; nil if there is no such key.
    static func _element(_ key: String, of map: _StoredMap) -> Self?

    /// The element in a row of a leaf, of a collection of values.
    static func _element(_ row: Int, of leaf: _StoredLeaf) -> Self

    /// Puts the elements in rows of a leaf, of a collection of values, into memory for as many. Returns how many there
    /// are, which is fewer only where there is damage.
    static func _read(_ rows: Range<Int>, of leaf: _StoredLeaf, to address: UnsafeMutableRawPointer) -> Int

    /// So many elements side by side in memory, as the engine takes them. Here, so that each type has code of its own,
    /// as with `_fieldContent`.
    static func _rlmContents(at address: UnsafeRawPointer, count: Int) -> [_StoredContent]
}

/// A type that collections can also hold as an optional.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {}

/// `Optional`, for generic constraints.
public protocol OptionalProtocol {
    /// What the optional holds.
    associatedtype Wrapped
}

/// A type whose optional the pre-10.10 wrapper types accept.
public protocol RealmOptionalType: _ObjcBridgeable {}

extension _Persistable {
    @inlinable public static var _keepsManagedValue: Bool { false }

    @inlinable public static func _assigned(_ value: Self, replacing old: Self?) -> Self { value }

    public static func _fieldContent(_ object: ObjectBase, _ address: UnsafeMutableRawPointer) -> _StoredContent {
        unsafe Persisted<Self>.value(of: object, at: address)._rlmContent
    }

    public static func _assignField(_ value: Any, _ address: UnsafeMutableRawPointer) -> Bool {
        guard let value = exactly(Self.self, value) else { return false }
        unsafe Persisted<Self>.assign(value, at: address)
        return true
    }

    public static func _bindField(_ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer) {
        unsafe Persisted<Self>.bindWrapper(key, of: object, at: address)
    }
}

extension _PersistableInsideOptional {
    public static func _optionalFieldContent(
        _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) -> _StoredContent {
        unsafe Persisted<Self?>.value(of: object, at: address)._rlmContent
    }

    public static func _assignOptionalField(_ value: Any, _ address: UnsafeMutableRawPointer) -> Bool {
        guard let value = exactly(Self.self, value) else { return false }
        unsafe Persisted<Self?>.assign(value, at: address)
        return true
    }

    public static func _bindOptionalField(
        _ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer
    ) {
        unsafe Persisted<Self?>.bindWrapper(key, of: object, at: address)
    }
}

extension _Persistable where Self: _DefaultConstructible {
    @inlinable public static func _makeDefault() -> Self { Self() }
}

extension RealmCollectionValue {
    public static var _isReference: Bool { false }
}

extension RealmCollectionValue where Self: _RealmSchemaDiscoverable {
    public static var _elementShape: _PropertyShape { _shape }
}
