// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        import RealmSwift
    #endif

    extension User {
        /// Gives the user one more account, at once, and publishes the user.
        public func linkUser(credentials: Credentials) -> Future<User, Error> {
            future { try await self.linkUser(credentials: credentials) }
        }

        /// Asks for the custom data, at once, and publishes its plain values.
        public func refreshCustomData() -> Future<[AnyHashable: Any], Error> {
            future({ try await self.refreshCustomData() as Document }) { $0.plainValues }
        }

        /// Removes the user, at once, and publishes that the server knows.
        public func remove() -> Future<Void, Error> { future { try await self.remove() } }

        /// Logs the user out, at once, and publishes that the server knows.
        public func logOut() -> Future<Void, Error> { future { try await self.logOut() } }

        /// Deletes the user, at once, and publishes that it is done.
        public func delete() -> Future<Void, Error> { future { try await self.delete() } }
    }

    extension User: ObservableObject {
        /// Publishes the user after each change of its tokens, its state, its identities, its profile or its custom
        /// data, on any thread.
        public var objectWillChange: AnyPublisher<UserPublisher.Output, UserPublisher.Failure> {
            UserPublisher(self).eraseToAnyPublisher()
        }
    }

    /// The observation of a user. Cancelling ends it.
    @frozen public struct UserSubscription: Subscription {
        let end: ChangeEnd

        public var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

        /// Does nothing: demand is ignored.
        public func request(_ demand: Subscribers.Demand) {}

        public func cancel() { end.call() }
    }

    /// Publishes a user after each change of it.
    public class UserPublisher: Publisher {
        public typealias Output = User
        public typealias Failure = Never

        private let user: User

        init(_ user: User) { self.user = user }

        public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, Output == S.Input {
            let end = ChangeEnd()
            subscriber.receive(subscription: UserSubscription(end: end))
            // Called from any thread, as Combine's subscribers are.
            nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
            end.hold(user.subscribe { _ = unsafe subscriber.receive($0) })
        }
    }
#endif
