// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Collections as operands: a comparison is true if some element satisfies it.
extension Query where T: RealmCollection {
    /// The number of elements.
    public var count: Query<Int> { Query<Int>(.path(path.count)) }

    /// Returns whether the value is an element.
    public func contains(_ value: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.in, .constant(storing: value), node, []))
    }

    /// Returns whether one of the values is an element.
    public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element {
        compare(.in, Array(collection))
    }

    /// The collection with its elements in their stored form.
    public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
        Query<AnyRealmCollection<T.Element.PersistedType>>(node)
    }

    /// Returns whether an element equals a value.
    public static func == (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.equal, rhs) }

    /// Returns whether an element doesn't equal a value.
    public static func != (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.notEqual, rhs) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
    /// Returns whether all elements are in the range, without its upper bound. False for an empty collection.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns whether all elements are in the range. False for an empty collection.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .lessOrEqual)
    }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
    /// Returns whether all elements but null are in the range, without its upper bound. False for an empty collection.
    public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns whether all elements but null are in the range. False for an empty collection.
    public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .lessOrEqual)
    }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
    /// Returns whether an element is greater than a value.
    public static func > (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.greater, rhs) }

    /// Returns whether an element is greater than or equals a value.
    public static func >= (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }

    /// Returns whether an element is less than a value.
    public static func < (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.less, rhs) }

    /// Returns whether an element is less than or equals a value.
    public static func <= (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }

    /// The smallest element.
    public var min: Query<T.Element> { aggregate(.min) }

    /// The largest element.
    public var max: Query<T.Element> { aggregate(.max) }

    /// The average of the elements.
    public var avg: Query<T.Element> { aggregate(.average) }

    /// The sum of the elements.
    public var sum: Query<T.Element> { aggregate(.sum) }
}

// MARK: Stored forms

extension Query where T: PersistableEnum, T.RawValue: _RealmSchemaDiscoverable {
    /// The enum's raw value, in which form it is stored.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum, T.Wrapped.RawValue: _RealmSchemaDiscoverable {
    /// The enum's raw value, in which form it is stored.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
    /// The collection with the enum's raw values, in which form they are stored.
    public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
        Query<AnyRealmCollection<T.Element.RawValue>>(node)
    }
}

extension Query
where
    T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum,
    T.Element.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
    /// The collection with the enum's raw values, in which form they are stored.
    public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
        Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node)
    }
}

extension Query where T: _HasPersistedType {
    /// The value in its stored form.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}
