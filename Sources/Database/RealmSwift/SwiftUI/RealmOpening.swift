// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if canImport(Darwin) || canImport(OpenCombine)
    import Foundation
    #if canImport(Darwin)
        import Combine
        import SwiftUI
    #else
        import RegnumCombine
        import RealmSwift
        import RegnumUI
    #endif

    /// The state of the opening of a synchronised Realm.
    public enum AsyncOpenState {
        /// No data has been downloaded yet.
        case connecting
        /// No user is logged in. The opening starts when a user logs in.
        case waitingForUser
        /// The Realm is open on the main actor.
        case open(Realm)
        /// The server's data is being downloaded.
        case progress(Progress)
        /// The Realm couldn't be opened.
        case error(Error)
    }

    struct OpeningRequest {
        let appId: String?
        let partition: AnyBSON?
        let configuration: Realm.Configuration?
        /// The maximum time to establish a connection, in milliseconds.
        let timeout: UInt?
        /// Whether the local file is opened if the server can't be reached.
        let takesLocalFile: Bool
        let name: String
    }

    /// The storage of `AsyncOpen` and `AutoOpen`: the opening of a view and its environment values.
    @MainActor struct OpeningProperty: DynamicProperty {
        @StateObject private var opening = RealmOpening()
        @Environment(\.realmConfiguration) private var environment
        @Environment(\.partitionValue) private var partition
        let request: OpeningRequest

        init(request: OpeningRequest) { self.request = request }

        var state: AsyncOpenState { opening.state }
        var states: Published<AsyncOpenState>.Publisher { opening.$state }

        func begin() { opening.want(request, environment, partition) }
        func cancel() { opening.cancel() }
    }

    /// The opening of a synchronised Realm for a view. It is restarted for another user or partition.
    @MainActor final class RealmOpening: ObservableObject {
        @Published private(set) var state = AsyncOpenState.connecting
        private var place: Place?
        private var app: RealmSwift.App?
        private var task: Realm.AsyncOpenTask?
        private var unsubscribe: (@Sendable () -> Void)?
        /// The number of the current opening. Results of earlier ones are ignored.
        private var attempt = 0

        private struct Place: Equatable {
            let user: User?
            let partition: AnyBSON?
            let file: URL?
        }

        init() {}

        /// Schedules the opening, because the state mustn't change while a view is being evaluated.
        func want(
            _ request: OpeningRequest, _ environment: Realm.Configuration, _ partition: (any PartitionValue)?
        ) {
            let chosen = AnyBSON(of: partition) ?? request.partition
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { self?.begin(request, environment, chosen) }
            }
        }

        /// Does nothing if the same data is already being opened for the same user.
        private func begin(_ request: OpeningRequest, _ environment: Realm.Configuration, _ partition: AnyBSON?) {
            let app = self.app ?? RealmSwift.App.only(request.appId, for: request.name)
            if self.app == nil {
                self.app = app
                unsubscribe = app.subscribe { [weak self] _ in
                    DispatchQueue.main.async {
                        MainActor.assumeIsolated { self?.begin(request, environment, partition) }
                    }
                }
            }
            let configuration = request.configuration ?? environment
            let place = Place(user: app.currentUser, partition: partition, file: configuration.fileURL)
            guard place != self.place else { return }
            self.place = place
            stop()
            guard let user = place.user else { return state = .waitingForUser }
            open(request, configuration.synchronised(for: user, partition, request), app)
        }

        private func open(_ request: OpeningRequest, _ configuration: Realm.Configuration, _ app: RealmSwift.App) {
            if let timeout = request.timeout {
                let options = app.syncManager.timeoutOptions ?? SyncTimeoutOptions()
                options.connectTimeout = timeout
                app.syncManager.timeoutOptions = options
            }
            let number = attempt
            state = .connecting
            let task = Realm.asyncOpen(configuration: configuration) { [weak self] result in
                MainActor.assumeIsolated { self?.take(result, number, request, configuration) }
            }
            self.task = task
            task.addProgressNotification { [weak self] progress in
                MainActor.assumeIsolated { self?.take(progress, number) }
            }
        }

        private func take(_ progress: SyncSession.Progress, _ number: Int) {
            guard number == attempt, !progress.isTransferComplete else { return }
            let shown = Progress(totalUnitCount: 1_000_000)
            shown.completedUnitCount = Int64(progress.progressEstimate * 1_000_000)
            state = .progress(shown)
        }

        private func take(
            _ result: Result<Realm, any Error>, _ number: Int, _ request: OpeningRequest,
            _ configuration: Realm.Configuration
        ) {
            guard number == attempt else { return }
            attempt += 1
            switch result {
            case .success(let realm): state = .open(realm)
            case .failure(let error):
                guard request.takesLocalFile, let realm = try? Realm(configuration: configuration) else {
                    return state = .error(error)
                }
                state = .open(realm)
            }
        }

        private func stop() {
            attempt += 1
            task?.cancel()
            task = nil
        }

        func cancel() {
            stop()
            unsubscribe?()
            unsubscribe = nil
        }

        deinit { unsubscribe?() }
    }

    extension AnyBSON {
        fileprivate init?(of partition: (any PartitionValue)?) {
            guard let value = partition as? any BSON else { return nil }
            self.init(value)
        }
    }

    extension Realm.Configuration {
        fileprivate func synchronised(
            for user: User, _ partition: AnyBSON?, _ request: OpeningRequest
        ) -> Realm.Configuration {
            let given = impatient(for: user, partition)
            var configuration = self
            // A custom file is retained. The default file doesn't belong to a user, so it is replaced.
            if fileURL == Realm.Configuration.defaultFileURL || syncConfiguration == nil {
                configuration.fileURL = given.fileURL
            }
            configuration.syncConfiguration = given.syncConfiguration
            return configuration
        }

        /// Returns the user's configuration for a partition or, without one, for the subscriptions. Its opening fails
        /// without a connection.
        private func impatient(for user: User, _ partition: AnyBSON?) -> Realm.Configuration {
            let mode = syncConfiguration?.clientResetMode ?? .recoverUnsyncedChanges()
            if let value = partition ?? syncConfiguration?.partitionValue {
                return user.configuration(
                    partitionValue: value, clientResetMode: mode, cancelAsyncOpenOnNonFatalErrors: true)
            }
            guard let syncConfiguration else {
                throwRealmException("The used configuration was not configured with sync.")
            }
            guard let initial = syncConfiguration.initialSubscriptions else {
                return user.flexibleSyncConfiguration(clientResetMode: mode, cancelAsyncOpenOnNonFatalErrors: true)
            }
            return user.flexibleSyncConfiguration(
                clientResetMode: mode, cancelAsyncOpenOnNonFatalErrors: true, initialSubscriptions: initial.callback,
                rerunOnOpen: initial.rerunOnOpen)
        }
    }

    extension RealmSwift.App {
        /// Without `id`, returns the only app of the process.
        ///
        /// - Precondition: Without `id`, the process has exactly one app.
        fileprivate static func only(_ id: String?, for wrapper: String) -> RealmSwift.App {
            if let id { return RealmSwift.App(id: id) }
            let known = RealmSwift.App.known
            guard let app = known.first else {
                throwRealmException(
                    """
                    Cannot \(wrapper) the Realm because no appId was found. You must either explicitly pass an appId \
                    or initialize an App before displaying your View.
                    """)
            }
            guard known.count == 1 else {
                throwRealmException(
                    """
                    Cannot \(wrapper) the Realm because more than one appId was found. When using multiple Apps you \
                    must explicitly pass an appId to indicate which to use.
                    """)
            }
            return app
        }
    }

    extension EnvironmentValues {
        private struct PartitionKey: EnvironmentKey { static var defaultValue: (any PartitionValue)? { nil } }

        /// The partition of the Realms that `@AsyncOpen` and `@AutoOpen` open in the views below. It overrides the
        /// partition declared there.
        public var partitionValue: (any PartitionValue)? {
            get { self[PartitionKey.self] }
            set { self[PartitionKey.self] = newValue }
        }
    }
#endif
