// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A value that selects the data of a synchronised Realm.
///
/// The protocol supports strings, integers, `ObjectId`, `UUID` and null as partition values. Other values compile, but
/// a configuration rejects them.
public protocol PartitionValue: Sendable {}

/// A BSON value, of one of the types of MongoDB's documents. ``AnyBSON`` holds any of them.
public protocol BSON: PartitionValue, Equatable {}

/// A MongoDB document, which is unordered. Its values are optional so that null is preserved.
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

/// The BSON value that sorts above all others.
public final class MaxKey: BSON, Hashable {
    /// Creates the value; all instances are equal.
    public init() {}

    public static func == (lhs: MaxKey, rhs: MaxKey) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

/// The BSON value that sorts below all others.
public final class MinKey: BSON, Hashable {
    /// Creates the value; all instances are equal.
    public init() {}

    public static func == (lhs: MinKey, rhs: MinKey) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}
