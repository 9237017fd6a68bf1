// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime

/// Queries over a managed collection, as live and lazy `Results`. `index(matching:)` and `objects(at:)` work
/// with an unmanaged collection too.
extension RealmCollection {
    /// Returns the objects that satisfy a predicate. An invalid predicate traps in this call, not when the results are
    /// read.
    ///
    /// ```swift
    /// dogs.filter("age > %@ AND toy.name BEGINSWITH[c] 'b'", 3)
    /// ```
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(predicateFormat, args))
    }

    /// Returns the objects that satisfy a condition.
    ///
    /// ```swift
    /// dogs.where { $0.age > 3 && $0.toy.name.starts(with: "b", options: .caseInsensitive) }
    /// ```
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        let core = requireCore()
        return Results(core.filtered(isIncluded(Query<Element>()).node))
    }

    /// Returns the index of the first object that satisfies a predicate, or nil if there isn't one.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        verifyPositions("index(matching:)")
        guard let core = managedCore() else { return index(matching: MemoryQuery(predicateFormat, args)) }
        return core.index(matching: core.realm.predicate(predicateFormat, args))
    }

    /// Returns the index of the first object that satisfies a condition, or nil if there isn't one.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        verifyPositions("index(matching:)")
        guard let core = managedCore() else {
            return index(matching: MemoryQuery(isIncluded(Query<Element>()).node))
        }
        return core.index(matching: core.realm.predicate(isIncluded))
    }

    /// Returns the elements sorted by several properties. The first descriptor has the highest priority; equal elements
    /// keep their order.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element>
    where S.Iterator.Element == SortDescriptor {
        Results(requireCore().sorted(by: Array(sortDescriptors)))
    }

    /// Returns one element for each distinct combination of the properties' values: the first one in the current order.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == String {
        Results(requireCore().distinct(by: Array(keyPaths)))
    }

    /// Returns the elements at the given indexes, in ascending order. Traps if an index is out of bounds.
    public func objects(at indexes: IndexSet) -> [Element] {
        if let last = indexes.last, last >= count { refuse("Indexes for collection are out of bounds.") }
        return indexes.map { self[index(startIndex, offsetBy: $0)] }
    }

    /// Traps, unless an I/O error or damage recorded by the Realm may be the cause.
    private func refuse(_ text: String) {
        guard let realm = realm?.instance else { throwRealmException(text) }
        realm.refuse(text)
    }

    private func verifyPositions(_ member: String) {
        if words.className == CollectionVocabulary.set.className {
            throwRealmException("\(member) is not available on MutableSet")
        }
    }

    func requireCore() -> LiveQuery {
        guard let core = managedCore() else { words.throwUnmanaged() }
        return core
    }

    /// Returns nil for an unmanaged collection, which is queried in memory.
    func managedCore() -> LiveQuery? {
        let core = _origin?.core
        core?.verifyValid()
        return core
    }
}

extension RealmCollection where Element: KeypathSortable {
    /// Returns the elements sorted by a property, which may belong to a linked object: `"toy.name"`.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// Returns the elements sorted by a property.
    public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<
        Element
    >
    where T.PersistedType: SortableType, Element: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// Returns one element for each distinct combination of the properties' values: the first one in the current order.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
    where S.Iterator.Element == PartialKeyPath<Element>, Element: ObjectBase {
        distinct(by: keyPaths.map { PropertyProbe.name(of: $0) })
    }
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// Returns the values, sorted.
    public func sorted(ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
    }

    /// Returns the distinct values.
    public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}
