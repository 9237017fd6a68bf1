// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    extension Binding: BoundCollection where Value: RealmCollection {
        public typealias Element = Value.Element
        /// The type of the collection's indices.
        public typealias Index = Value.Index
        /// The type of the collection of all indices.
        public typealias Indices = Value.Indices
    }

    extension Binding: BoundMap where Value: RealmKeyedCollection {}

    extension Binding where Value: ObjectBase & ThreadConfined {
        /// Returns a binding to a property of the object. Each assignment runs in a write transaction of its own, or in
        /// the current one.
        @MainActor public subscript<V>(dynamicMember member: ReferenceWritableKeyPath<Value, V>) -> Binding<V>
        where V: _Persistable {
            property(member) { _, _ in false }
        }

        /// Returns a binding to a collection of the object.
        @MainActor public subscript<V>(dynamicMember member: ReferenceWritableKeyPath<Value, V>) -> Binding<V>
        where V: _Persistable & RLMSwiftCollectionBase & ThreadConfined {
            property(member) { _, _ in false }
        }

        /// Returns a binding to a property of the object. Assigning an equal value doesn't begin a write.
        @MainActor public subscript<V>(dynamicMember member: ReferenceWritableKeyPath<Value, V>) -> Binding<V>
        where V: _Persistable & Equatable {
            property(member) { $0 == $1 }
        }

        @MainActor private func property<V>(
            _ member: ReferenceWritableKeyPath<Value, V>, _ isSame: @escaping (V, V) -> Bool
        ) -> Binding<V> {
            let base = self
            return PropertyBinding(
                member, spare: { base.wrappedValue[keyPath: member] }, isSame: isSame,
                target: { Writing.target(base.wrappedValue) }
            ).binding
        }
    }

    extension Binding where Value: RealmKeyedCollection & ThreadConfined {
        /// Returns a binding to the value of a key: `$dog.scores["agility"]`. Each assignment runs in a write
        /// transaction of its own, or in the current one; nil removes the entry.
        @MainActor public subscript<V>(dynamicMember member: ReferenceWritableKeyPath<Value, V>) -> Binding<V> {
            let base = self
            return PropertyBinding(
                member, spare: { base.wrappedValue[keyPath: member] },
                target: { Writing.target(base.wrappedValue) }
            ).binding
        }
    }

    extension Binding where Value: Object {
        /// Deletes the object from its Realm.
        @MainActor public func delete() { Writing.delete(wrappedValue) }
    }

    extension Binding where Value: ProjectionObservable, Value.Root: ThreadConfined {
        /// Deletes the object of the projection from its Realm.
        @MainActor public func delete() { Writing.delete(wrappedValue.rootObject) }
    }

    extension ThreadConfined where Self: ObjectBase {
        /// Returns a binding to a property, even of a frozen object. Assigning an equal value doesn't begin a write.
        ///
        /// - Precondition: The object of a frozen instance hasn't been deleted.
        @MainActor public func bind<V: _Persistable & Equatable>(
            _ keyPath: ReferenceWritableKeyPath<Self, V>
        ) -> Binding<V> { Writing.bind(self, keyPath) { $0 == $1 } }

        /// Returns a binding to a collection, even of a frozen object.
        ///
        /// - Precondition: The object of a frozen instance hasn't been deleted.
        @MainActor public func bind<V: _Persistable & RLMSwiftCollectionBase & ThreadConfined>(
            _ keyPath: ReferenceWritableKeyPath<Self, V>
        ) -> Binding<V> { Writing.bind(self, keyPath) { _, _ in false } }
    }

    extension ThreadConfined where Self: ProjectionObservable {
        /// Returns a binding to a property, even of a frozen projection. Assigning an equal value doesn't begin a
        /// write.
        ///
        /// - Precondition: The object of a frozen projection hasn't been deleted.
        @MainActor public func bind<V: _Persistable & Equatable>(
            _ keyPath: ReferenceWritableKeyPath<Self, V>
        ) -> Binding<V> { Writing.bind(self, keyPath) { $0 == $1 } }

        /// Returns a binding to a collection, even of a frozen projection.
        ///
        /// - Precondition: The object of a frozen projection hasn't been deleted.
        @MainActor public func bind<V: _Persistable & RLMSwiftCollectionBase & ThreadConfined>(
            _ keyPath: ReferenceWritableKeyPath<Self, V>
        ) -> Binding<V> { Writing.bind(self, keyPath) { _, _ in false } }
    }

    extension Writing {
        static func target<T: ThreadConfined>(_ shown: T) -> T? {
            guard shown.realm != nil else { return shown }
            guard !shown.isInvalidated else { return nil }
            return shown.isFrozen ? shown.thaw() : shown
        }

        static func delete(_ shown: ObjectBase) {
            guard shown.realm != nil else { return }
            change(shown) { object, realm in realm?.delete(object) }
        }

        fileprivate static func bind<T: ThreadConfined, V>(
            _ object: T, _ keyPath: ReferenceWritableKeyPath<T, V>, _ isSame: @escaping (V, V) -> Bool
        ) -> Binding<V> {
            guard let live = target(object) ?? (object.isFrozen ? nil : object) else {
                throwRealmException("Could not bind value")
            }
            return PropertyBinding(keyPath, spare: { live[keyPath: keyPath] }, isSame: isSame) { target(live) }.binding
        }
    }
#endif
