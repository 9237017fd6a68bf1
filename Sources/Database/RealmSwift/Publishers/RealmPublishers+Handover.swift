// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension RealmPublishers {
        /// A publisher of another publisher's values on a scheduler. The values belong to a Realm opened for
        /// that scheduler.
        @frozen public struct Handover<Upstream: Publisher, S: Scheduler>: Publisher
        where Upstream.Output: ThreadConfined {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            let upstream: Upstream
            let scheduler: S

            init(_ upstream: Upstream, _ scheduler: S) {
                self.upstream = upstream
                self.scheduler = scheduler
            }

            public func receive<Sub>(subscriber: Sub)
            where Sub: Subscriber, Sub.Failure == Failure, Output == Sub.Input {
                upstream.handOver(on: scheduler, to: subscriber) { _InTransit.of($0) }
            }
        }

        /// The publisher that `receive(on:)` returns after `threadSafeReference()`.
        public typealias DeferredHandover<Upstream: Publisher, S: Scheduler> = Handover<Upstream, S>
        where Upstream.Output: ThreadConfined

        /// A publisher of another publisher's values, whose `receive(on:)` finds them in a Realm opened for
        /// the scheduler. `threadSafeReference()` returns it.
        @frozen public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            let upstream: Upstream

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                upstream.receive(subscriber: subscriber)
            }

            /// Returns a publisher of the values on a scheduler. The values belong to a Realm opened for it.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> {
                Handover(upstream, scheduler)
            }
        }

        /// A publisher that delivers another publisher's changes on a scheduler. The objects and collections of the
        /// changes belong to a Realm opened for that scheduler.
        @frozen public struct DeferredHandoverChangeset<Upstream: Publisher, S: Scheduler>: Publisher
        where Upstream.Output: _HandedOver {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            let upstream: Upstream
            let scheduler: S

            init(_ upstream: Upstream, _ scheduler: S) {
                self.upstream = upstream
                self.scheduler = scheduler
            }

            public func receive<Sub>(subscriber: Sub)
            where Sub: Subscriber, Sub.Failure == Failure, Output == Sub.Input {
                upstream.handOver(on: scheduler, to: subscriber) { $0._handOver() }
            }
        }

        /// A publisher of another publisher's changes, whose `receive(on:)` finds their objects and
        /// collections in a Realm opened for the scheduler. `threadSafeReference()` returns it.
        @frozen public struct MakeThreadSafeChangeset<Upstream: Publisher>: Publisher
        where Upstream.Output: _HandedOver {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            let upstream: Upstream

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                upstream.receive(subscriber: subscriber)
            }

            /// Returns a publisher of the changes on a scheduler, with the objects and collections of a
            /// Realm opened for it.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Upstream, S> {
                DeferredHandoverChangeset(upstream, scheduler)
            }
        }
    }

    extension Publisher {
        /// Publishes the values on a scheduler, resolved in a Realm opened for it. Deleted values are
        /// omitted.
        fileprivate func handOver<Sub: Subscriber>(
            on scheduler: some Scheduler, to subscriber: Sub, _ send: @escaping (Output) -> _InTransit<Output>?
        ) where Sub.Failure == Failure, Sub.Input == Output {
            compactMap(send)
                .receive(on: scheduler)
                .compactMap { $0.taken(on: scheduler) }
                .receive(subscriber: subscriber)
        }
    }

    // MARK: Former names

    extension RealmPublishers {
        /// A former name of `MakeThreadSafeChangeset`, for code that spells out the type of a chain of publishers.
        public typealias MakeThreadSafeObjectChangeset<Upstream: Publisher, T: ThreadConfined> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == ObjectChange<T>
        /// A former name of `MakeThreadSafeChangeset`, for code that spells out the type of a chain of publishers.
        public typealias MakeThreadSafeCollectionChangeset<Upstream: Publisher, T: RealmCollection> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == RealmCollectionChange<T>
        /// A former name of `MakeThreadSafeChangeset`, for code that spells out the type of a chain of publishers.
        public typealias MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, T: RealmKeyedCollection> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == RealmMapChange<T>
        /// A former name of `MakeThreadSafeChangeset`, for code that spells out the type of a chain of publishers.
        public typealias MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == SectionedResultsChange<T>

        /// A former name of `DeferredHandoverChangeset`, for code that spells out the type of a chain of publishers.
        public typealias DeferredHandoverObjectChangeset<Upstream: Publisher, T: ThreadConfined, S: Scheduler> =
            DeferredHandoverChangeset<Upstream, S> where Upstream.Output == ObjectChange<T>
        /// A former name of `DeferredHandoverChangeset`, for code that spells out the type of a chain of publishers.
        public typealias DeferredHandoverCollectionChangeset<Upstream: Publisher, T: RealmCollection, S: Scheduler> =
            DeferredHandoverChangeset<Upstream, S> where Upstream.Output == RealmCollectionChange<T>
        /// A former name of `DeferredHandoverChangeset`, for code that spells out the type of a chain of publishers.
        public typealias DeferredHandoverKeyedCollectionChangeset<
            Upstream: Publisher, T: RealmKeyedCollection, S: Scheduler
        > = DeferredHandoverChangeset<Upstream, S> where Upstream.Output == RealmMapChange<T>
        /// A former name of `DeferredHandoverChangeset`, for code that spells out the type of a chain of publishers.
        public typealias DeferredHandoverSectionedResultsChangeset<
            Upstream: Publisher, T: RealmSectionedResult, S: Scheduler
        > = DeferredHandoverChangeset<Upstream, S> where Upstream.Output == SectionedResultsChange<T>
        /// A former name of `DeferredHandoverChangeset`, for code that spells out the type of a chain of publishers.
        public typealias DeferredHandoverSectionChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler> =
            DeferredHandoverChangeset<Upstream, S> where Upstream.Output == SectionedResultsChange<T>
    }

    extension Publisher where Output: ThreadConfined {
        /// Returns a publisher of the same values, on which you can call `receive(on:)`. Live values are
        /// confined to a Realm; the following `receive(on:)` finds them in a Realm opened for its scheduler.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
            RealmPublishers.MakeThreadSafe(upstream: self)
        }
    }

    extension Publisher where Output: _HandedOver {
        /// Returns a publisher of the same changes, on which you can call `receive(on:)`. Live objects and
        /// collections are confined to a Realm; the following `receive(on:)` finds them in a Realm opened
        /// for its scheduler.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafeChangeset<Self> {
            RealmPublishers.MakeThreadSafeChangeset(upstream: self)
        }
    }
#endif
