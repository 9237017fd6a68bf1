// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension Publishers {
        /// A publisher of the changes of a collection's documents. Each subscription opens a stream, and cancelling it
        /// closes the stream.
        ///
        /// It publishes on any thread unless `subscribe(on:)` specifies a scheduler. Demand is ignored: changes are
        /// published as they occur.
        public struct WatchPublisher: Publisher, Sendable {
            public typealias Output = AnyBSON
            public typealias Failure = any Error

            fileprivate typealias Events = AsyncThrowingStream<AnyBSON, any Error>

            private let open: @Sendable (@escaping @Sendable () -> Void) -> Events
            private var didOpen: @Sendable () -> Void = {}
            private var schedule: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }

            fileprivate init(_ open: @escaping @Sendable (@escaping @Sendable () -> Void) -> Events) {
                self.open = open
            }

            /// Returns a publisher that calls a function when the server has opened the stream.
            public func onOpen(_ event: @escaping @Sendable () -> Void) -> Self {
                var publisher = self
                publisher.didOpen = event
                return publisher
            }

            public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
                let end = ChangeEnd()
                subscriber.receive(subscription: WatchSubscription(end: end))
                // Called from any thread, like all subscribers of Combine.
                nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
                let (schedule, didOpen) = (schedule, didOpen)
                let events = open { schedule(didOpen) }
                let task = Task { [weak end] in
                    let failure: (any Error)?
                    do {
                        for try await event in events {
                            schedule { [weak end] in if end?.isOver == false { _ = unsafe subscriber.receive(event) } }
                        }
                        failure = nil
                    } catch {
                        failure = error
                    }
                    schedule { [weak end] in
                        guard end?.isOver == false else { return }
                        unsafe subscriber.receive(completion: failure.map { .failure($0) } ?? .finished)
                    }
                }
                end.hold { task.cancel() }
            }

            /// Returns a publisher that publishes on a scheduler.
            public func subscribe<S: Scheduler>(on scheduler: S) -> WatchPublisher {
                // Schedulers accept work from any thread.
                nonisolated(unsafe) let run = { (work: @escaping @Sendable () -> Void) in scheduler.schedule(work) }
                var publisher = self
                publisher.schedule = { work in unsafe run(work) }
                return publisher
            }
        }
    }

    private struct WatchSubscription: Subscription {
        let end: ChangeEnd

        var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

        func request(_ demand: Subscribers.Demand) {}

        func cancel() { end.call() }
    }

    extension MongoCollection {
        /// Returns a publisher of the changes of all documents. On a server with partitions, use `watch(matchFilter:)`.
        public func watch() -> Publishers.WatchPublisher {
            Publishers.WatchPublisher { self.changeEvents(onOpen: $0) }
        }

        /// Returns a publisher of the changes of the documents with the given values of `_id`.
        public func watch(filterIds: [ObjectId]) -> Publishers.WatchPublisher {
            Publishers.WatchPublisher { self.changeEvents(filterIds: filterIds, onOpen: $0) }
        }

        /// Returns a publisher of the changes of the documents that satisfy a filter of events, such as
        /// `["fullDocument.name": "Rex"]`.
        public func watch(matchFilter: Document) -> Publishers.WatchPublisher {
            Publishers.WatchPublisher { self.changeEvents(matchFilter: matchFilter, onOpen: $0) }
        }
    }
#endif
