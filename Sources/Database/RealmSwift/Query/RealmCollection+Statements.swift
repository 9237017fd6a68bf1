// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// Returns the elements that a statement of Realm Query Language selects, in its order: a predicate, followed by
    /// operations on the objects that satisfy it. Live and lazy like all `Results`. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = realm.objects(Dog.self).query("age > $0 SORT(age DESC, name ASC) LIMIT(5)", 3)
    /// let names = realm.objects(Dog.self).query("SORT(age ASC) DISTINCT(name)")
    /// ```
    ///
    /// `$0`, `$1`, … stand for the arguments, and may occur several times; `%@` stands for the next one. `SORT`,
    /// `DISTINCT` and `LIMIT` are applied from left to right, and every part is optional. Properties have their Swift
    /// names. Unlike the predicates of `filter(_:_:)`, those of statements may use elements of lists by their index,
    /// `toys[0].name`, and `ALL`, `ANY` and `NONE` of several constants.
    ///
    /// A collection of values accepts no predicate, and `self` as its only path.
    ///
    /// - Precondition: The collection is managed, and the statement is valid.
    public func query(_ statement: String, _ args: Any?...) -> Results<Element> {
        let core = requireCore()
        return Results(core.queried(core.realm.statement(statement, args)))
    }
}
