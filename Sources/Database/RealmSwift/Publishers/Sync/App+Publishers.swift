// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import Combine
    #else
        import RegnumCombine
        @_spi(RealmSwiftExperimental) import RealmSwift
    #endif

    extension App {
        /// Starts logging a user in, and returns a future with the user.
        public func login(credentials: Credentials) -> Future<User, Error> {
            future { try await self.login(credentials: credentials) }
        }

        /// Starts switching to another server, and returns a future that completes after that server has returned its
        /// location.
        public func updateBaseUrl(to url: String?) -> Future<Void, Error> {
            future { try await self.updateBaseUrl(to: url) }
        }
    }

    extension App: ObservableObject {
        /// A publisher of the app after each login, logout, and switch of users.
        public var objectWillChange: AppPublisher { AppPublisher(self) }
    }

    /// The subscription to an app's changes. Cancelling it ends the observation.
    @frozen public struct AppSubscription: Subscription {
        let end: ChangeEnd

        public var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

        /// Does nothing, because demand is ignored.
        public func request(_ demand: Subscribers.Demand) {}

        public func cancel() { end.call() }
    }

    /// A publisher of an app after each login, logout, and switch of users. It publishes on any thread unless
    /// `receive(on:)` specifies a queue.
    ///
    /// The app is immutable, and schedulers only receive work.
    public struct AppPublisher: Publisher, @unchecked Sendable {
        public typealias Output = App
        public typealias Failure = Never

        private let app: App
        private var schedule: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }

        init(_ app: App) { self.app = app }

        public func receive<S: Sendable>(subscriber: S)
        where S: Subscriber, S.Failure == Never, Output == S.Input {
            let end = ChangeEnd()
            subscriber.receive(subscription: AppSubscription(end: end))
            // Called from any thread, like all subscribers of Combine.
            nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
            let schedule = schedule
            end.hold(app.subscribe { app in schedule { _ = unsafe subscriber.receive(app) } })
        }

        /// Returns a publisher that publishes on a scheduler.
        public func receive<S: Scheduler>(on scheduler: S) -> Self {
            // Schedulers accept work from any thread.
            nonisolated(unsafe) let run = { (work: @escaping @Sendable () -> Void) in scheduler.schedule(work) }
            var publisher = self
            publisher.schedule = { work in unsafe run(work) }
            return publisher
        }
    }
#endif
