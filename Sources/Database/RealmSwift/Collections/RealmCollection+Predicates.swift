// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Queries with Foundation's predicates. On Linux, too, `NSPredicate(format:)` makes one from a text.
extension RealmCollection {
    /// The objects that satisfy a predicate: one with a format, a constant, or AND, OR and NOT of such.
    public func filter(_ predicate: NSPredicate) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(core.realm.predicate(predicate)))
    }

    /// The position of the first object that satisfies a predicate; nil when there is none.
    public func index(matching predicate: NSPredicate) -> Int? {
        guard let core = managedCore() else { return index(matching: MemoryQuery(predicate)) }
        return core.index(matching: core.realm.predicate(predicate))
    }
}
