// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A type that can be the type of a property.
public protocol _RealmSchemaDiscoverable {
    /// The schema's description of a property of this type.
    static var _shape: _PropertyShape { get }
}

/// A type to which values of unknown type can be converted, for `init(value:)`, `create` and `object[key]`.
public protocol _ObjcBridgeable {
    /// Converts a value to this type; returns nil if that would lose information. A nil argument represents null.
    static func _convert(_ value: Any?) -> Self?

    /// Converts a value to an optional of this type, like `_convert`. Returns a nested nil for null, and for a stored
    /// form that a custom type rejects.
    static func _convertOptional(_ value: Any?) -> Self??

    /// The value in its stored form, such as the raw value of an enum; nil for null.
    var _rlmDynamicValue: Any? { get }

    /// The value in the engine's form.
    var _rlmContent: _StoredContent { get }

    /// Converts a stored value; returns nil if it has another type.
    static func _make(_ stored: _StoredElement) -> Self?
}

extension _ObjcBridgeable {
    public static func _convertOptional(_ value: Any?) -> Self?? {
        guard value != nil else { return .some(nil) }
        return _convert(value).map { .some($0) }
    }
}

/// A type whose values have a stored form. For a basic type, that is the value itself; for an enum, its raw value.
public protocol _HasPersistedType: _ObjcBridgeable {
    associatedtype PersistedType: _ObjcBridgeable
}

/// A type whose values can be aggregated if their stored form can be.
public typealias _PossiblyAggregateable = _HasPersistedType

/// A type that can be declared `@Persisted`.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType
where PersistedType: _Persistable, PersistedType.PersistedType.PersistedType == PersistedType.PersistedType {
    /// A Boolean value that indicates whether a managed object returns the same instance at each read. False for types
    /// whose reads must be fast.
    static var _keepsManagedValue: Bool { get }

    /// Returns the initial value of a property that is declared without one.
    static func _makeDefault() -> Self

    /// Returns the value of an unmanaged object's property after an assignment: the assigned value, except for
    /// collections.
    static func _assigned(_ value: Self, replacing old: Self?) -> Self

    /// Reads a property of a managed object.
    static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self

    /// Writes a property of a managed object.
    static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self)

    /// Returns the content of the wrapper at an address, in the engine's form. This and the two methods below are
    /// requirements, so that each type has specialised code: generic code would look up metadata at each call.
    static func _fieldContent(_ object: ObjectBase, _ address: UnsafeMutableRawPointer) -> _StoredContent

    /// Assigns a value to the wrapper at an address, in an unmanaged object. If the value doesn't have exactly this
    /// type, returns false and does nothing.
    static func _assignField(_ value: Any, _ address: UnsafeMutableRawPointer) -> Bool

    /// Binds the wrapper at an address to the column of a key, and releases its previous value.
    static func _bindField(_ key: PropertyKey, _ object: ObjectBase, _ address: UnsafeMutableRawPointer)
}

/// A type whose optional can also be declared `@Persisted`.
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

/// A type that can be the element type of a collection.
public protocol RealmCollectionValue: Hashable, _HasPersistedType where PersistedType: RealmCollectionValue {
    /// The schema's description of a collection with elements of this type.
    static var _elementShape: _PropertyShape { get }

    /// A Boolean value that indicates whether the elements are objects. False for values that are stored as objects.
    static var _isReference: Bool { get }

    /// A Boolean value that indicates whether the elements are projections, which only results can contain.
    static var _isProjection: Bool { get }

    /// Converts the accessor of an object to an element.
    static func _element(_ object: ObjectBase) -> Self

    /// Returns the element at an index of a list of values; nil if it doesn't exist, or can't be read individually.
    static func _element(_ index: Int, of list: _StoredList) -> Self?

    /// Returns the value of a key in a map of values; nil if the map doesn't have the key.
    static func _element(_ key: String, of map: _StoredMap) -> Self?

    /// Returns the element in a row of a leaf of a collection of values.
    static func _element(_ row: Int, of leaf: _StoredLeaf) -> Self

    /// Copies elements of a collection of values from the rows of a leaf to memory with sufficient capacity. Returns
    /// the number of copied elements, which is smaller than the number of rows only if the file is damaged.
    static func _read(_ rows: Range<Int>, of leaf: _StoredLeaf, to address: UnsafeMutableRawPointer) -> Int

    /// Converts adjacent elements in memory to the engine's form. A requirement, so that each type has specialised
    /// code, like `_fieldContent`.
    static func _rlmContents(at address: UnsafeRawPointer, count: Int) -> [_StoredContent]
}

/// A type whose optional can also be the element type of a collection.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {}

/// An optional of any type, as a constraint of generic code.
public protocol OptionalProtocol {
    /// The type of the wrapped value.
    associatedtype Wrapped
}

/// A type that `RealmOptional` and `RealmProperty` accept. These wrapper types are from before Realm 10.10.
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
