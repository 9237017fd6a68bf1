// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    import Dispatch
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension RealmPublishers {
        /// The opening behind a subscription. Cancelling ends it.
        @frozen public struct AsyncOpenSubscription: Subscription {
            let task: Realm.AsyncOpenTask
            public let combineIdentifier = CombineIdentifier()

            /// Does nothing: demand is ignored.
            public func request(_ demand: Subscribers.Demand) {}

            public func cancel() { task.cancel() }
        }

        /// Opens a Realm on a background thread and publishes it, on the main queue unless `receive(on:)` says
        /// otherwise.
        @frozen public struct AsyncOpenPublisher: Publisher {
            public typealias Output = Realm
            public typealias Failure = Error

            let configuration: Realm.Configuration
            var queue = DispatchQueue.main

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
                    switch result {
                    case .success(let realm):
                        _ = subscriber.receive(realm)
                        subscriber.receive(completion: .finished)
                    case .failure(let error): subscriber.receive(completion: .failure(error))
                    }
                }
                subscriber.receive(subscription: AsyncOpenSubscription(task: task))
            }

            /// Publishes on a serial queue, a Realm that is confined to that.
            public func receive<S: Scheduler>(on scheduler: S) -> Self {
                var publisher = self
                publisher.queue = serialQueue(scheduler)
                return publisher
            }
        }
    }

    extension Realm {
        /// Publishes a Realm that is opened on a background thread, migrated and compacted there if that is due.
        public static func asyncOpen(
            configuration: Realm.Configuration = .defaultConfiguration
        ) -> RealmPublishers.AsyncOpenPublisher {
            RealmPublishers.AsyncOpenPublisher(configuration: configuration)
        }
    }
#endif
