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
        /// The subscription to the opening of a Realm. Cancelling it cancels the opening.
        @frozen public struct AsyncOpenSubscription: Subscription {
            let task: Realm.AsyncOpenTask
            let end: ChangeEnd
            public let combineIdentifier = CombineIdentifier()

            /// Does nothing, because demand is ignored.
            public func request(_ demand: Subscribers.Demand) {}

            public func cancel() {
                // Called first: the task reports its cancellation to the callback, and a cancelled
                // subscriber receives nothing.
                end.call()
                task.cancel()
            }
        }

        /// A publisher that opens a Realm on a background thread and publishes it, on the main queue unless changed by
        /// `receive(on:)`.
        @frozen public struct AsyncOpenPublisher: Publisher {
            public typealias Output = Realm
            public typealias Failure = Error

            let configuration: Realm.Configuration
            var queue = DispatchQueue.main
            var progress: (@Sendable (SyncSession.Progress) -> Void)?

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                let end = ChangeEnd()
                let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
                    guard !end.isOver else { return }
                    switch result {
                    case .success(let realm):
                        _ = subscriber.receive(realm)
                        subscriber.receive(completion: .finished)
                    case .failure(let error): subscriber.receive(completion: .failure(error))
                    }
                }
                if let progress { task.addProgressNotification(queue: queue, block: progress) }
                subscriber.receive(subscription: AsyncOpenSubscription(task: task, end: end))
            }

            /// Calls `block`, on the queue of the publisher, with the progress of the download that precedes the
            /// opening of a synchronised Realm.
            public func onProgressNotification(
                _ block: @escaping @Sendable (SyncSession.Progress) -> Void
            ) -> Self {
                var publisher = self
                publisher.progress = block
                return publisher
            }

            /// Returns the publisher with a serial queue on which it publishes, and to which the Realm is confined.
            public func receive<S: Scheduler>(on scheduler: S) -> Self {
                var publisher = self
                publisher.queue = serialQueue(scheduler)
                return publisher
            }
        }
    }

    extension Realm {
        /// Returns a publisher that opens a Realm on a background thread, which also migrates and compacts it if
        /// necessary.
        public static func asyncOpen(
            configuration: Realm.Configuration = .defaultConfiguration
        ) -> RealmPublishers.AsyncOpenPublisher {
            RealmPublishers.AsyncOpenPublisher(configuration: configuration)
        }
    }
#endif
