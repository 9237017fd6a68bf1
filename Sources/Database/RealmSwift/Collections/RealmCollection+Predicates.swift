// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Queries with Foundation's predicates. `NSPredicate(format:)` parses a string on Linux too.
extension RealmCollection {
    /// Returns the objects that satisfy a predicate: a format string, a constant, or a combination of these with AND,
    /// OR and NOT.
    public func filter(_ predicate: NSPredicate) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(predicate)))
    }

    /// Returns the index of the first object that satisfies a predicate, or nil if there isn't one.
    public func index(matching predicate: NSPredicate) -> Int? {
        guard let core = managedCore() else { return index(matching: MemoryQuery(predicate)) }
        return core.index(matching: core.realm.predicate(predicate))
    }
}
