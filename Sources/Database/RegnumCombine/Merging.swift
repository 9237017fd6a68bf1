// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(OpenCombine)
    extension Publishers {
        /// A publisher of the values of several publishers of the same type, in order of arrival.
        ///
        /// Finishes when all publishers have finished. Fails with the first failure.
        public struct MergeMany<Upstream: Publisher>: Publisher {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            /// The merged publishers.
            public let publishers: [Upstream]

            /// Creates a publisher that merges publishers.
            public init(_ upstream: Upstream...) { publishers = upstream }
            /// Creates a publisher that merges a sequence of publishers.
            public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

            /// Subscribes to all publishers.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                publishers.publisher.setFailureType(to: Failure.self).flatMap { $0 }.receive(subscriber: subscriber)
            }

            /// Returns a publisher that also merges another publisher.
            public func merge(with other: Upstream) -> MergeMany { MergeMany(publishers + [other]) }
        }

        /// The type returned by `merge(with:)` for publishers of several types.
        public typealias _Merged<Output, Failure: Error> = MergeMany<AnyPublisher<Output, Failure>>
    }

    extension Publisher {
        private func merged<P: Publisher>(_ other: P) -> Publishers._Merged<Output, Failure>
        where P.Output == Output, P.Failure == Failure {
            Publishers.MergeMany(eraseToAnyPublisher(), other.eraseToAnyPublisher())
        }

        /// Returns a publisher of the values of this publisher and another publisher of the same type, in order of
        /// arrival.
        public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }

        /// Returns a publisher of the values of this publisher and of another, in order of arrival.
        public func merge<P: Publisher>(with other: P) -> Publishers._Merged<Output, Failure>
        where P.Output == Output, P.Failure == Failure { merged(other) }

        /// Returns a publisher of the values of this publisher and of two others, in order of arrival.
        public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers._Merged<Output, Failure>
        where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure { merged(b).merged(c) }

        /// Returns a publisher of the values of this publisher and of three others, in order of arrival.
        public func merge<B: Publisher, C: Publisher, D: Publisher>(with b: B, _ c: C, _ d: D)
            -> Publishers._Merged<Output, Failure>
        where
            B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
            D.Failure == Failure
        { merge(with: b, c).merged(d) }

        /// Returns a publisher of the values of this publisher and of four others, in order of arrival.
        public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(with b: B, _ c: C, _ d: D, _ e: E)
            -> Publishers._Merged<Output, Failure>
        where
            B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
            D.Failure == Failure, E.Output == Output, E.Failure == Failure
        { merge(with: b, c, d).merged(e) }

        /// Returns a publisher of the values of this publisher and of five others, in order of arrival.
        public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
            with b: B, _ c: C, _ d: D, _ e: E, _ f: F
        ) -> Publishers._Merged<Output, Failure>
        where
            B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
            D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure
        { merge(with: b, c, d, e).merged(f) }

        /// Returns a publisher of the values of this publisher and of six others, in order of arrival.
        public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
            with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
        ) -> Publishers._Merged<Output, Failure>
        where
            B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
            D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
            G.Output == Output, G.Failure == Failure
        { merge(with: b, c, d, e, f).merged(g) }

        /// Returns a publisher of the values of this publisher and of seven others, in order of arrival.
        public func merge<
            B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
        >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) -> Publishers._Merged<Output, Failure>
        where
            B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
            D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
            G.Output == Output, G.Failure == Failure, H.Output == Output, H.Failure == Failure
        { merge(with: b, c, d, e, f, g).merged(h) }
    }
#endif
