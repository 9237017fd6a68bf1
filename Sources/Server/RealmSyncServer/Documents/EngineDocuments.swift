// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Reads and changes documents. Can be used from any thread.
    package struct EngineDocuments: Sendable {
        /// Passes an event to the engine.
        let post: @Sendable (DocumentEvent) -> Void
        /// Returns the seconds since 1970.
        let clock: @Sendable () -> Int64

        package init(
            clock: @escaping @Sendable () -> Int64 = { CurrentProcess.time / 1_000_000_000 },
            post: @escaping @Sendable (DocumentEvent) -> Void
        ) {
            (self.clock, self.post) = (clock, post)
        }

        /// Returns the kind of synchronisation of an app, which its first use determines.
        func mode(of app: String) async throws -> SyncMode {
            let mode = await withCheckedContinuation { continuation in
                post(.mode(app: app) { continuation.resume(returning: $0) })
            }
            guard let mode else { throw ServiceRefusal.stopping }
            return mode
        }

        /// Calls `body` on another thread with the documents of the newest durable version, or with `nil` if the
        /// partition doesn't exist.
        func read<Result: Sendable>(
            _ place: DocumentPlace, _ body: @escaping @Sendable (Snapshot?) throws -> Result
        ) async throws -> Result {
            try await perform(place, nil) { (nil, try body($0)) }
        }

        /// Adds the returned changeset as a version of the server. The documents aren't changed between the version of
        /// the snapshot and this one, which is durable on return. Without a changeset, nothing is changed.
        ///
        /// - Parameter rights: The rights to the changes. Without the right to one of them, all are refused.
        func change<Result: Sendable>(
            _ place: DocumentPlace, by rights: UserRights,
            _ body: @escaping @Sendable (Snapshot?) throws -> (Changeset?, Result)
        ) async throws -> Result {
            try await perform(place, rights, body)
        }

        private func perform<Result: Sendable>(
            _ place: DocumentPlace, _ rights: UserRights?,
            _ body: @escaping @Sendable (Snapshot?) throws -> (Changeset?, Result)
        ) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                let result = NIOLockedValueBox<Result?>(nil)
                let work = DocumentWork(place, rights) { snapshot in
                    let (changeset, value) = try body(snapshot)
                    result.withLockedValue { $0 = value }
                    return changeset
                } end: { outcome in
                    continuation.resume(
                        with: outcome.flatMap { _ in
                            result.withLockedValue { $0 }.map { .success($0) } ?? .failure(ServiceRefusal.stopping)
                        })
                }
                post(.request(work))
            }
        }

        /// Returns the results of `events`, which receives each version that becomes durable from now on, with the
        /// documents of that version or a later one, and the rights of the user at that time.
        ///
        /// The stream ends with `StreamExpiry` when the access token expires.
        ///
        /// - Parameter position: The position of an earlier stream that this one continues.
        func watch(
            _ target: DocumentTarget, by grant: AccessGrant, after position: WatchPosition?,
            _ events: @escaping DocumentWatch.Events
        ) -> AsyncThrowingStream<String, any Error> {
            let watch = DocumentWatch(target, grant, after: position, events)
            let (clock, post) = (clock, post)
            post(.watch(watch))
            let timer = Task {
                while true {
                    let rest = grant.expiry - clock()
                    if rest <= 0 { break }
                    // The clock can be set, so the rest of the time isn't certain.
                    try await Task.sleep(for: .seconds(min(rest, 60)))
                }
                post(.expired(watch))
            }
            let reader = WatchReader(watch.queue) {
                timer.cancel()
                post(.unwatch(watch))
            }
            return AsyncThrowingStream { try await reader.queue.next() }
        }
    }

    /// The reading end of a watch.
    private final class WatchReader: Sendable {
        let queue: WatchQueue
        private let didEnd: @Sendable () -> Void

        init(_ queue: WatchQueue, didEnd: @escaping @Sendable () -> Void) {
            (self.queue, self.didEnd) = (queue, didEnd)
        }

        deinit { didEnd() }
    }

    extension ServiceRefusal {
        static let revoked = ServiceRefusal(.notPermitted, "the user is logged out or disabled")
        static let stopping = ServiceRefusal(.unavailable, "the server is stopping, try again")
        static let absent = ServiceRefusal(.invalid, "there are no documents yet: let a client synchronise first")
        static let removedVersions = ServiceRefusal(
            .unavailable, "versions after the last event were removed; watch again")
        static let noPartition = ServiceRefusal(.unavailable, "the server cannot open the documents")
    }
#endif
