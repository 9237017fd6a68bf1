// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A type of one's own conforms without more. Only types that have these members of their own can be stored: a property
/// of any other is refused when the schema is built.
extension RealmOptionalType {
    /// Not the name of any class.
    public static func className() -> String { "" }

    public static func _convert(_ value: Any?) -> Self? { value as? Self }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent { .null }

    public static func _make(_ stored: _StoredElement) -> Self? { nil }
}

/// A stored property that may be nil, of a class without `@Persisted`. `RealmProperty<Value?>` took its place.
@available(
    *, deprecated, renamed: "RealmProperty",
    message: "RealmOptional<T> has been deprecated, use RealmProperty<T?> instead."
)
public final class RealmOptional<Value: RealmOptionalType>: RLMSwiftValueStorage {
    /// What an unmanaged object holds.
    private var unmanaged: Value?

    /// The value. Of a managed object it is the stored one, which changes within write transactions only.
    public var value: Value? {
        get { read(unmanaged, empty: nil) }
        set { if !write(newValue) { unmanaged = newValue } }
    }

    /// A property that holds this value.
    public init(_ value: Value? = nil) { unmanaged = value }

    /// The text of the value.
    public override var description: String { String(describing: value) }

    override func discardUnmanagedValue() { unmanaged = nil }
}

@available(*, deprecated)
extension RealmOptional: _RealmSchemaDiscoverable where Value: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Value._shape.optional }
}

@available(*, deprecated, message: "RealmOptional has been deprecated, use RealmProperty<T?> instead.")
extension RealmOptional: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (lhs: RealmOptional<Value>, rhs: RealmOptional<Value>) -> Bool { lhs.value == rhs.value }
}

@available(*, deprecated, message: "RealmOptional has been deprecated, use RealmProperty<T?> instead.")
extension RealmOptional: Codable where Value: Codable, Value: _RealmSchemaDiscoverable {
    /// Reads the value itself; null is nil.
    public convenience init(from decoder: Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }

    /// Writes the value itself.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
