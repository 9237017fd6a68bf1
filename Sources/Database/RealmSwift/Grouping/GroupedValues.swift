// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What was computed of each group of objects, in the order of the groups' keys, nil first. An addition to Realm's API.
///
/// It does not change any more. It is a collection of pairs, so `Dictionary(uniqueKeysWithValues:)` makes a dictionary
/// of it.
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

    /// What was computed of the group with a key; nil if there is none. Positions are other than keys, which may be
    /// integers, too.
    public subscript(key key: Key) -> Value? { indexes[key].map { pairs[$0].value } }

    /// The keys, in order.
    public var keys: [Key] { pairs.map(\.key) }

    /// What was computed, in the order of the keys.
    public var values: [Value] { pairs.map(\.value) }
}

extension GroupedValues: Sendable where Key: Sendable, Value: Sendable {}
