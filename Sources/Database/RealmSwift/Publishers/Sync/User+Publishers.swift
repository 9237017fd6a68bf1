// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension User {
        /// Links another account to the user immediately, and returns a future with the user.
        public func linkUser(credentials: Credentials) -> Future<User, Error> {
            future { try await self.linkUser(credentials: credentials) }
        }

        /// Fetches the custom data immediately, and returns a future with its plain values.
        public func refreshCustomData() -> Future<[AnyHashable: Any], Error> {
            future({ try await self.refreshCustomData() as Document }) { $0.plainValues }
        }

        /// Removes the user immediately, and returns a future that completes after the server has confirmed it.
        public func remove() -> Future<Void, Error> { future { try await self.remove() } }

        /// Logs the user out immediately, and returns a future that completes after the server has confirmed it.
        public func logOut() -> Future<Void, Error> { future { try await self.logOut() } }

        /// Deletes the user immediately, and returns a future of its completion.
        public func delete() -> Future<Void, Error> { future { try await self.delete() } }
    }

    extension User: ObservableObject {
        /// A publisher of the user after each change of its tokens, state, identities, profile, or custom data, on any
        /// thread.
        public var objectWillChange: AnyPublisher<UserPublisher.Output, UserPublisher.Failure> {
            UserPublisher(self).eraseToAnyPublisher()
        }
    }

    /// The subscription to a user's changes. Cancelling it ends the observation.
    @frozen public struct UserSubscription: Subscription {
        let end: ChangeEnd

        public var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

        /// Does nothing, because demand is ignored.
        public func request(_ demand: Subscribers.Demand) {}

        public func cancel() { end.call() }
    }

    /// A publisher of a user after each change.
    public class UserPublisher: Publisher {
        public typealias Output = User
        public typealias Failure = Never

        private let user: User

        init(_ user: User) { self.user = user }

        public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, Output == S.Input {
            let end = ChangeEnd()
            subscriber.receive(subscription: UserSubscription(end: end))
            // Called from any thread, like all subscribers of Combine.
            nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
            end.hold(user.subscribe { _ = unsafe subscriber.receive($0) })
        }
    }
#endif
