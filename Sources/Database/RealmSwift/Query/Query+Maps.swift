// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Conditions on maps. A comparison is true if at least one value satisfies it.
extension Query where T: RealmKeyedCollection {
    /// The number of entries.
    public var count: Query<Int> { Query<Int>(.path(path.count)) }

    /// Returns a condition that is true if an entry has the value.
    public func contains(_ value: T.Value) -> Query<Bool> {
        Query<Bool>(.comparison(.in, .constant(storing: value), node, []))
    }

    /// Returns a condition that is true if an entry has at least one of the values.
    public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Value {
        compare(.in, Array(collection))
    }

    /// The values of the map.
    public var values: Query<T.Value> { Query<T.Value>(.path(path.contents(.allValues))) }

    /// The value of a key; null if the map doesn't have the key.
    public subscript(member: T.Key) -> Query<T.Value> { element(.key(member._mapKey)) }

    /// The map, with its values in their stored form.
    public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
        Query<Map<T.Key, T.Value.PersistedType>>(node)
    }
}

extension Query where T: RealmKeyedCollection, T.Key == String {
    /// The keys of the map.
    public var keys: Query<String> { Query<String>(.path(path.contents(.allKeys))) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
    /// Returns a condition that is true if all values are in the range, which excludes its upper bound. False for an
    /// empty map.
    public func contains(_ range: Range<T.Value>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns a condition that is true if all values are in the range. False for an empty map.
    public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .lessOrEqual)
    }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
    /// Returns a condition that is true if all values except null are in the range, which excludes its upper bound.
    /// False for an empty map.
    public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns a condition that is true if all values except null are in the range. False for an empty map.
    public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .lessOrEqual)
    }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
    /// The smallest value.
    public var min: Query<T.Value> { aggregate(.min) }

    /// The largest value.
    public var max: Query<T.Value> { aggregate(.max) }

    /// The average of the values.
    public var avg: Query<T.Value> { aggregate(.average) }

    /// The sum of the values.
    public var sum: Query<T.Value> { aggregate(.sum) }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
    /// The map with the stored raw values of the enums.
    public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { Query<Map<T.Key, T.Value.RawValue>>(node) }
}

extension Query
where
    T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum,
    T.Value.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
    /// The map with the stored raw values of the enums.
    public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
        Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(node)
    }
}
