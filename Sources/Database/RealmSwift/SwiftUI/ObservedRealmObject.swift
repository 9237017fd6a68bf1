// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RealmSwift
        import RealmSwiftCombine
        import RegnumUI
    #endif

    /// A property wrapper for an object, a projection, or a list that a view receives as an argument, shows, and
    /// observes.
    ///
    /// ```swift
    /// struct DogDetails: View {
    ///     @ObservedRealmObject var dog: Dog
    ///
    ///     var body: some View {
    ///         Text(dog.name)
    ///         TextField("Name", text: $dog.name)
    ///     }
    /// }
    /// ```
    ///
    /// The wrapped value of a managed object is a frozen copy. The view is evaluated when the object, or any object
    /// reachable from it, changes. Write through `$dog`. After the object is deleted, the wrapped value is a new object
    /// with default values.
    ///
    /// An unmanaged object is shown as it is. The view is notified of changes made by bindings and, after the object is
    /// added to a Realm, of all changes. Use the wrapper on the main actor.
    @MainActor @propertyWrapper public struct ObservedRealmObject<ObjectType>: DynamicProperty
    where ObjectType: RealmSubscribable & ThreadConfined & ObservableObject & Equatable {
        @StateObject private var storage: ObjectFollowing<ObjectType>
        private var given: ObjectType

        private init(_ given: ObjectType, _ makeSpare: @escaping () -> ObjectType) {
            self.given = given
            _storage = StateObject(wrappedValue: ObjectFollowing(given, makeSpare))
        }

        /// Creates a property that observes an object.
        public init(wrappedValue: ObjectType) where ObjectType: ObjectBase & Identifiable {
            self.init(wrappedValue) { ObjectType() }
        }

        /// Creates a property that observes a list.
        public init<V>(wrappedValue: ObjectType) where ObjectType == RealmSwift.List<V> {
            self.init(wrappedValue) { RealmSwift.List<V>() }
        }

        /// Creates a property that observes a projection.
        public init(wrappedValue: ObjectType) where ObjectType: ProjectionObservable {
            self.init(wrappedValue) { ObjectType(projecting: ObjectType.Root()) }
        }

        /// The object, frozen if it is managed.
        public var wrappedValue: ObjectType {
            get { storage.value }
            set {
                given = newValue
                storage.announce()
                storage.replace(by: newValue)
            }
        }

        /// Bindings to the object's properties.
        public var projectedValue: Wrapper { Wrapper(storage) }

        /// Updates the property. The host calls this before it evaluates the view.
        nonisolated public func update() { MainActor.assumeIsolated { storage.install(given) } }

        /// Provides bindings to the properties of the observed object.
        @MainActor @dynamicMemberLookup public struct Wrapper {
            private let storage: ObjectFollowing<ObjectType>
            /// The object, frozen if it is managed.
            public var wrappedValue: ObjectType

            fileprivate init(_ storage: ObjectFollowing<ObjectType>) {
                (self.storage, wrappedValue) = (storage, storage.value)
            }

            /// Returns a binding to a property. Each assignment runs in a write transaction of its own, or in the
            /// current one.
            public subscript<Subject>(
                dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> { property(keyPath) { _, _ in false } }

            /// Returns a binding to a property. Assigning an equal value doesn't begin a write.
            public subscript<Subject: Equatable>(
                dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> { property(keyPath) { $0 == $1 } }

            /// Returns a binding to a collection.
            public subscript<Subject: RLMSwiftCollectionBase & ThreadConfined>(
                dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> { property(keyPath) { _, _ in false } }

            private func property<V>(
                _ keyPath: ReferenceWritableKeyPath<ObjectType, V>, _ isSame: @escaping (V, V) -> Bool
            ) -> Binding<V> {
                let storage = storage
                return PropertyBinding(keyPath, spare: { storage.value[keyPath: keyPath] }, isSame: isSame) {
                    storage.target
                }.binding
            }
        }
    }

    extension ObservedRealmObject.Wrapper where ObjectType: ObjectBase {
        /// Deletes the object from its Realm.
        public func delete() { Writing.delete(wrappedValue) }
    }
#endif
