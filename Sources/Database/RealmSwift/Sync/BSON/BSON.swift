// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A value that selects a partition: the part of the server's data that a synchronised Realm contains.
///
/// Supported partition values are strings, integers, `ObjectId`, `UUID` and null. Other types also conform to this
/// protocol, but creating a configuration with one of their values traps.
public protocol PartitionValue: Sendable {}

/// A BSON value: a value of one of the types of MongoDB's documents. ``AnyBSON`` holds any of them.
public protocol BSON: PartitionValue, Equatable {}

/// A MongoDB document: an unordered dictionary, whose values are optional to represent null.
public typealias Document = [String: AnyBSON?]

extension NSNull: BSON {}
extension Int: BSON {}
extension Int32: BSON {}
extension Int64: BSON {}
extension Bool: BSON {}
extension Double: BSON {}
extension String: BSON {}
extension Data: BSON {}
extension Date: BSON {}
extension Decimal128: BSON {}
extension ObjectId: BSON {}
extension UUID: BSON {}
extension Dictionary: BSON, PartitionValue where Key == String, Value == AnyBSON? {}
extension Array: BSON, PartitionValue where Element == AnyBSON? {}
extension NSRegularExpression: BSON {}

/// The BSON value that MongoDB sorts after all others.
public final class MaxKey: BSON, Hashable {
    /// Creates the value; all instances are equal.
    public init() {}

    public static func == (lhs: MaxKey, rhs: MaxKey) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

/// The BSON value that MongoDB sorts before all others.
public final class MinKey: BSON, Hashable {
    /// Creates the value; all instances are equal.
    public init() {}

    public static func == (lhs: MinKey, rhs: MinKey) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}
