// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Queries for projections. Strings contain names of the root object's properties; key paths are those of the
// projection.

extension RealmCollection {
    /// Returns the elements sorted by a property of the root objects.
    public func sorted<T: _HasPersistedType, O: ObjectBase>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true
    ) -> Results<Element> where T.PersistedType: SortableType, Element: Projection<O> {
        sorted(by: [SortDescriptor(keyPath: PropertyProbe.name(of: keyPath), ascending: ascending)])
    }

    /// Returns the first element, in the current order, for each distinct combination of the properties' values.
    public func distinct<S: Sequence, O: ObjectBase>(by keyPaths: S) -> Results<Element>
    where S.Iterator.Element == PartialKeyPath<Element>, Element: Projection<O> {
        distinct(by: keyPaths.map { PropertyProbe.name(of: $0) })
    }

    /// Returns the smallest value of a property; nil if no object has a value.
    public func min<T: _HasPersistedType, O: ObjectBase>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: MinMaxType, Element: Projection<O> {
        min(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the largest value of a property; nil if no object has a value.
    public func max<T: _HasPersistedType, O: ObjectBase>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: MinMaxType, Element: Projection<O> {
        max(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the sum of a property. Integer sums wrap around.
    public func sum<T: _HasPersistedType, O: ObjectBase>(of keyPath: KeyPath<Element, T>) -> T
    where T.PersistedType: AddableType, Element: Projection<O> {
        sum(ofProperty: PropertyProbe.name(of: keyPath))
    }

    /// Returns the average of a property; nil if no object has a value.
    public func average<T: _HasPersistedType, O: ObjectBase>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType, Element: Projection<O> {
        average(ofProperty: PropertyProbe.name(of: keyPath))
    }
}

extension Query {
    /// A query for a property of the projection.
    public subscript<V, O: ObjectBase>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: Projection<O> {
        self.member(member)
    }
}
