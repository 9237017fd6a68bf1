// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if Server && Sync
    import Foundation
    import RealmTestSupport
    import Testing

    @testable import RealmSwift

    final class Device: Sendable {
        let folder: TemporaryFolder
        let app: App
        let errors = Collected<SyncError>()

        init(port: Int, _ folder: TemporaryFolder? = nil) throws {
            self.folder = try folder ?? TemporaryFolder()
            let configuration = RealmSwift.AppConfiguration(baseURL: "http://127.0.0.1:\(port)")
            configuration.rootDirectory = URL(fileURLWithPath: self.folder.path)
            app = App(id: "notes", settings: configuration.settings)
            app.syncManager.errorHandler = { [errors] error, _ in
                if let error = error as? SyncError { errors.append(error) }
            }
        }

        /// The configuration of a partition for an anonymous user, or the current one. With flexible sync, it has all
        /// notes.
        func configuration(
            _ partition: String = "team", _ mode: ClientResetMode = .recoverUnsyncedChanges(),
            isImpatient: Bool = false, isFlexible: Bool = false
        ) async throws -> Realm.Configuration {
            var user = app.currentUser
            if user == nil { user = try await app.login(credentials: .anonymous) }
            var configuration =
                isFlexible
                ? try #require(user).flexibleSyncConfiguration(
                    clientResetMode: mode, cancelAsyncOpenOnNonFatalErrors: isImpatient,
                    initialSubscriptions: { $0.append(QuerySubscription<Note>()) })
                : try #require(user).configuration(
                    partitionValue: partition, clientResetMode: mode, cancelAsyncOpenOnNonFatalErrors: isImpatient)
            configuration.objectTypes = [Note.self, Place.self]
            return configuration
        }

        /// Waits until all sessions of the user have ended: all changes are uploaded, and the files are closed.
        func endOfSessions(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let user = try #require(app.currentUser, sourceLocation: sourceLocation)
            try await eventually("the end of the sessions", sourceLocation: sourceLocation) {
                user.allSessions.isEmpty
            }
        }
    }

    final class Collected<Value: Sendable>: Sendable {
        private let values = Locked<[Value]>([])

        func append(_ value: Value) { values.withLock { $0.append(value) } }
        var all: [Value] { values.withLock { $0 } }

        func first(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Value {
            try await eventually("a value", sourceLocation: sourceLocation) { !self.all.isEmpty }
            return all[0]
        }
    }

    /// Waits until a condition is true. The limit allows for a machine that runs a hundred other tests.
    func eventually(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
        isolation: isolated (any Actor)? = #isolation, _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(1200)
        while try await !holds() {
            guard ContinuousClock.now < end else {
                Issue.record("\(what) did not come", sourceLocation: sourceLocation)
                throw Failure("\(what) did not come")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Opens a Realm on a queue after the download of the server's state, and passes it to `body` there.
    func opened<Result: Sendable>(
        _ configuration: Realm.Configuration, on queue: DispatchQueue = DispatchQueue(label: "opened"),
        _ body: @escaping @Sendable (Realm) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
                continuation.resume(with: Swift.Result { try body(try result.get()) })
            }
        }
    }

    func withRealm<Result>(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Result) throws -> Result {
        let queue = DispatchQueue(label: "test")
        return try queue.sync {
            try autoreleasepool { try body(try Realm(configuration: configuration, queue: queue)) }
        }
    }
#endif
