// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(OpenCombine)
    import Foundation

    extension Publishers {
        /// A publisher of the latest values of two publishers. It publishes each time one of them publishes, after both
        /// have published a value.
        ///
        /// Finishes when both publishers have finished, or when one finishes without having published a value. Fails
        /// with the first failure.
        public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
            public typealias Output = (A.Output, B.Output)
            public typealias Failure = A.Failure

            /// The first publisher.
            public let a: A
            /// The second publisher.
            public let b: B

            /// Creates a publisher that combines two publishers.
            public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

            /// Subscribes to both publishers.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                let latest = Latest(subscriber, count: 2) { values -> Output? in
                    guard let a = values[0] as? A.Output, let b = values[1] as? B.Output else { return nil }
                    return (a, b)
                }
                latest.start([{ latest.follow(a, 0) }, { latest.follow(b, 1) }])
            }
        }

        /// A publisher of the latest values of three publishers. It publishes each time one of them publishes, after
        /// all have published a value.
        public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
        where A.Failure == B.Failure, B.Failure == C.Failure {
            public typealias Output = (A.Output, B.Output, C.Output)
            public typealias Failure = A.Failure

            /// The first publisher.
            public let a: A
            /// The second publisher.
            public let b: B
            /// The third publisher.
            public let c: C

            /// Creates a publisher that combines three publishers.
            public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

            /// Subscribes to all publishers.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
            }
        }

        /// A publisher of the latest values of four publishers. It publishes each time one of them publishes, after all
        /// have published a value.
        public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
        where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
            public typealias Output = (A.Output, B.Output, C.Output, D.Output)
            public typealias Failure = A.Failure

            /// The first publisher.
            public let a: A
            /// The second publisher.
            public let b: B
            /// The third publisher.
            public let c: C
            /// The fourth publisher.
            public let d: D

            /// Creates a publisher that combines four publishers.
            public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

            /// Subscribes to all publishers.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                CombineLatest(CombineLatest3(a, b, c), d).map { ($0.0, $0.1, $0.2, $1) }
                    .receive(subscriber: subscriber)
            }
        }
    }

    extension Publisher {
        /// Returns a publisher of the latest values of this publisher and another.
        public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
        where P.Failure == Failure { Publishers.CombineLatest(self, other) }

        /// Returns a publisher of the latest values of this publisher and another, combined by a function.
        public func combineLatest<P: Publisher, T>(
            _ other: P, _ transform: @escaping (Output, P.Output) -> T
        ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
            combineLatest(other).map { transform($0, $1) }
        }

        /// Returns a publisher of the latest values of this publisher and two others.
        public func combineLatest<P: Publisher, Q: Publisher>(
            _ publisher1: P, _ publisher2: Q
        ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
            Publishers.CombineLatest3(self, publisher1, publisher2)
        }

        /// Returns a publisher of the latest values of this publisher and two others, combined by a function.
        public func combineLatest<P: Publisher, Q: Publisher, T>(
            _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
        ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
            combineLatest(publisher1, publisher2).map { transform($0, $1, $2) }
        }

        /// Returns a publisher of the latest values of this publisher and three others.
        public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
            _ publisher1: P, _ publisher2: Q, _ publisher3: R
        ) -> Publishers.CombineLatest4<Self, P, Q, R>
        where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
            Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
        }

        /// Returns a publisher of the latest values of this publisher and three others, combined by a function.
        public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
            _ publisher1: P, _ publisher2: Q, _ publisher3: R,
            _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
        ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
        where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
            combineLatest(publisher1, publisher2, publisher3).map { transform($0, $1, $2, $3) }
        }
    }

    /// The subscription to the latest values of several publishers. While the subscriber has no demand, a new value
    /// replaces the previous one, and is sent at the next request.
    // The lock guards the state, and `sending` serializes calls of the subscriber.
    private final class Latest<S: Subscriber>: Subscription, @unchecked Sendable {
        private struct State {
            var subscriber: S?
            var values: [Any?]
            var isFinished: [Bool]
            var upstreams: [any Subscription] = []
            var demand = Subscribers.Demand.none
            var hasNews = false
        }

        private let make: ([Any?]) -> S.Input?
        private let lock = NSLock()
        private let sending = NSRecursiveLock()
        private var state: State

        init(_ subscriber: S, count: Int, make: @escaping ([Any?]) -> S.Input?) {
            self.make = make
            state = State(
                subscriber: subscriber, values: Array(repeating: nil, count: count),
                isFinished: Array(repeating: false, count: count))
        }

        func start(_ subscriptions: [() -> Void]) {
            lock.withLock { state.subscriber }?.receive(subscription: self)
            for subscribe in subscriptions { subscribe() }
        }

        func follow<P: Publisher>(_ publisher: P, _ index: Int) where P.Failure == S.Failure {
            publisher.subscribe(
                AnySubscriber<P.Output, P.Failure>(
                    receiveSubscription: { [self] in add($0) },
                    receiveValue: { [self] in
                        receive($0, at: index)
                        return .none
                    },
                    receiveCompletion: { [self] in finish($0, at: index) }))
        }

        private func add(_ upstream: any Subscription) {
            let isActive = lock.withLock {
                if state.subscriber != nil { state.upstreams.append(upstream) }
                return state.subscriber != nil
            }
            if isActive { upstream.request(.unlimited) } else { upstream.cancel() }
        }

        private func receive(_ value: Any, at index: Int) {
            lock.withLock {
                state.values[index] = .some(value)
                state.hasNews = !state.values.contains { $0 == nil }
            }
            send()
        }

        /// Sends the latest values while there are new ones and the subscriber has demand.
        private func send() {
            sending.lock()
            defer { sending.unlock() }
            while let (subscriber, values) = next(), let input = make(values) {
                let more = subscriber.receive(input)
                lock.withLock { state.demand += more }
            }
        }

        private func next() -> (S, [Any?])? {
            lock.withLock {
                guard let subscriber = state.subscriber, state.hasNews, state.demand > 0 else { return nil }
                state.hasNews = false
                state.demand -= 1
                return (subscriber, state.values)
            }
        }

        private func finish(_ completion: Subscribers.Completion<S.Failure>, at index: Int) {
            sending.lock()
            defer { sending.unlock() }
            let ended = lock.withLock { () -> (S, [any Subscription])? in
                state.isFinished[index] = true
                var isOver = state.values[index] == nil || !state.isFinished.contains(false)
                if case .failure = completion { isOver = true }
                guard isOver, let subscriber = state.subscriber else { return nil }
                defer { (state.subscriber, state.upstreams) = (nil, []) }
                return (subscriber, state.upstreams)
            }
            guard let (subscriber, upstreams) = ended else { return }
            for upstream in upstreams { upstream.cancel() }
            subscriber.receive(completion: completion)
        }

        func request(_ demand: Subscribers.Demand) {
            lock.withLock { state.demand += demand }
            send()
        }

        func cancel() {
            let upstreams = lock.withLock {
                defer { (state.subscriber, state.upstreams) = (nil, []) }
                return state.upstreams
            }
            for upstream in upstreams { upstream.cancel() }
        }
    }
#endif
