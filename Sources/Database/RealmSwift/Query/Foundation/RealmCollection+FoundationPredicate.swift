// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension RealmCollection {
    /// Returns the objects that satisfy a predicate created by Foundation's macro `#Predicate`, as live and lazy
    /// results. An addition to Realm's API.
    ///
    /// ```swift
    /// let young = dogs.filter(#Predicate { $0.age < 3 && $0.name.contains("x") && $0.toys.contains { $0.isNew } })
    /// ```
    ///
    /// The database evaluates the predicate without instantiating the objects. A predicate that it can't evaluate traps
    /// with a message that names the unsupported part: properties that aren't stored, casts, counts of characters,
    /// `Float` in computations, elements of lists by their index, `AnyRealmValue`, and custom types other than enums.
    ///
    /// The results differ from Foundation's in two ways. Strings are compared by Unicode scalars, as everywhere in
    /// Realm: two forms of the same accented letter aren't equal, and one form may be found inside a longer character.
    /// Where Foundation throws because nil is unwrapped with `!`, the value is null, which isn't equal to any value.
    public func filter(_ predicate: Foundation.Predicate<Element>) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(predicate), dialect: .query))
    }

    /// Returns the index of the first object that satisfies a predicate created by Foundation's macro `#Predicate`, or
    /// nil if there isn't one. See `filter(_:)`. An addition to Realm's API.
    public func index(matching predicate: Foundation.Predicate<Element>) -> Int? {
        filter(predicate).first.flatMap { index(of: $0) }
    }
}
