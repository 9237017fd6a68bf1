// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RealmSwift
        import RegnumCombine
    #endif

    extension SyncSession {
        /// Options that select the values published for a key path, named after those of Foundation's key-value
        /// observing.
        public struct ObservingOptions: OptionSet, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// Publishes the value after each change. A publisher always does this.
            public static let new = ObservingOptions(rawValue: 1)
            /// Also publishes the value at the time of the subscription.
            public static let initial = ObservingOptions(rawValue: 4)
        }

        /// Returns a publisher of the state of the connection after each change, on any thread.
        ///
        /// - Parameters:
        ///   - keyPath: `\.connectionState`; no other property can be observed.
        ///   - options: Whether the present value is published first.
        public func publisher(
            for keyPath: KeyPath<SyncSession, ConnectionState>, options: ObservingOptions = [.initial, .new]
        ) -> AnyPublisher<ConnectionState, Never> {
            ConnectionStatePublisher(session: self, isInitial: options.contains(.initial)).eraseToAnyPublisher()
        }
    }

    private struct ConnectionStatePublisher: Publisher {
        typealias Output = SyncSession.ConnectionState
        typealias Failure = Never

        let session: SyncSession
        let isInitial: Bool

        func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, Output == S.Input {
            let end = ChangeEnd()
            subscriber.receive(subscription: ConnectionStateSubscription(end: end))
            // Called from any thread, as Combine's subscribers are.
            nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
            if isInitial { _ = unsafe subscriber.receive(session.connectionState) }
            end.hold(session.observeConnectionState { _ = unsafe subscriber.receive($0) })
        }
    }

    private struct ConnectionStateSubscription: Subscription {
        let end: ChangeEnd

        var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

        func request(_ demand: Subscribers.Demand) {}

        func cancel() { end.call() }
    }
#endif
