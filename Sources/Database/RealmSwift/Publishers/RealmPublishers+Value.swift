// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension RealmPublishers {
        /// A publisher of an object or a collection after each change. A collection is also published initially.
        /// Finishes when an object is deleted.
        @frozen public struct Value<Subscribable: RealmSubscribable>: Publisher where Subscribable: ThreadConfined {
            public typealias Output = Subscribable
            public typealias Failure = Error

            let subscribable: Subscribable
            let keyPaths: [String]?
            var queue: DispatchQueue?
            var save: ((NotificationToken) -> Void)?

            init(_ subscribable: Subscribable, keyPaths: [String]? = nil) {
                self.subscribable = subscribable
                self.keyPaths = keyPaths
            }

            /// Returns the publisher, which assigns the token of each subscription to a property of
            /// `object`. Pass the token to `Realm.write(withoutNotifying:_:)` to exclude the subscriber.
            public func saveToken<T>(
                on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> ValueWithToken<Subscribable, T> {
                var publisher = self
                publisher.save = saver(object, keyPath)
                return publisher
            }

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                ObservationSubscription.start(subscriber, savingToken: save) {
                    subscribable._observe(keyPaths, on: queue, subscriber)
                }
            }

            /// Returns the publisher with a serial queue on which it observes and publishes. Its values are confined to
            /// that queue.
            public func subscribe<S: Scheduler>(on scheduler: S) -> Value<Subscribable> {
                var publisher = self
                publisher.queue = serialQueue(scheduler)
                return publisher
            }

            /// Returns a publisher of the values on a scheduler. The values belong to a Realm opened for it.
            public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> { Handover(self, scheduler) }
        }

        /// Another name for `Value`, for code that spells out the type that `saveToken(on:at:)` returns in Realm's SDK.
        public typealias ValueWithToken<Subscribable: RealmSubscribable, T> = Value<Subscribable>
        where Subscribable: ThreadConfined
    }

    /// Returns a publisher of an object after each change.
    ///
    /// - Precondition: The object is managed and not deleted.
    public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
        requirePublishable(object)
        return RealmPublishers.Value(object, keyPaths: keyPaths)
    }

    /// Returns a publisher of a projection after each change of its properties.
    ///
    /// - Precondition: The object of the projection is managed and not deleted.
    public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(
        _ projection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.Value<T> {
        requirePublishable(projection)
        return RealmPublishers.Value(projection, keyPaths: keyPaths)
    }

    /// Returns a publisher of a collection, initially and after each change.
    ///
    /// - Precondition: The collection is managed.
    public func valuePublisher<T: RealmCollection & RealmSubscribable>(
        _ collection: T, keyPaths: [String]? = nil
    ) -> RealmPublishers.Value<T> {
        requirePublishable(collection: collection)
        return RealmPublishers.Value(collection, keyPaths: keyPaths)
    }

    /// Traps for an object that can never change.
    func requirePublishable(_ object: some ThreadConfined) {
        if object.realm == nil { throwRealmException("Only managed objects can be published") }
        if object.isInvalidated { throwRealmException("Object is invalidated or deleted") }
    }

    func requirePublishable(collection: some ThreadConfined) {
        if collection.realm == nil { throwRealmException("Only managed collections can be published") }
    }
#endif
