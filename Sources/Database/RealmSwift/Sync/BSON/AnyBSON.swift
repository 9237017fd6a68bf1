// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A BSON value, the type of MongoDB's documents: an argument or result of a server function, or a value in a document.
///
/// ```swift
/// let order: Document = ["item": "pen", "count": 3, "tags": ["blue", "new"], "note": nil]
/// ```
///
/// An accessor whose name ends in `Value` returns the value of exactly that case, and `nil` for all others. A function
/// whose name begins with `as` converts numbers if the conversion is exact. A value can be used from any thread.
@frozen public enum AnyBSON: BSON, Sendable {
    /// A floating-point number.
    case double(Double)
    /// A string.
    case string(String)
    /// A dictionary of values by name.
    indirect case document(Document)
    /// An array of values.
    indirect case array([AnyBSON?])
    /// Binary data.
    case binary(Data)
    /// A 12-byte object identifier.
    case objectId(ObjectId)
    /// A Boolean value.
    case bool(Bool)
    /// A date; sent with millisecond precision.
    case datetime(Date)
    /// A regular expression.
    case regex(NSRegularExpression)
    /// A 32-bit integer.
    case int32(Int32)
    /// A value of MongoDB's internal timestamp type, in whole seconds.
    case timestamp(Date)
    /// A 64-bit integer.
    case int64(Int64)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// The value that MongoDB sorts before all others.
    case minKey
    /// The value that MongoDB sorts after all others.
    case maxKey
    /// Null.
    case null

    /// Creates a 64-bit integer.
    public init(_ int: Int) { self = .int64(Int64(int)) }

    /// Creates the case that corresponds to the type of the value.
    public init<T: BSON>(_ bson: T) {
        switch bson {
        case let value as AnyBSON: self = value
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .int64(Int64(value))
        case let value as Int32: self = .int32(value)
        case let value as Int64: self = .int64(value)
        case let value as Double: self = .double(value)
        case let value as String: self = .string(value)
        case let value as Data: self = .binary(value)
        case let value as Date: self = .datetime(value)
        case let value as Decimal128: self = .decimal128(value)
        case let value as ObjectId: self = .objectId(value)
        case let value as UUID: self = .uuid(value)
        case let value as Document: self = .document(value)
        case let value as [AnyBSON?]: self = .array(value)
        case let value as NSRegularExpression: self = .regex(value)
        case is MaxKey: self = .maxKey
        case is MinKey: self = .minKey
        default: self = .null
        }
    }
}

extension AnyBSON: Hashable {}

// MARK: Associated values

extension AnyBSON {
    /// The value if it's a 32-bit integer.
    public var int32Value: Int32? { if case .int32(let value) = self { value } else { nil } }
    /// The value if it's a regular expression.
    public var regexValue: NSRegularExpression? { if case .regex(let value) = self { value } else { nil } }
    /// The value if it's a 64-bit integer.
    public var int64Value: Int64? { if case .int64(let value) = self { value } else { nil } }
    /// The value if it's an object identifier.
    public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
    /// The value if it's a date.
    public var dateValue: Date? { if case .datetime(let value) = self { value } else { nil } }
    /// The value if it's an array.
    public var arrayValue: [AnyBSON?]? { if case .array(let value) = self { value } else { nil } }
    /// The value if it's a string.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The value if it's a document.
    public var documentValue: Document? { if case .document(let value) = self { value } else { nil } }
    /// The value if it's a Boolean.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The value if it's binary data.
    public var binaryValue: Data? { if case .binary(let value) = self { value } else { nil } }
    /// The value if it's a floating-point number.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The value if it's a decimal.
    public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
    /// The value if it's a timestamp.
    public var timestampValue: Date? { if case .timestamp(let value) = self { value } else { nil } }
    /// The value if it's a UUID.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    /// A Boolean value that indicates whether this is null.
    public var isNull: Bool { self == .null }

    /// Returns the associated value if it has the type `T`, otherwise nil.
    public func value<T: BSON>() -> T? { plainValue as? T }

    /// `MinKey`, `MaxKey` and `NSNull` for the cases without one.
    var plainValue: Any {
        switch self {
        case .double(let value): value
        case .string(let value): value
        case .document(let value): value
        case .array(let value): value
        case .binary(let value): value
        case .objectId(let value): value
        case .bool(let value): value
        case .datetime(let value), .timestamp(let value): value
        case .regex(let value): value
        case .int32(let value): value
        case .int64(let value): value
        case .decimal128(let value): value
        case .uuid(let value): value
        case .minKey: MinKey()
        case .maxKey: MaxKey()
        case .null: NSNull()
        }
    }
}

extension AnyBSON {
    /// The associated value, with all numbers, including nested ones, as `NSNumber`.
    var boxedValue: Any {
        switch self {
        case .double(let value): NSNumber(value: value)
        case .bool(let value): NSNumber(value: value)
        case .int32(let value): NSNumber(value: value)
        case .int64(let value): NSNumber(value: value)
        case .document(let value): value.mapValues { ($0 ?? .null).boxedValue }
        case .array(let value): value.map { ($0 ?? .null).boxedValue }
        default: plainValue
        }
    }
}

// MARK: Numbers

extension AnyBSON {
    /// Returns the number as an `Int` if the conversion is exact.
    public func asInt() -> Int? { integer() }

    /// Returns the number as an `Int32` if the conversion is exact.
    public func asInt32() -> Int32? { integer() }

    /// Returns the number as an `Int64` if the conversion is exact.
    public func asInt64() -> Int64? { integer() }

    /// Returns the number as a `Double` if the conversion is exact.
    public func asDouble() -> Double? {
        switch self {
        case .double(let value): return value
        case .int32(let value): return Double(value)
        case .int64(let value): return Double(exactly: value)
        case .decimal128(let value):
            let double = value.doubleValue
            return Decimal128(floatLiteral: double) == value ? double : nil
        default: return nil
        }
    }

    /// Returns the number as a `Decimal128`; nil if the value isn't a number.
    public func asDecimal128() -> Decimal128? {
        switch self {
        case .double(let value): Decimal128(floatLiteral: value)
        case .int32(let value): Decimal128(integerLiteral: Int64(value))
        case .int64(let value): Decimal128(integerLiteral: value)
        case .decimal128(let value): value
        default: nil
        }
    }

    private func integer<Number: FixedWidthInteger>() -> Number? {
        switch self {
        case .double(let value): return Number(exactly: value)
        case .int32(let value): return Number(exactly: value)
        case .int64(let value): return Number(exactly: value)
        case .decimal128(let value):
            // A `Decimal` writes whole numbers without an exponent.
            return Int64(value.decimalValue.description).flatMap { Number(exactly: $0) }
        default: return nil
        }
    }
}

// MARK: Literals

extension AnyBSON: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension AnyBSON: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyBSON: ExpressibleByFloatLiteral {
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyBSON: ExpressibleByIntegerLiteral {
    /// Creates a 64-bit integer.
    public init(integerLiteral value: Int) { self = .int64(Int64(value)) }
}

extension AnyBSON: ExpressibleByDictionaryLiteral {
    /// Creates a document. If a name occurs twice, its last value is used.
    public init(dictionaryLiteral elements: (String, AnyBSON?)...) {
        self = .document(Document(elements, uniquingKeysWith: { $1 }))
    }
}

extension AnyBSON: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: AnyBSON?...) { self = .array(elements) }
}
