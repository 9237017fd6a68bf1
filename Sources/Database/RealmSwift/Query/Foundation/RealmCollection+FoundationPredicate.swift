// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Queries with the predicates of Foundation's macro. An addition to Realm's API.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension RealmCollection {
    /// The objects that satisfy a predicate of Foundation, live and lazy as all `Results`.
    ///
    /// ```swift
    /// let young = dogs.filter(#Predicate { $0.age < 3 && $0.name.contains("x") && $0.toys.contains { $0.isNew } })
    /// ```
    ///
    /// The objects are those that the predicate itself is true for, found without making them. What cannot be asked for
    /// in that way traps here, with a text that names it: properties that are not stored, casts, counts of characters,
    /// `Float` in computations, elements of lists by their place, `AnyRealmValue`, types of your own other than enums.
    ///
    /// Two differences remain. Texts are compared as everywhere in Realm, scalar by scalar, so that two forms of one
    /// accented letter are not equal, and one form may be found inside a longer character. Where Foundation throws,
    /// for a nil that is unwrapped with `!`, that nil is a null, which is unequal to everything.
    public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(predicate), dialect: .query))
    }

    /// The position of the first object that satisfies a predicate of Foundation; nil when there is none. See
    /// `filter(_:)`.
    public func index(matching predicate: Foundation.Predicate<Element>) -> Int? {
        filter(predicate).first.flatMap { index(of: $0) }
    }
}
