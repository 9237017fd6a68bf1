// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A value of any type that a Realm can store, for properties and collections with values of several types.
///
/// ```swift
/// class Dog: Object {
///     @Persisted var remark: AnyRealmValue
/// }
/// dog.remark = .string("barks")
/// dog.remark = .fromArray([.int(1), .object(owner)])
/// ```
///
/// A mixed value isn't optional: the empty value is `.none`, which also replaces an object that was deleted. Lists and
/// dictionaries are copied when they are stored. A list or dictionary read from a managed object is live, and can be
/// changed within a write transaction; it is invalidated when the value is replaced. They can be nested up to 100
/// levels.
public enum AnyRealmValue: Hashable {
    /// Null.
    case none
    /// An integer.
    case int(Int)
    /// A Boolean value.
    case bool(Bool)
    /// A `Float`.
    case float(Float)
    /// A `Double`.
    case double(Double)
    /// A string.
    case string(String)
    /// Binary data.
    case data(Data)
    /// A date.
    case date(Date)
    /// A link to an object.
    case object(Object)
    /// An ``ObjectId``.
    case objectId(ObjectId)
    /// A ``Decimal128``.
    case decimal128(Decimal128)
    /// A `UUID`.
    case uuid(UUID)
    /// A dictionary of values.
    case dictionary(Map<String, AnyRealmValue>)
    /// A list of values.
    case list(List<AnyRealmValue>)

    /// Creates the empty value.
    public init() { self = .none }

    /// Creates a dictionary.
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        let map = Map<String, AnyRealmValue>()
        for (key, value) in dictionary { map.updateValue(value, forKey: key) }
        return .dictionary(map)
    }

    /// Creates a list.
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue { .list(List(array)) }

    /// Hashes the value. All lists and dictionaries have equal hashes, because their contents may change.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .none: hasher.combine(0)
        case .int(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .decimal128(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .dictionary: hasher.combine(12)
        case .list: hasher.combine(13)
        }
    }
}

/// Accessors for the value as a specific type. Numbers aren't converted.
extension AnyRealmValue {
    /// The integer; nil if the value isn't an integer.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

    /// The Boolean value; nil if the value isn't a Boolean.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The `Float`; nil if the value isn't a `Float`.
    public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }

    /// The `Double`; nil if the value isn't a `Double`.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }

    /// The string; nil if the value isn't a string.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The binary data; nil if the value isn't data.
    public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }

    /// The date; nil if the value isn't a date.
    public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }

    /// The identifier; nil if the value isn't an `ObjectId`.
    public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }

    /// The decimal number; nil if the value isn't a `Decimal128`.
    public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }

    /// The UUID; nil if the value isn't a UUID.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

    /// Returns the object, if the value is an object of this class; nil otherwise.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        if case .object(let value) = self { value as? T } else { nil }
    }

    /// The dictionary; nil if the value isn't a dictionary. A dictionary read from a managed object is live.
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The list; nil if the value isn't a list. A list read from a managed object is live.
    public var listValue: List<AnyRealmValue>? {
        if case .list(let value) = self { value } else { nil }
    }
}
