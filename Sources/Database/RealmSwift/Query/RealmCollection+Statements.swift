// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// Returns the elements selected by a statement of Realm Query Language, Realm's own query syntax, as live and lazy
    /// results in the order of the statement. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = realm.objects(Dog.self).query("age > $0 SORT(age DESC, name ASC) LIMIT(5)", 3)
    /// let names = realm.objects(Dog.self).query("SORT(age ASC) DISTINCT(name)")
    /// ```
    ///
    /// A statement is a predicate followed by operations on the objects that satisfy it. `SORT`, `DISTINCT` and `LIMIT`
    /// are applied from left to right, and every part is optional. `$0`, `$1`, … represent the arguments, and may occur
    /// several times; `%@` represents the next argument. Properties have their Swift names. Unlike the predicates of
    /// `filter(_:_:)`, statements support elements of lists by their index, such as `toys[0].name`, and `ALL`, `ANY`
    /// and `NONE` of several constants.
    ///
    /// For a collection of values, a statement can't have a predicate, and `self` is the only path.
    ///
    /// - Precondition: The collection is managed, and the statement is valid.
    public func query(_ statement: String, _ args: Any?...) -> Results<Element> {
        let core = requireCore()
        return Results(core.queried(core.realm.statement(statement, args)))
    }
}
