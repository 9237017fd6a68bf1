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

    /// A property wrapper for an object, a projection, or a collection that a view creates once, and observes while it
    /// is in the tree.
    ///
    /// ```swift
    /// struct AddDogView: View {
    ///     @StateRealmObject var dog = Dog()
    ///     @ObservedResults(Dog.self) var dogs
    ///
    ///     var body: some View {
    ///         TextField("Name", text: $dog.name)
    ///         Button("Save") { $dogs.append(dog) }
    ///     }
    /// }
    /// ```
    ///
    /// Apart from the ownership of the value, it behaves like ``ObservedRealmObject``.
    @MainActor @propertyWrapper
    public struct StateRealmObject<T: RealmSubscribable & ThreadConfined & Equatable>:
        DynamicProperty
    {
        @StateObject private var storage: ObjectFollowing<T>

        private init(_ value: T, _ makeSpare: @escaping () -> T) {
            _storage = StateObject(wrappedValue: ObjectFollowing(value, makeSpare))
        }

        /// Creates a property that stores a list.
        public init<Value>(wrappedValue: T) where T == RealmSwift.List<Value> {
            self.init(wrappedValue) { RealmSwift.List<Value>() }
        }

        /// Creates a property that stores a set.
        public init<Value>(wrappedValue: T) where T == MutableSet<Value> {
            self.init(wrappedValue) { MutableSet<Value>() }
        }

        /// Creates a property that stores a map.
        public init<Key, Value>(wrappedValue: T) where T == Map<Key, Value> {
            self.init(wrappedValue) { Map<Key, Value>() }
        }

        /// Creates a property that stores an object.
        public init(wrappedValue: T) where T: ObjectBase & Identifiable { self.init(wrappedValue) { T() } }

        /// Creates a property that stores a projection.
        public init(wrappedValue: T) where T: ProjectionObservable {
            self.init(wrappedValue) { T(projecting: T.Root()) }
        }

        /// The value, frozen if it is managed.
        public var wrappedValue: T {
            get { storage.value }
            nonmutating set { storage.set(newValue) }
        }

        /// A binding to the value and its properties.
        public var projectedValue: Binding<T> {
            let storage = storage
            return Binding(get: { @MainActor in storage.value }, set: { @MainActor in storage.set($0) })
        }

        /// A publisher that publishes before each change of the value.
        public var _publisher: some Publisher { storage.objectWillChange }

        /// Updates the property. The host calls this before it evaluates the view.
        nonisolated public func update() { MainActor.assumeIsolated { storage.install(storage.given) } }
    }

    extension ObjectFollowing {
        fileprivate func set(_ new: T) {
            if (given as? any Watchable)?.isSameThing(as: new) ?? false { return }
            announce()
            replace(by: new)
        }
    }
#endif
