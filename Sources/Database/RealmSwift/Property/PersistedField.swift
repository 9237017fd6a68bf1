// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A `Persisted` property wrapper of any value type, for code that processes all properties uniformly.
///
/// Addresses are those of the wrapper in `object`; `PropertyField` computes them.
protocol PersistedField {
    static var shape: _PropertyShape { get }

    static var keyOffset: Int { get }

    static var keepsManagedValue: Bool { get }

    static var beginsWithReference: Bool { get }

    static func declaration(at address: UnsafeRawPointer) -> PersistedDeclaration

    /// The value in the database's form. Creates the default in an unmanaged object.
    static func dynamicValue(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> Any?

    /// If the value can't be converted, returns false and leaves the property unchanged.
    static func setDynamicValue(_ value: Any?, of object: ObjectBase, at address: UnsafeMutableRawPointer) -> Bool

    /// Assigns a value in an unmanaged object. If it doesn't have exactly the property's type, returns false and does
    /// nothing.
    static func assign(plain value: Any, at address: UnsafeMutableRawPointer) -> Bool

    static func content(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> _StoredContent

    static func content(converting value: Any?) -> _StoredContent?

    static func bind(_ key: PropertyKey, of object: ObjectBase, at address: UnsafeMutableRawPointer)

    /// Makes a probe's property report its reads under this number.
    static func bindProbe(_ key: PropertyKey, at address: UnsafeMutableRawPointer)

    /// Whether a probe's property, whose reads aren't reported, holds `value`.
    static func holds(_ value: Any, at address: UnsafeMutableRawPointer) -> Bool

    static func acceptsElement(_ value: Any?) -> Bool
}

extension PersistedField {
    static func holds(_ value: Any, at address: UnsafeMutableRawPointer) -> Bool { false }

    static var beginsWithReference: Bool { false }

    static func assign(plain value: Any, at address: UnsafeMutableRawPointer) -> Bool { false }
}

struct PersistedDeclaration {
    var isIndexed: Bool
    var isPrimaryKey: Bool
    var isFullText = false
    var originProperty: String?
    var isLegacy = false
}

extension Persisted: PersistedField {
    static var shape: _PropertyShape { Value._shape }

    static var keyOffset: Int { MemoryLayout<Self>.offset(of: \.key)! }

    static var keepsManagedValue: Bool { Value._keepsManagedValue }

    static var beginsWithReference: Bool {
        Value.self is RLMSwiftCollectionBase.Type && MemoryLayout<Self>.offset(of: \.value) == 0
    }

    static func declaration(at address: UnsafeRawPointer) -> PersistedDeclaration {
        let wrapper = unsafe address.assumingMemoryBound(to: Self.self).pointee
        return PersistedDeclaration(
            isIndexed: wrapper.options.contains(.indexed), isPrimaryKey: wrapper.options.contains(.primaryKey),
            isFullText: wrapper.options.contains(.fullText),
            originProperty: (wrapper.value as? any LinkingObjectsDeclaration)?.originProperty,
            isLegacy: wrapper.options.contains(.legacy))
    }

    static func dynamicValue(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> Any? {
        unsafe value(of: object, at: address)._rlmDynamicValue
    }

    static func setDynamicValue(
        _ value: Any?, of object: ObjectBase, at address: UnsafeMutableRawPointer
    ) -> Bool {
        let wrapper = unsafe address.assumingMemoryBound(to: Self.self)
        let key = unsafe wrapper.pointee.key
        let converted = Value._convertStored(value)
        if key == .unmanaged {
            guard let converted else { return unsafe setNil(for: value, at: address) }
            unsafe wrapper.pointee.value = unsafe Value._assigned(converted, replacing: wrapper.pointee.value)
            return true
        }
        if let type = Value.self as? any OptionalOfOwnType.Type, type.storeRefused(value, of: object, key) {
            return true
        }
        guard let converted else { return false }
        Value._set(object, key, converted)
        return true
    }

    static func assign(plain value: Any, at address: UnsafeMutableRawPointer) -> Bool {
        unsafe Value._assignField(value, address)
    }

    static func assign(_ value: Value, at address: UnsafeMutableRawPointer) {
        let wrapper = unsafe address.assumingMemoryBound(to: Self.self)
        unsafe wrapper.pointee.value = unsafe Value._assigned(value, replacing: wrapper.pointee.value)
    }

    private static func setNil(for value: Any?, at address: UnsafeMutableRawPointer) -> Bool {
        guard let type = Value.self as? any OptionalOfOwnType.Type, type.refuses(value) else { return false }
        unsafe address.assumingMemoryBound(to: Self.self).pointee.value = Value._makeDefault()
        return true
    }

    static func content(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> _StoredContent {
        unsafe Value._fieldContent(object, address)
    }

    static func content(converting value: Any?) -> _StoredContent? { Value._convertStored(value)?._rlmContent }

    static func bind(_ key: PropertyKey, of object: ObjectBase, at address: UnsafeMutableRawPointer) {
        unsafe Value._bindField(key, object, address)
    }

    static func bindWrapper(_ key: PropertyKey, of object: ObjectBase, at address: UnsafeMutableRawPointer) {
        let wrapper = unsafe address.assumingMemoryBound(to: Self.self)
        unsafe wrapper.pointee.key = key
        // A list that was read before the object became managed stays the property's list.
        if Value._keepsManagedValue {
            unsafe (wrapper.pointee.value as? RLMSwiftCollectionBase)?.attach(to: object, key)
        } else {
            unsafe wrapper.pointee.value = nil
        }
    }

    static func bindProbe(_ key: PropertyKey, at address: UnsafeMutableRawPointer) {
        let wrapper = unsafe address.assumingMemoryBound(to: Self.self)
        unsafe wrapper.pointee.key = key
        unsafe wrapper.pointee.value = nil
    }

    static func acceptsElement(_ value: Any?) -> Bool {
        (Value.self as? any CollectionProperty.Type)?.acceptsElement(value) ?? false
    }

    static func value(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> Value {
        let wrapper = unsafe address.assumingMemoryBound(to: Self.self)
        let key = unsafe wrapper.pointee.key
        if key != .unmanaged && !Value._keepsManagedValue { return Value._get(object, key) }
        if let value = unsafe wrapper.pointee.value { return value }
        let value = key == .unmanaged ? Value._makeDefault() : Value._get(object, key)
        if object._keepsCollections { unsafe wrapper.pointee.value = value }
        return value
    }
}

extension Persisted: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Value._shape }
}
