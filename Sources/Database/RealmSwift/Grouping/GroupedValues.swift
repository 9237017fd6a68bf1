// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The values computed for each group of objects, in the order of the groups' keys, nil first. An addition to Realm's
/// API.
///
/// Its contents don't change after it is created. It is a collection of pairs, so `Dictionary(uniqueKeysWithValues:)`
/// creates a dictionary from it.
public struct GroupedValues<Key: Hashable, Value>: RandomAccessCollection {
    private let pairs: [(key: Key, value: Value)]
    private let indexes: [Key: Int]

    init(_ pairs: [(Key, Value)]) {
        self.pairs = pairs.map { (key: $0.0, value: $0.1) }
        indexes = Dictionary(pairs.enumerated().map { ($1.0, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { pairs.count }

    public subscript(position: Int) -> (key: Key, value: Value) { pairs[position] }

    /// The value computed for the group with a key; nil if no group has the key. The label distinguishes
    /// keys from positions, because keys may be integers too.
    public subscript(key key: Key) -> Value? { indexes[key].map { pairs[$0].value } }

    /// The keys, in order.
    public var keys: [Key] { pairs.map(\.key) }

    /// The computed values, in the order of the keys.
    public var values: [Value] { pairs.map(\.value) }
}

extension GroupedValues: Sendable where Key: Sendable, Value: Sendable {}
