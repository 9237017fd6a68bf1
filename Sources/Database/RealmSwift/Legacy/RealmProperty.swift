// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A type that `RealmProperty` can store: optional numbers, Booleans and enums, and `AnyRealmValue`.
public protocol RealmPropertyType: _ObjcBridgeable, _RealmSchemaDiscoverable {}

extension AnyRealmValue: RealmPropertyType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType & _RealmSchemaDiscoverable {}

/// A stored property of a class without `@Persisted`, for types that `dynamic var` can't have on Apple platforms.
///
/// ```swift
/// class Dog: Object {
///     let age = RealmProperty<Int?>()
///     let anything = RealmProperty<AnyRealmValue>()
/// }
/// dog.age.value = 3
/// ```
///
/// Declare it with `let`: the instance is never replaced. With `@Persisted`, declare `var age: Int?` instead.
public final class RealmProperty<Value: RealmPropertyType>: RLMSwiftValueStorage {
    private var unmanaged: Value

    /// Creates a property whose value is nil, or `.none`.
    public override init() { unmanaged = Self.empty }

    /// The value. The value of a managed object can be changed only within a write transaction.
    public var value: Value {
        get { read(unmanaged, empty: Self.empty) }
        set { if !write(newValue) { unmanaged = newValue } }
    }

    /// A textual representation of the value.
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
    /// Returns whether the values are equal.
    public static func == (lhs: RealmProperty<Value>, rhs: RealmProperty<Value>) -> Bool { lhs.value == rhs.value }
}

extension RealmProperty: Codable where Value: Codable {
    /// Decodes the value; null is nil.
    public convenience init(from decoder: Decoder) throws {
        self.init()
        value = try decoder.singleValueContainer().decode(Value.self)
    }

    /// Encodes the value.
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
