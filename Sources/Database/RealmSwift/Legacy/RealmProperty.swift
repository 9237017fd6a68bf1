// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A type that `RealmProperty` can hold: optional numbers, truth values and enums, and `AnyRealmValue`.
public protocol RealmPropertyType: _ObjcBridgeable, _RealmSchemaDiscoverable {}

extension AnyRealmValue: RealmPropertyType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType & _RealmSchemaDiscoverable {}

/// A stored property of a class without `@Persisted`, for what `dynamic var` cannot hold on Apple platforms.
///
/// ```swift
/// class Dog: Object {
///     let age = RealmProperty<Int?>()
///     let anything = RealmProperty<AnyRealmValue>()
/// }
/// dog.age.value = 3
/// ```
///
/// Declare it with `let`: it is the property's for good. Under `@Persisted` declare `var age: Int?` instead.
public final class RealmProperty<Value: RealmPropertyType>: RLMSwiftValueStorage {
    /// What an unmanaged object holds.
    private var unmanaged: Value

    /// A property that holds nil, or `.none`.
    public override init() { unmanaged = Self.empty }

    /// The value. Of a managed object it is the stored one, which changes within write transactions only.
    public var value: Value {
        get { read(unmanaged, empty: Self.empty) }
        set { if !write(newValue) { unmanaged = newValue } }
    }

    /// The text of the value.
    public override var description: String { String(describing: value) }

    override func discardUnmanagedValue() { unmanaged = Self.empty }

    /// Every such type has a value for null.
    private static var empty: Value {
        if let empty = Value._convert(nil) { return empty }
        throwRealmException("RealmProperty<\(Value.self)> cannot be null.")
    }
}

extension RealmProperty: _RealmSchemaDiscoverable {
    public static var _shape: _PropertyShape { Value._shape }
}

extension RealmProperty: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (lhs: RealmProperty<Value>, rhs: RealmProperty<Value>) -> Bool { lhs.value == rhs.value }
}

extension RealmProperty: Codable where Value: Codable {
    /// Reads the value itself; null is nil.
    public convenience init(from decoder: Decoder) throws {
        self.init()
        value = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Writes the value itself.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
