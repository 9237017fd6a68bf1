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

    /// The publishers of changes in a Realm, for Combine on Apple's platforms and OpenCombine elsewhere.
    ///
    /// ```swift
    /// realm.objects(Dog.self).collectionPublisher
    ///     .freeze()
    ///     .receive(on: queue)
    ///     .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    /// ```
    ///
    /// Without `subscribe(on:)`, they publish on the Realm's queue, thread, or actor. Demand is ignored: changes are
    /// published as they occur, and several quick changes may be combined.
    public enum RealmPublishers {
        /// The subscription to an observation. Cancelling it ends the observation.
        @frozen public struct ObservationSubscription: Subscription {
            let holder: TokenHolder

            init() { holder = TokenHolder() }

            public var combineIdentifier: CombineIdentifier { CombineIdentifier(holder) }

            /// Does nothing, because demand is ignored.
            public func request(_ demand: Subscribers.Demand) {}

            public func cancel() { holder.end() }

            /// Starts the observation of a new subscription. The subscriber receives the subscription before any value.
            static func start<S: Subscriber>(
                _ subscriber: S, savingToken save: ((NotificationToken) -> Void)? = nil,
                _ observe: () -> NotificationToken
            ) {
                let subscription = ObservationSubscription()
                subscriber.receive(subscription: subscription)
                let token = observe()
                save?(token)
                subscription.holder.hold(token)
            }
        }

        /// Returns a closure that assigns tokens to the app's property.
        static func saver<T>(
            _ object: T, _ keyPath: WritableKeyPath<T, NotificationToken?>
        ) -> (NotificationToken) -> Void {
            { token in
                var object = object
                object[keyPath: keyPath] = token
            }
        }

        /// Returns the queue of a scheduler, for observations. Traps for schedulers other than serial queues.
        static func serialQueue<S: Scheduler>(_ scheduler: S) -> DispatchQueue {
            guard let queue = queue(scheduler), !queue.label.hasPrefix("com.apple.root.") else {
                throwRealmException(
                    """
                    Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are currently implemented.
                    """)
            }
            return queue
        }

        static func queue<S: Scheduler>(_ scheduler: S) -> DispatchQueue? {
            #if canImport(OpenCombineDispatch)
                if let wrapper = scheduler as? DispatchQueue.OCombine { return wrapper.queue }
            #endif
            return scheduler as? DispatchQueue
        }
    }

    // MARK: Publishers without values

    extension RealmPublishers {
        /// A publisher that publishes whenever a Realm notifies its observers; see `Realm.observe(_:)`.
        @frozen public struct RealmWillChange: Publisher {
            public typealias Output = Void
            public typealias Failure = Never

            let realm: Realm
            var save: ((NotificationToken) -> Void)?

            /// Returns the publisher, which assigns the token of each subscription to a property of
            /// `object`. Pass the token to `Realm.write(withoutNotifying:_:)` to exclude the subscriber.
            public func saveToken<T>(
                on object: T, for keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> RealmWillChangeWithToken<T> {
                RealmWillChange(realm: realm, save: saver(object, keyPath))
            }

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, Output == S.Input {
                ObservationSubscription.start(subscriber, savingToken: save) {
                    realm.observe { _, _ in _ = subscriber.receive() }
                }
            }
        }

        /// A publisher like `RealmWillChange`, which saves the token.
        public typealias RealmWillChangeWithToken<T> = RealmWillChange

        /// A publisher that publishes after each change of an object or a collection.
        @frozen public struct WillChange<Collection: RealmSubscribable>: Publisher where Collection: ThreadConfined {
            public typealias Output = Void
            public typealias Failure = Never

            let collection: Collection
            var save: ((NotificationToken) -> Void)?

            init(_ collection: Collection) { self.collection = collection }

            /// Returns the publisher, which assigns the token of each subscription to a property of
            /// `object`. Pass the token to `Realm.write(withoutNotifying:_:)` to exclude the subscriber.
            public func saveToken<T>(
                on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>
            ) -> WillChangeWithToken<Collection, T> {
                var publisher = self
                publisher.save = saver(object, keyPath)
                return publisher
            }

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, Output == S.Input {
                ObservationSubscription.start(subscriber, savingToken: save) { collection._observe(nil, subscriber) }
            }
        }

        /// A publisher like `WillChange`, which saves the token.
        public typealias WillChangeWithToken<Collection: RealmSubscribable, T> = WillChange<Collection>
        where Collection: ThreadConfined
    }

    extension Realm {
        /// A publisher that, despite its name, publishes after the Realm has advanced to another version.
        public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(realm: self) }
    }
#endif
