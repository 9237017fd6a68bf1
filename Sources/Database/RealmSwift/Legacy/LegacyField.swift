// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A stored property that is a `LegacyProperty`, treated as a field of its object.
enum LegacyField<Value: LegacyProperty>: PersistedField {
    static var shape: _PropertyShape { Value._shape }

    /// Not used: the value itself is attached to its row, so reads check no key.
    static var keyOffset: Int { 0 }

    static var keepsManagedValue: Bool { true }

    static func declaration(at address: UnsafeRawPointer) -> PersistedDeclaration {
        let value = unsafe address.assumingMemoryBound(to: Value.self).pointee
        return PersistedDeclaration(
            isIndexed: false, isPrimaryKey: false,
            originProperty: (value as? any LinkingObjectsDeclaration)?.originProperty, isLegacy: true)
    }

    static func dynamicValue(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> Any? {
        unsafe value(at: address).dynamicValue
    }

    static func setDynamicValue(
        _ value: Any?, of object: ObjectBase, at address: UnsafeMutableRawPointer
    ) -> Bool {
        unsafe self.value(at: address).assign(value)
    }

    static func content(of object: ObjectBase, at address: UnsafeMutableRawPointer) -> _StoredContent {
        unsafe value(at: address).content
    }

    static func content(converting value: Any?) -> _StoredContent? { Value.content(converting: value) }

    static func bind(_ key: PropertyKey, of object: ObjectBase, at address: UnsafeMutableRawPointer) {
        unsafe value(at: address).attach(to: object, key)
    }

    /// A probe finds such a property by its contents, since reads of it aren't reported.
    static func bindProbe(_ key: PropertyKey, at address: UnsafeMutableRawPointer) {}

    static func holds(_ value: Any, at address: UnsafeMutableRawPointer) -> Bool {
        unsafe self.value(at: address).isIdentical(to: value)
    }

    static func acceptsElement(_ value: Any?) -> Bool { Value.accepts(element: value) }

    private static func value(at address: UnsafeMutableRawPointer) -> Value {
        unsafe address.assumingMemoryBound(to: Value.self).pointee
    }
}

/// Returns the field type for a property type that a class without `@Persisted` stores; nil for all others.
func legacyField(of type: Any.Type) -> (any PersistedField.Type)? {
    func field<Value: LegacyProperty>(_: Value.Type) -> any PersistedField.Type { LegacyField<Value>.self }
    guard let type = type as? any LegacyProperty.Type else { return nil }
    return field(type)
}
