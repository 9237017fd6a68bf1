// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// A client with subscriptions over a real socket, whose file is a database. Its class is that of `SimpleChanges`.
    package final class FlexibleClient: Sendable {
        package struct Note: Hashable, Sendable {
            package var n: Int64
            package var tags: [String]

            package init(n: Int64, tags: [String]) { (self.n, self.tags) = (n, tags) }
        }

        package let database: Database
        private let link: SyncLink

        /// - Parameters:
        ///   - partition: The partition of a client without subscriptions.
        ///   - migratedPartition: The former partition of a file that was moved to subscriptions.
        package init(
            _ path: String, user: String, app: String = "app", partition: String? = nil, uri: String? = nil,
            versions: ClosedRange<Int>? = nil, schemaVersion: UInt64 = 0, migratedPartition: String? = nil,
            seed: UInt64, port: @escaping @Sendable () -> Int
        ) throws {
            var options = OpenOptions()
            options.synchronisedHistory = ClientFileHistory()
            database = try Database.open(path, options: options)
            if partition == nil { try database.prepareSubscriptions() }
            link = SyncLink(
                FileClientStore(database), partition == nil ? .flexible : .partition, versions: versions, port: port,
                uri: uri ?? WebSocketClient.uri(user: user, app: app),
                path: partition.map { PartitionValue.string(Text($0)).path }
                    ?? SessionPurpose.ordinary.path(
                        schemaVersion: schemaVersion, migratedPartition: migratedPartition), seed: seed)
        }

        package func stop() { link.stop() }

        // MARK: Writing

        package func commit(_ make: (WriteTransaction) throws -> Changeset) async throws {
            try database.write { try ChangesetApplier($0, isRecorded: true).apply(try make($0)) }
            try await link.loop.submit { [link] in link.didCommit() }.get()
        }

        package func commit(_ changesets: Changeset...) async throws {
            for changeset in changesets { try await commit { _ in changeset } }
        }

        /// Replaces the subscriptions by those of the texts, and returns the version of the set.
        @discardableResult
        package func subscribe(_ queries: String..., className: String = "Note") async throws -> UInt64 {
            try await subscribe(to: queries, className)
        }

        @discardableResult
        package func subscribe(to queries: [String], _ className: String = "Note") async throws -> UInt64 {
            var draft = SubscriptionDraft([])
            for (index, query) in queries.enumerated() {
                try draft.add(ObjectIdBytes(high: 0, low: UInt32(index)), named: nil, className, query)
            }
            let version = try database.write { transaction in
                try SubscriptionStore(transaction)?.add(draft.subscriptions) ?? 0
            }
            try await link.loop.submit { [link] in link.didCommit() }.get()
            return version
        }

        // MARK: Waiting

        package func status(of version: UInt64) throws -> SubscriptionStatus {
            try SubscriptionStore(try database.snapshot(label: "test"))?.status(of: version) ?? .superseded
        }

        package func waitForSubscriptions(seconds: Int = 120) async throws {
            for _ in 0..<seconds * 100 {
                let sets = try SubscriptionStore(try database.snapshot(label: "test"))?.all ?? []
                // A file that the original has moved to subscriptions has an older set, which is pending forever.
                let current = sets.drop { $0.version < sets.last { $0.state.isActive }?.version ?? 0 }
                if !current.contains(where: { $0.state.isPending || $0.state == .awaitingMark }) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Failure("the server has not answered the subscriptions: \(try await takeFailures())")
        }

        package func waitForUpload(seconds: Int = 120) async throws {
            let store = FileClientStore(database)
            for _ in 0..<seconds * 100 {
                let state = store.state
                let rest = store.uploads(after: state.progress.upload.clientVersion, limit: 1)
                if state.file != nil, rest.entries.isEmpty { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Failure("the server has not taken all changes: \(try await takeFailures())")
        }

        package func waitForDownload() async throws { try await link.waitForDownload() }

        /// Waits until the notes of the file fulfil a condition.
        package func waitForNotes(
            seconds: Int = 120, _ condition: @escaping @Sendable ([Int64: Note]) -> Bool
        ) async throws {
            for _ in 0..<seconds * 100 {
                if condition(try notes) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Failure("the file has \(try notes)")
        }

        package func takeFailures() async throws -> [ClientFailure] { try await link.takeFailures() }

        package var failureCount: Int { get async throws { try await link.failureCount } }

        // MARK: Reading

        package var notes: [Int64: Note] {
            get throws { try FlexibleClient.notes(in: try database.snapshot(label: "test")) }
        }

        package static func notes(in source: some TableSource) throws -> [Int64: Note] {
            guard let table = try source.table(named: "class_Note"), let key = table.primaryKey,
                let n = table.column(named: "n"), let tags = table.column(named: "tags")
            else { return [:] }
            var notes: [Int64: Note] = [:]
            for object in try table.allKeys() {
                guard case .int(let id) = try table.value(key, of: object),
                    case .int(let number) = try table.value(n.key, of: object), let position = try table.find(object),
                    case .list(let list) = try table.collection(tags, at: position)
                else { throw Failure("an object can't be read") }
                let texts = try (0..<list.count).map { index -> String in
                    guard case .string(let text) = try list.value(at: index) else { throw Failure("not a text") }
                    return text
                }
                notes[id] = Note(n: number, tags: texts)
            }
            return notes
        }
    }
#endif
