// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// What selects the data of a synchronised Realm.
///
/// Text, integers, `ObjectId`, `UUID` and null are partition values of the protocol. Other values compile, and a
/// configuration refuses them.
public protocol PartitionValue: Sendable {}

/// A value of BSON, the types of MongoDB's documents. ``AnyBSON`` holds any of them.
public protocol BSON: PartitionValue, Equatable {}

/// A document of MongoDB. Its values are optional so that null survives; it has no order.
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

/// The value of BSON that is above all others.
public final class MaxKey: BSON, Hashable {
    /// Makes the value; all are equal.
    public init() {}

    public static func == (lhs: MaxKey, rhs: MaxKey) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

/// The value of BSON that is below all others.
public final class MinKey: BSON, Hashable {
    /// Makes the value; all are equal.
    public init() {}

    public static func == (lhs: MinKey, rhs: MinKey) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}
