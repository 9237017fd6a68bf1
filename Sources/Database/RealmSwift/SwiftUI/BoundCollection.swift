// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A collection that a view shows and changes: a binding to one, `$dogs` of `@ObservedResults`.
    ///
    /// Each call is a write transaction of its own, or part of the one in progress. What was shown may be older than
    /// what is there: objects are found again by what they are, never by where they were, and what is gone is left
    /// alone. Objects may be unmanaged, live or frozen. What keeps a write from being made, such as a full disk, is
    /// logged.
    @preconcurrency @MainActor public protocol BoundCollection {
        /// The type of the collection.
        associatedtype Value
        /// The type of its elements.
        associatedtype Element: RealmCollectionValue
        /// The collection.
        var wrappedValue: Value { get }
    }

    extension BoundCollection where Value: RealmCollection {
        public typealias Element = Value.Element
        /// The type of positions.
        public typealias Index = Value.Index
        /// The type of the positions of all elements.
        public typealias Indices = Value.Indices
    }

    extension BoundCollection where Value == RealmSwift.List<Element> {
        /// Removes the element at a position. An object stays in the Realm, unless it is an embedded one.
        public func remove(at index: Index) { remove(atOffsets: IndexSet(integer: index)) }

        /// Removes the elements at offsets. Objects stay in the Realm, unless they are embedded ones.
        public func remove(atOffsets offsets: IndexSet) {
            let shown = wrappedValue
            Writing.change(shown) { list, realm in
                list.remove(atOffsets: Positions.now(of: offsets, of: shown, in: list, realm))
            }
        }

        /// Moves the elements at offsets before the one that is at `destination` now, or to the end.
        public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
            let shown = wrappedValue
            Writing.change(shown) { list, realm in
                guard list.count == shown.count else { return }
                let sources = Positions.now(of: offsets, of: shown, in: list, realm)
                list.move(fromOffsets: sources, toOffset: min(max(destination, 0), list.count))
            }
        }

        /// Adds an element at the end.
        public func append(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { list, _, value in list.append(value) }
        }
    }

    extension BoundCollection where Value == RealmSwift.List<Element>, Element: ObjectBase & ThreadConfined {
        /// Adds an object at the end, and to the Realm if no Realm has it.
        public func append(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { list, _, value in list.append(value) }
        }
    }

    extension BoundCollection where Value == Results<Element>, Element: ObjectBase & ThreadConfined {
        /// Deletes an object from the Realm, if it is one of the results. Ends the process for an object that no Realm
        /// manages.
        public func remove(_ object: Value.Element) {
            Writing.change(wrappedValue) { results, realm in
                guard object.realm != nil else { return realm?.delete(object) ?? () }
                guard let realm, let object = object.resident(in: realm),
                    results.index(of: object) != nil
                else { return }
                realm.delete(object)
            }
        }

        /// Deletes the objects at offsets from the Realm.
        public func remove(atOffsets offsets: IndexSet) {
            let shown = (self as? any ShownCollection)?.shownValue as? Value ?? wrappedValue
            let objects = offsets.filter { shown.indices.contains($0) }.map { shown[$0] }
            Writing.change(shown) { _, realm in if let realm { Writing.delete(objects, in: realm) } }
        }
    }

    extension BoundCollection where Value == Results<Element>, Element: Object {
        /// Adds an object to the Realm. The results show it if it fits their condition.
        public func append(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { _, realm, value in realm?.add(value) }
        }
    }

    extension BoundCollection
    where Value == Results<Element>, Element: ProjectionObservable & ThreadConfined, Element.Root: Object {
        /// Adds the object of a projection to the Realm.
        public func append(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value.rootObject) { _, realm, root in realm?.add(root) }
        }
    }

    extension BoundCollection where Value == MutableSet<Element> {
        /// Removes an element. An object stays in the Realm.
        public func remove(_ element: Value.Element) {
            Writing.change(wrappedValue, with: element) { set, _, element in set.remove(element) }
        }

        /// Adds an element.
        public func insert(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { set, _, value in set.insert(value) }
        }
    }

    extension BoundCollection where Value == MutableSet<Element>, Element: ObjectBase & ThreadConfined {
        /// Removes an object from the set. It stays in the Realm.
        public func remove(_ object: Value.Element) {
            Writing.change(wrappedValue, with: object) { set, _, object in set.remove(object) }
        }

        /// Adds an object to the set, and to the Realm if no Realm has it.
        public func insert(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { set, _, value in set.insert(value) }
        }
    }

    /// Where elements are now that were at offsets in what was shown.
    @MainActor enum Positions {
        static func now<Element>(
            of offsets: IndexSet, of shown: RealmSwift.List<Element>, in list: RealmSwift.List<Element>, _ realm: Realm?
        ) -> IndexSet {
            let offsets = offsets.filteredIndexSet { shown.indices.contains($0) }
            guard let realm, shown.isFrozen, shown.realm?.frozenVersion != realm.version || isChanged(list, shown)
            else {
                return offsets
            }
            if shown.elementsEqual(list, by: isSame) { return offsets }
            guard Element.self is ObjectBase.Type else {
                Logger.shared.log(.warn, "A list has changed since it was shown: its values were left as they are.")
                return []
            }
            let wanted = offsets.compactMap { ((shown[$0] as? ObjectBase)?.resident(in: realm) as? Element) }
            return IndexSet(wanted.compactMap { list.index(of: $0) })
        }

        /// A write in progress may have changed the list within the version that is shown.
        private static func isChanged<Element>(
            _ list: RealmSwift.List<Element>, _ shown: RealmSwift.List<Element>
        ) -> Bool {
            list.realm?.isInWriteTransaction == true && !shown.elementsEqual(list, by: isSame)
        }

        private static func isSame<Element: RealmCollectionValue>(_ a: Element, _ b: Element) -> Bool {
            if let a = a as? ObjectBase, let b = b as? ObjectBase { return a.isSameEntity(as: b) }
            return a == b
        }
    }
#endif
