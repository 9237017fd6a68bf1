// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The type of a stored property declared in a class without `@Persisted`: an object that remains the property's value
/// and becomes live when a Realm manages its owner (model 6).
protocol LegacyProperty: _RealmSchemaDiscoverable {
    /// The value in its stored form.
    var dynamicValue: Any? { get }

    /// The value in the engine's form.
    var content: _StoredContent { get }

    /// Converts a value of any type to the engine's form for this property; nil if that fails.
    static func content(converting value: Any?) -> _StoredContent?

    /// Assigns a value of any type. Returns false, with nothing changed, if it can't be converted.
    func assign(_ value: Any?) -> Bool

    /// Makes this the live value of a managed object's property.
    func attach(to owner: ObjectBase, _ key: PropertyKey)

    func isIdentical(to value: Any) -> Bool

    /// For a collection: whether `value` can be converted to an element.
    static func accepts(element value: Any?) -> Bool
}

extension LegacyProperty {
    static func accepts(element value: Any?) -> Bool {
        (self as? any CollectionProperty.Type)?.acceptsElement(value) ?? false
    }
}

extension LegacyProperty where Self: AnyObject {
    func isIdentical(to value: Any) -> Bool { value as AnyObject === self }
}

extension LegacyProperty where Self: RLMSwiftCollectionBase & _ObjcBridgeable {
    var dynamicValue: Any? { self }

    var content: _StoredContent { contents }

    static func content(converting value: Any?) -> _StoredContent? { _convert(value)?.contents }

    func assign(_ value: Any?) -> Bool {
        guard let value = Self._convert(value) else { return false }
        if value != self { replaceContents(with: value) }
        return true
    }
}

extension List: LegacyProperty where Element: _RealmSchemaDiscoverable {}
extension MutableSet: LegacyProperty where Element: _RealmSchemaDiscoverable {}
extension Map: LegacyProperty where Value: _RealmSchemaDiscoverable {}

extension RealmProperty: LegacyProperty {
    var dynamicValue: Any? { value._rlmDynamicValue }

    var content: _StoredContent { value._rlmContent }

    static func content(converting value: Any?) -> _StoredContent? { Value._convert(value)?._rlmContent }

    func assign(_ value: Any?) -> Bool {
        guard let value = Value._convert(value) else { return false }
        self.value = value
        return true
    }
}

@available(*, deprecated)
extension RealmOptional: LegacyProperty where Value: _RealmSchemaDiscoverable {
    var dynamicValue: Any? { value?._rlmDynamicValue }

    var content: _StoredContent { value._rlmContent }

    static func content(converting value: Any?) -> _StoredContent? { Value?._convert(value)?._rlmContent }

    func assign(_ value: Any?) -> Bool {
        guard let value = Value?._convert(value) else { return false }
        self.value = value
        return true
    }
}

extension LinkingObjects: LegacyProperty {
    var dynamicValue: Any? { self }

    var content: _StoredContent { .null }

    static func content(converting value: Any?) -> _StoredContent? { nil }

    func assign(_ value: Any?) -> Bool { throwRealmException("LinkingObjects properties are read-only") }

    func attach(to owner: ObjectBase, _ key: PropertyKey) { declared?.attach(to: owner, key, of: Element.self) }

    func isIdentical(to value: Any) -> Bool {
        declared.map { (value as? LinkingObjects)?.declared === $0 } ?? false
    }
}

/// A `RealmOptional` of any type, including those that can't be stored.
protocol AnyRealmOptional {
    static var wrappedType: Any.Type { get }
}

@available(*, deprecated)
extension RealmOptional: AnyRealmOptional {
    static var wrappedType: Any.Type { Value.self }
}
