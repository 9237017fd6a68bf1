// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// At most `count` of the elements, the first ones: live and lazy as all `Results`. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = dogs.sorted(by: \.age, ascending: false).limit(10)
    /// ```
    ///
    /// Orders and filters after a limit see only what it left. A filter stops when it has found enough, and an order
    /// does not order the elements that the limit leaves out. Needs a managed collection.
    public func limit(_ count: Int) -> Results<Element> { Results(requireCore().limited(to: count)) }
}
