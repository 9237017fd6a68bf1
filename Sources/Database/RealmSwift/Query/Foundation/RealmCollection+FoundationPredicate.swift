// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Queries with the predicates of Foundation's macro. An addition to Realm's API.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension RealmCollection {
    /// Returns the objects that satisfy a predicate of Foundation, live and lazy like all `Results`.
    ///
    /// ```swift
    /// let young = dogs.filter(#Predicate { $0.age < 3 && $0.name.contains("x") && $0.toys.contains { $0.isNew } })
    /// ```
    ///
    /// The result has the objects for which the predicate is true, found without instantiating them. A predicate that
    /// the engine can't evaluate traps with a text that names the unsupported part: properties that aren't stored,
    /// casts, counts of characters, `Float` in computations, elements of lists by their index, `AnyRealmValue`, types
    /// of your own other than enums.
    ///
    /// Two differences remain. Texts are compared scalar by scalar, like everywhere in Realm, so two forms of one
    /// accented letter aren't equal, and one form may be found inside a longer character. If a nil is unwrapped with
    /// `!`, Foundation throws; here it is null, which is unequal to everything.
    public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(predicate), dialect: .query))
    }

    /// Returns the position of the first object that satisfies a predicate of Foundation, or nil if no object does. See
    /// `filter(_:)`.
    public func index(matching predicate: Foundation.Predicate<Element>) -> Int? {
        filter(predicate).first.flatMap { index(of: $0) }
    }
}
