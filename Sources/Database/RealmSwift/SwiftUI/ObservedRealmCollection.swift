// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// A property wrapper for a collection that a view receives as an argument, shows, and observes: results, linking
    /// objects, a list, or a set. An addition to Realm's API.
    ///
    /// ```swift
    /// struct OwnersView: View {
    ///     @ObservedRealmCollection var owners: LinkingObjects<Person>
    ///
    ///     var body: some View { ForEach(owners) { Text($0.name) } }
    /// }
    /// ```
    ///
    /// The wrapped value is a frozen snapshot, which is reused until the version changes. Use the wrapper on the main
    /// actor.
    @MainActor @propertyWrapper
    public struct ObservedRealmCollection<C: RealmCollection>: DynamicProperty, BoundCollection {
        public typealias Element = C.Element

        @StateObject private var storage: CollectionFollowing<C>
        private let given: C

        /// Creates a property that observes a collection. With `keyPaths`, only changes of these properties of its
        /// objects are observed.
        public init(wrappedValue: C, keyPaths: [String]? = nil) {
            given = wrappedValue
            _storage = StateObject(wrappedValue: CollectionFollowing(wrappedValue, keyPaths))
        }

        /// Creates a property that observes a collection. With `keyPaths`, only changes of these properties of its
        /// objects are observed.
        public init(_ collection: C, keyPaths: [String]? = nil) {
            self.init(wrappedValue: collection, keyPaths: keyPaths)
        }

        /// The collection, frozen if it is managed.
        public var wrappedValue: C { storage.value }

        /// The property wrapper itself, for changing the collection: `$dogs.remove(atOffsets: offsets)`.
        public var projectedValue: Self { self }

        /// Updates the property. The host calls this before it evaluates the view.
        nonisolated public func update() { MainActor.assumeIsolated { storage.install(given) } }
    }

    extension ObservedRealmCollection: ShownCollection { var shownValue: Any { storage.shown } }

    @MainActor final class CollectionFollowing<C: RealmCollection>: Following<C> {
        private var given: C
        private let keyPaths: [String]?
        private var live: C?

        init(_ given: C, _ keyPaths: [String]?) { (self.given, self.keyPaths) = (given, keyPaths) }

        func install(_ new: C) {
            let isSame = (given as? any Watchable)?.isSameThing(as: new) ?? (given == new)
            if live == nil || !isSame {
                given = new
                live = new.realm == nil || new.isInvalidated ? new : new.isFrozen ? new.thaw() ?? new : new
                follow()
            }
            willEvaluate()
        }

        override func renew() -> Bool {
            guard let live, live.realm != nil, live.isInvalidated, let renewed = live.renewed() else { return false }
            (given, self.live) = (renewed, renewed)
            follow()
            return true
        }

        override var followedRealm: Realm? { live?.realm }

        override func watch(_ changed: @escaping () -> Void) -> NotificationToken? {
            guard let live, live.realm != nil else { return NotificationToken() }
            return live.watch(keyPaths, changed)
        }

        override func makeCopy() -> C {
            _ = renew()
            let now = live ?? given
            return now.realm == nil || now.isInvalidated ? now : now.freeze()
        }
    }
#endif
