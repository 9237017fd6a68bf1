// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RealmCollection {
    /// Returns the elements selected by a text in Realm Query Language, Realm's own query syntax, as live and lazy
    /// results in the order of the text. An addition to Realm's API.
    ///
    /// ```swift
    /// let oldest = try realm.objects(Dog.self).query("age > $0 SORT(age DESC, name ASC) LIMIT(5)", 3)
    /// let names = try realm.objects(Dog.self).query("SORT(age ASC) DISTINCT(name)")
    /// ```
    ///
    /// A text is a predicate followed by operations on the objects that satisfy it. `SORT`, `DISTINCT` and `LIMIT` are
    /// applied from left to right, and every part is optional. `$0`, `$1`, … represent the arguments, and may occur
    /// several times; `%@` represents the next argument. Properties have their Swift names. Unlike the predicates of
    /// `filter(_:_:)`, texts support elements of lists by their index, such as `toys[0].name`, and `ALL`, `ANY` and
    /// `NONE` of several constants.
    ///
    /// For a collection of values, a text can't have a predicate, and `self` is the only path. A text may come from
    /// anywhere, such as a search field: an invalid one is an error. In a read-only synchronised Realm whose file has
    /// no objects of the class yet, an unknown property is logged, and the results are empty.
    ///
    /// - Precondition: The collection is managed.
    /// - Throws: `RealmQueryError` if the text isn't valid for the collection's elements; `Realm.Error` if the file
    ///   can't be read.
    public func query(_ text: String, _ args: Any?...) throws -> Results<Element> {
        let core = requireCore()
        return Results(try core.queried(try core.realm.statement(text, args)))
    }

    /// Returns the elements selected by a validated text; see `query(_:_:)`. An addition to Realm's API.
    ///
    /// - Precondition: The collection is managed.
    /// - Throws: `RealmQueryError` if the text doesn't match the properties of the collection's elements; `Realm.Error`
    ///   if the file can't be read.
    public func query(_ text: RealmQueryText) throws -> Results<Element> {
        Results(try requireCore().queried(text.statement))
    }
}
