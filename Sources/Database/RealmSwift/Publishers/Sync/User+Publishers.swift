// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension User {
        /// Starts linking another account to the user, and returns a future with the user.
        public func linkUser(credentials: Credentials) -> Future<User, Error> {
            future { try await self.linkUser(credentials: credentials) }
        }

        /// Starts fetching the custom data, and returns a future with its plain values.
        public func refreshCustomData() -> Future<[AnyHashable: Any], Error> {
            future({ try await self.refreshCustomData() as Document }) { $0.plainValues }
        }

        /// Starts removing the user, and returns a future that completes after the server has responded. The user is
        /// removed from this device even if the request fails.
        public func remove() -> Future<Void, Error> { future { try await self.remove() } }

        /// Starts logging the user out, and returns a future that completes after the server has responded. The user is
        /// logged out on this device even if the request fails.
        public func logOut() -> Future<Void, Error> { future { try await self.logOut() } }

        /// Starts deleting the user's account, and returns a future that completes when it is deleted and the user is
        /// removed.
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
