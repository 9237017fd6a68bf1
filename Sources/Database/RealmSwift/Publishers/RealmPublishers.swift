// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    /// The publishers of what happens in a Realm, over Combine on Apple's platforms and over OpenCombine elsewhere.
    ///
    /// ```swift
    /// realm.objects(Dog.self).collectionPublisher
    ///     .freeze()
    ///     .receive(on: queue)
    ///     .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    /// ```
    ///
    /// Without `subscribe(on:)` they publish where the Realm is confined. Demand is ignored: changes are published as
    /// they come, several of them as one when they come fast.
    public enum RealmPublishers {
        /// The observation behind a subscription. Cancelling ends it.
        @frozen public struct ObservationSubscription: Subscription {
            let holder: TokenHolder

            init() { holder = TokenHolder() }

            public var combineIdentifier: CombineIdentifier { CombineIdentifier(holder) }

            /// Does nothing: demand is ignored.
            public func request(_ demand: Subscribers.Demand) {}

            public func cancel() { holder.end() }

            /// Begins the observation of a new subscription. The subscriber knows of that before any value comes.
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

        /// Puts tokens where the user wants them.
        static func saver<T>(
            _ object: T, _ keyPath: WritableKeyPath<T, NotificationToken?>
        ) -> (NotificationToken) -> Void {
            { token in
                var object = object
                object[keyPath: keyPath] = token
            }
        }

        /// The queue that a scheduler is, for observations. Traps for others than serial ones.
        static func serialQueue<S: Scheduler>(_ scheduler: S) -> DispatchQueue {
            guard let queue = queue(scheduler), !queue.label.hasPrefix("com.apple.root.") else {
                throwRealmException(
                    """
                    Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are currently implemented.
                    """)
            }
            return queue
        }

        /// The queue that a scheduler is; nil for others.
        static func queue<S: Scheduler>(_ scheduler: S) -> DispatchQueue? {
            #if canImport(OpenCombineDispatch)
                if let wrapper = scheduler as? DispatchQueue.OCombine { return wrapper.queue }
            #endif
            return scheduler as? DispatchQueue
        }
    }

    // MARK: That something has changed

    extension RealmPublishers {
        /// Publishes that a Realm shows another version.
        @frozen public struct RealmWillChange: Publisher {
            public typealias Output = Void
            public typealias Failure = Never

            let realm: Realm
            var save: ((NotificationToken) -> Void)?

            /// Saves the token of the observation, to write without being notified.
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

        /// Publishes that a Realm shows another version like `RealmWillChange`, and saves the token.
        public typealias RealmWillChangeWithToken<T> = RealmWillChange

        /// Publishes that an object or a collection has changed.
        @frozen public struct WillChange<Collection: RealmSubscribable>: Publisher where Collection: ThreadConfined {
            public typealias Output = Void
            public typealias Failure = Never

            let collection: Collection
            var save: ((NotificationToken) -> Void)?

            init(_ collection: Collection) { self.collection = collection }

            /// Saves the token of the observation, to write without being notified.
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

        /// Publishes that an object or a collection has changed like `WillChange`, and saves the token.
        public typealias WillChangeWithToken<Collection: RealmSubscribable, T> = WillChange<Collection>
        where Collection: ThreadConfined
    }

    extension Realm {
        /// Publishes that the Realm shows another version; after the change, in spite of its name.
        public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(realm: self) }
    }
#endif
