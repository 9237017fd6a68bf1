// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// What a statement of Realm Query Language chooses of the elements, and in which order: a predicate, and what is
    /// done with the objects that satisfy it. Live and lazy as all `Results`. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = realm.objects(Dog.self).query("age > $0 SORT(age DESC, name ASC) LIMIT(5)", 3)
    /// let names = realm.objects(Dog.self).query("SORT(age ASC) DISTINCT(name)")
    /// ```
    ///
    /// `$0`, `$1`, … stand for the arguments, as often as they occur; `%@` stands for the next one. `SORT`, `DISTINCT`
    /// and `LIMIT` are done from left to right, and every part may be missing. Properties have their Swift names.
    /// Unlike the predicates of `filter(_:_:)`, those of statements may ask for elements of lists by their place,
    /// `toys[0].name`, and for `ALL`, `ANY` and `NONE` of several constants.
    ///
    /// A collection of values takes no predicate, and `self` as its only path.
    ///
    /// - Precondition: The collection is managed, and the statement has no mistake.
    public func query(_ statement: String, _ args: Any?...) -> Results<Element> {
        let core = requireCore()
        return Results(core.queried(core.realm.statement(statement, args)))
    }
}
