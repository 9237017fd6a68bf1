// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Conditions on collections. A comparison is true if at least one element satisfies it.
extension Query where T: RealmCollection {
    /// The number of elements.
    public var count: Query<Int> { Query<Int>(.path(path.count)) }

    /// Returns a condition that is true if the collection contains the value.
    public func contains(_ value: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.in, .constant(storing: value), node, []))
    }

    /// Returns a condition that is true if the collection contains at least one of the values.
    public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element {
        compare(.in, Array(collection))
    }

    /// The collection, with its elements in their stored form.
    public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
        Query<AnyRealmCollection<T.Element.PersistedType>>(node)
    }

    /// Returns a condition that is true if an element equals the value.
    public static func == (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.equal, rhs) }

    /// Returns a condition that is true if an element doesn't equal the value.
    public static func != (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.notEqual, rhs) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
    /// Returns a condition that is true if all elements are in the range, which excludes its upper bound. False for an
    /// empty collection.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns a condition that is true if all elements are in the range. False for an empty collection.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .lessOrEqual)
    }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
    /// Returns a condition that is true if all elements except null are in the range, which excludes its upper bound.
    /// False for an empty collection.
    public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .less)
    }

    /// Returns a condition that is true if all elements except null are in the range. False for an empty collection.
    public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
        isWithin(range.lowerBound, range.upperBound, .lessOrEqual)
    }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
    /// Returns a condition that is true if an element is greater than the value.
    public static func > (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.greater, rhs) }

    /// Returns a condition that is true if an element is greater than or equal to the value.
    public static func >= (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }

    /// Returns a condition that is true if an element is less than the value.
    public static func < (_ lhs: Query<T>, _ rhs: T.Element) -> Query<Bool> { lhs.compare(.less, rhs) }

    /// Returns a condition that is true if an element is less than or equal to the value.
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
    /// The stored raw value of the enum.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum, T.Wrapped.RawValue: _RealmSchemaDiscoverable {
    /// The stored raw value of the enum.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
    /// The collection of the stored raw values of the enums.
    public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
        Query<AnyRealmCollection<T.Element.RawValue>>(node)
    }
}

extension Query
where
    T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum,
    T.Element.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
    /// The collection of the stored raw values of the enums.
    public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
        Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node)
    }
}

extension Query where T: _HasPersistedType {
    /// The value in its stored form.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}
