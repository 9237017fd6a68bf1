// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A collection that a view shows and can change, such as a binding to a collection, or `$dogs` of
    /// `@ObservedResults`.
    ///
    /// Each call runs in a write transaction of its own, or in the current one. The shown collection may be older than
    /// the stored one. Therefore objects are found by their identity, not by their index, and objects that were deleted
    /// in the meantime are ignored. Objects may be unmanaged, live, or frozen. An error that prevents a write, such as
    /// a full disk, is logged.
    @preconcurrency @MainActor public protocol BoundCollection {
        /// The type of the collection.
        associatedtype Value
        /// The type of the elements.
        associatedtype Element: RealmCollectionValue
        /// The collection.
        var wrappedValue: Value { get }
    }

    extension BoundCollection where Value: RealmCollection {
        public typealias Element = Value.Element
        /// The type of the collection's indices.
        public typealias Index = Value.Index
        /// The type of the collection of all indices.
        public typealias Indices = Value.Indices
    }

    extension BoundCollection where Value == RealmSwift.List<Element> {
        /// Removes the element at an index. An object stays in the Realm, unless it is embedded.
        public func remove(at index: Index) { remove(atOffsets: IndexSet(integer: index)) }

        /// Removes the elements at the given offsets. Objects stay in the Realm, unless they are embedded.
        public func remove(atOffsets offsets: IndexSet) {
            let shown = wrappedValue
            Writing.change(shown) { list, realm in
                list.remove(atOffsets: Positions.now(of: offsets, of: shown, in: list, realm))
            }
        }

        /// Moves the elements at the given offsets before the element that is currently at `destination`, or to the
        /// end. Does nothing if the list's length has changed since it was shown.
        public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
            let shown = wrappedValue
            Writing.change(shown) { list, realm in
                guard list.count == shown.count else { return }
                let sources = Positions.now(of: offsets, of: shown, in: list, realm)
                list.move(fromOffsets: sources, toOffset: min(max(destination, 0), list.count))
            }
        }

        /// Appends an element.
        public func append(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { list, _, value in list.append(value) }
        }
    }

    extension BoundCollection where Value == RealmSwift.List<Element>, Element: ObjectBase & ThreadConfined {
        /// Appends an object, and adds it to the Realm if it is unmanaged.
        public func append(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { list, _, value in list.append(value) }
        }
    }

    extension BoundCollection where Value == Results<Element>, Element: ObjectBase & ThreadConfined {
        /// Deletes an object from the Realm if the results contain it.
        ///
        /// - Precondition: The object is managed.
        public func remove(_ object: Value.Element) {
            Writing.change(wrappedValue) { results, realm in
                guard object.realm != nil else { return realm?.delete(object) ?? () }
                guard let realm, let object = object.resident(in: realm),
                    results.index(of: object) != nil
                else { return }
                realm.delete(object)
            }
        }

        /// Deletes the objects at the given offsets from the Realm.
        public func remove(atOffsets offsets: IndexSet) {
            let shown = (self as? any ShownCollection)?.shownValue as? Value ?? wrappedValue
            let objects = offsets.filter { shown.indices.contains($0) }.map { shown[$0] }
            Writing.change(shown) { _, realm in if let realm { Writing.delete(objects, in: realm) } }
        }
    }

    extension BoundCollection where Value == Results<Element>, Element: Object {
        /// Adds an object to the Realm. The results include it if it satisfies their condition.
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

        /// Inserts an element.
        public func insert(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { set, _, value in set.insert(value) }
        }
    }

    extension BoundCollection where Value == MutableSet<Element>, Element: ObjectBase & ThreadConfined {
        /// Removes an object from the set. The object stays in the Realm.
        public func remove(_ object: Value.Element) {
            Writing.change(wrappedValue, with: object) { set, _, object in set.remove(object) }
        }

        /// Inserts an object into the set, and adds it to the Realm if it is unmanaged.
        public func insert(_ value: Value.Element) {
            Writing.change(wrappedValue, with: value) { set, _, value in set.insert(value) }
        }
    }

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
                Logger.shared.log(.warn, "A list has changed since it was shown; its values were not changed.")
                return []
            }
            let wanted = offsets.compactMap { ((shown[$0] as? ObjectBase)?.resident(in: realm) as? Element) }
            return IndexSet(wanted.compactMap { list.index(of: $0) })
        }

        /// Whether the current write transaction has changed the list since it was shown: the versions are equal then.
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
