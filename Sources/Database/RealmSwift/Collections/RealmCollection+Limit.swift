// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// Returns live, lazy results with at most the first `count` elements. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = dogs.sorted(by: \.age, ascending: false).limit(10)
    /// ```
    ///
    /// A subsequent order or filter applies only to the limited elements. A filter stops when it has found enough
    /// elements, and an order doesn't sort the elements excluded by the limit.
    ///
    /// - Precondition: The collection is managed.
    public func limit(_ count: Int) -> Results<Element> { Results(requireCore().limited(to: count)) }
}
