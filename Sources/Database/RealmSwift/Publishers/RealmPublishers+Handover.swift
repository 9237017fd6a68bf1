// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension RealmPublishers {
        /// Publishes the values of another publisher on a scheduler, as values of the Realm of that place.
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
                upstream.handOver(on: scheduler, to: subscriber) { _OnItsWay.of($0) }
            }
        }

        /// Hands over values like `Handover`; they were made thread-safe before.
        public typealias DeferredHandover<Upstream: Publisher, S: Scheduler> = Handover<Upstream, S>
        where Upstream.Output: ThreadConfined

        /// Publishes what another publisher does, and lets `receive(on:)` hand it over.
        @frozen public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            let upstream: Upstream

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                upstream.receive(subscriber: subscriber)
            }

            /// Publishes on a scheduler, values of the Realm of that place.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> {
                Handover(upstream, scheduler)
            }
        }

        /// Publishes the changes of another publisher on a scheduler, as changes of what belongs to the Realm of that
        /// place.
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

        /// Publishes what another publisher of changes does, and lets `receive(on:)` hand it over.
        @frozen public struct MakeThreadSafeChangeset<Upstream: Publisher>: Publisher
        where Upstream.Output: _HandedOver {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            let upstream: Upstream

            public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, Output == S.Input {
                upstream.receive(subscriber: subscriber)
            }

            /// Publishes on a scheduler, changes of what belongs to the Realm of that place.
            public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Upstream, S> {
                DeferredHandoverChangeset(upstream, scheduler)
            }
        }
    }

    extension Publisher {
        /// Publishes the values on a scheduler, as what they are at its place. What is gone is left out.
        fileprivate func handOver<Sub: Subscriber>(
            on scheduler: some Scheduler, to subscriber: Sub, _ send: @escaping (Output) -> _OnItsWay<Output>?
        ) where Sub.Failure == Failure, Sub.Input == Output {
            compactMap(send)
                .receive(on: scheduler)
                .compactMap { $0.taken(on: scheduler) }
                .receive(subscriber: subscriber)
        }
    }

    // MARK: The names that Realm has for each kind of change

    extension RealmPublishers {
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias MakeThreadSafeObjectChangeset<Upstream: Publisher, T: ThreadConfined> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == ObjectChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias MakeThreadSafeCollectionChangeset<Upstream: Publisher, T: RealmCollection> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == RealmCollectionChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, T: RealmKeyedCollection> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == RealmMapChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult> =
            MakeThreadSafeChangeset<Upstream> where Upstream.Output == SectionedResultsChange<T>

        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias DeferredHandoverObjectChangeset<Upstream: Publisher, T: ThreadConfined, S: Scheduler> =
            DeferredHandoverChangeset<Upstream, S> where Upstream.Output == ObjectChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias DeferredHandoverCollectionChangeset<Upstream: Publisher, T: RealmCollection, S: Scheduler> =
            DeferredHandoverChangeset<Upstream, S> where Upstream.Output == RealmCollectionChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias DeferredHandoverKeyedCollectionChangeset<
            Upstream: Publisher, T: RealmKeyedCollection, S: Scheduler
        > = DeferredHandoverChangeset<Upstream, S> where Upstream.Output == RealmMapChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias DeferredHandoverSectionedResultsChangeset<
            Upstream: Publisher, T: RealmSectionedResult, S: Scheduler
        > = DeferredHandoverChangeset<Upstream, S> where Upstream.Output == SectionedResultsChange<T>
        /// A former name: the type of a chain of publishers in code that spells it.
        public typealias DeferredHandoverSectionChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler> =
            DeferredHandoverChangeset<Upstream, S> where Upstream.Output == SectionedResultsChange<T>
    }

    extension Publisher where Output: ThreadConfined {
        /// Lets a `receive(on:)` that follows hand the values over to the Realm of its place.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
            RealmPublishers.MakeThreadSafe(upstream: self)
        }
    }

    extension Publisher where Output: _HandedOver {
        /// Lets a `receive(on:)` that follows hand the changes over to the Realm of its place.
        public func threadSafeReference() -> RealmPublishers.MakeThreadSafeChangeset<Self> {
            RealmPublishers.MakeThreadSafeChangeset(upstream: self)
        }
    }
#endif
