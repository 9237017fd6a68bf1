// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// Returns the first `count` elements, or fewer: live and lazy as all `Results`. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = dogs.sorted(by: \.age, ascending: false).limit(10)
    /// ```
    ///
    /// Orders and filters after a limit apply only to its result. A filter stops when it has found enough elements, and
    /// an order doesn't sort the elements excluded by the limit. Needs a managed collection.
    public func limit(_ count: Int) -> Results<Element> { Results(requireCore().limited(to: count)) }
}
