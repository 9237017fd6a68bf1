// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A custom type conforms without further members. Only types that declare these members themselves can be stored: a
/// property of any other type is rejected when the schema is built.
extension RealmOptionalType {
    /// Returns an empty string: the type isn't an object class.
    public static func className() -> String { "" }

    public static func _convert(_ value: Any?) -> Self? { value as? Self }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent { .null }

    public static func _make(_ stored: _StoredElement) -> Self? { nil }
}

/// A stored property that may be nil, of a class without `@Persisted`. Replaced by `RealmProperty<Value?>`.
@available(
    *, deprecated, renamed: "RealmProperty",
    message: "RealmOptional<T> has been deprecated, use RealmProperty<T?> instead."
)
public final class RealmOptional<Value: RealmOptionalType>: RLMSwiftValueStorage {
    private var unmanaged: Value?

    /// The value. The value of a managed object can be changed only within a write transaction.
    public var value: Value? {
        get { read(unmanaged, empty: nil) }
        set { if !write(newValue) { unmanaged = newValue } }
    }

    /// Creates a property with a value.
    public init(_ value: Value? = nil) { unmanaged = value }

    /// A textual representation of the value.
    public override var description: String { String(describing: value) }

    override func discardUnmanagedValue() { unmanaged = nil }
}

@available(*, deprecated)
extension RealmOptional: _RealmSchemaDiscoverable where Value: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Value._shape.optional }
}

@available(*, deprecated, message: "RealmOptional has been deprecated, use RealmProperty<T?> instead.")
extension RealmOptional: Equatable where Value: Equatable {
    /// Returns whether the values are equal.
    public static func == (lhs: RealmOptional<Value>, rhs: RealmOptional<Value>) -> Bool { lhs.value == rhs.value }
}

@available(*, deprecated, message: "RealmOptional has been deprecated, use RealmProperty<T?> instead.")
extension RealmOptional: Codable where Value: Codable, Value: _RealmSchemaDiscoverable {
    /// Decodes the value; null is nil.
    public convenience init(from decoder: Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }

    /// Encodes the value.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
