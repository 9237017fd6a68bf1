// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// Reads and changes documents. Can be used from any thread.
    struct EngineDocuments: Sendable {
        /// Passes an event to the engine.
        let post: @Sendable (DocumentEvent) -> Void

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
        func watch(
            _ target: DocumentTarget, by grant: AccessGrant,
            _ events: @escaping @Sendable (DocumentChanges.Step, Snapshot, UserRights) throws -> [String]
        ) -> AsyncThrowingStream<String, any Error> {
            let (stream, continuation) = AsyncThrowingStream.makeStream(
                of: String.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(DocumentWatch.longest))
            let watch = DocumentWatch(target, grant, continuation, events)
            continuation.onTermination = { [post] _ in post(.unwatch(watch)) }
            post(.watch(watch))
            return stream
        }
    }

    extension ServiceRefusal {
        static let revoked = ServiceRefusal(.notPermitted, "the user is logged out or disabled")
        static let stopping = ServiceRefusal(.unavailable, "the server is stopping, try again")
        static let absent = ServiceRefusal(.invalid, "there are no documents yet: let a client synchronise first")
        static let noPartition = ServiceRefusal(.unavailable, "the server cannot open the documents")
    }
#endif
