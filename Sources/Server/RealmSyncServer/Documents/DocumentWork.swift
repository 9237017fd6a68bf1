// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// A read or a change of documents.
    ///
    /// The order of its use guards `partition` and `outcome`: the engine's thread starts it, another thread runs it,
    /// and then the engine's thread ends it.
    final class DocumentWork: @unchecked Sendable {
        let place: DocumentPlace
        let isChange: Bool
        private let body: @Sendable (Snapshot?) throws -> Changeset?
        private let end: NIOLockedValueBox<(@Sendable (Result<Void, any Error>) -> Void)?>
        fileprivate(set) var partition: StoredPartition?
        private var outcome: Result<Void, any Error> = .failure(ServiceRefusal.stopping)

        init(
            _ place: DocumentPlace, isChange: Bool, _ body: @escaping @Sendable (Snapshot?) throws -> Changeset?,
            end: @escaping @Sendable (Result<Void, any Error>) -> Void
        ) {
            (self.place, self.isChange, self.body) = (place, isChange, body)
            self.end = NIOLockedValueBox(end)
        }

        /// In bytes. A log's frame and a message to a client contain the changeset as a whole.
        private static let largestChange = 16 << 20

        func run(_ snapshot: Result<Snapshot?, any Error>) {
            outcome = Result {
                guard let changeset = try body(try snapshot.get()), !changeset.isEmpty else { return }
                guard let partition else { throw ServiceRefusal(.invalid, "the partition doesn't exist") }
                let bytes = changeset.encoded()
                guard bytes.count <= DocumentWork.largestChange else {
                    throw ServiceRefusal(.invalid, "the change is larger than 16 MiB: change fewer documents at once")
                }
                do { try partition.append(changeset, bytes) } catch let error as StateError {
                    throw ServiceRefusal(.invalid, error.message)
                }
            }
        }

        /// Call this when a change is durable.
        func finish() { finish(outcome) }

        /// Only the first call has an effect.
        func finish(_ outcome: Result<Void, any Error>) {
            let end = self.end.withLockedValue { end in
                defer { end = nil }
                return end
            }
            end?(outcome)
        }
    }

    /// A stream of the changes of a partition.
    ///
    /// The engine's thread guards `partition`, `sent`, and `isBusy`.
    final class DocumentWatch: @unchecked Sendable {
        /// The maximum number of events that wait for the client.
        static let longest = 10_000

        let place: DocumentPlace
        private let continuation: AsyncThrowingStream<String, any Error>.Continuation
        private let events: @Sendable (DocumentChanges.Step, Snapshot) throws -> [String]
        fileprivate var partition: StoredPartition?
        fileprivate var sent = SaltedVersion()
        fileprivate var isBusy = false

        init(
            _ place: DocumentPlace, _ continuation: AsyncThrowingStream<String, any Error>.Continuation,
            _ events: @escaping @Sendable (DocumentChanges.Step, Snapshot) throws -> [String]
        ) {
            (self.place, self.continuation, self.events) = (place, continuation, events)
        }

        func end(_ error: any Error) { continuation.finish(throwing: error) }

        fileprivate func deliver(_ steps: ArraySlice<DocumentChanges.Step>, _ snapshot: Result<Snapshot?, any Error>) {
            do {
                guard let snapshot = try snapshot.get() else { throw ServiceRefusal.noPartition }
                for step in steps {
                    for event in try events(step, snapshot) {
                        guard case .dropped = continuation.yield(event) else { continue }
                        throw ServiceRefusal(.unavailable, "the client reads its events too slowly; watch again")
                    }
                }
            } catch {
                end(error)
            }
        }
    }

    enum DocumentEvent: Sendable {
        case request(DocumentWork)
        case updated(DocumentsUpdate)
        /// Another thread has run the work.
        case done(DocumentWork)
        case watch(DocumentWatch)
        case delivered(DocumentWatch)
        case unwatch(DocumentWatch)

        /// Called if the engine has stopped.
        func abandon() {
            switch self {
            case .request(let work), .done(let work): work.finish(.failure(ServiceRefusal.stopping))
            case .watch(let watch): watch.end(ServiceRefusal.stopping)
            case .updated, .delivered, .unwatch: break
            }
        }
    }

    /// The requests for documents. Confined to the engine's thread.
    struct DocumentDesk {
        private var waiting: [DocumentWork] = []
        /// Changes on other threads.
        private var running: [ObjectIdentifier: DocumentWork] = [:]
        /// Changes that are durable after the next flush.
        private var done: [DocumentWork] = []
        private var watches: [ObjectIdentifier: DocumentWatch] = [:]

        /// Work that needs the documents of a partition at its newest version.
        struct Job: Sendable {
            enum Kind: Sendable {
                case work(DocumentWork)
                case delivery([(DocumentWatch, ArraySlice<DocumentChanges.Step>)])
            }

            /// `nil` if the partition doesn't exist.
            let update: DocumentsUpdate?
            let kind: Kind
            /// The partition is busy until the job is done.
            var change: DocumentWork? { if case .work(let work) = kind, work.isChange { work } else { nil } }

            func run(_ snapshot: Result<Snapshot?, any Error>, _ post: @Sendable (DocumentEvent) -> Void) {
                switch kind {
                case .work(let work):
                    work.run(snapshot)
                    // Nothing has to become durable.
                    if work.isChange, update != nil { post(.done(work)) } else { work.finish() }
                case .delivery(let deliveries):
                    for (watch, steps) in deliveries {
                        watch.deliver(steps, snapshot)
                        post(.delivered(watch))
                    }
                }
            }
        }

        mutating func take(_ event: DocumentEvent, _ folder: DataFolder) {
            switch event {
            case .request(let work): waiting.append(work)
            case .updated(let update): update.partition.finishDocuments(update.result)
            case .done(let work):
                running[ObjectIdentifier(work)] = nil
                done.append(work)
            case .watch(let watch):
                do {
                    guard let partition = try folder.existing(watch.place) else {
                        return watch.end(DocumentDesk.absent)
                    }
                    (watch.partition, watch.sent) = (partition, partition.newest)
                    watches[ObjectIdentifier(watch)] = watch
                } catch {
                    watch.end(ServiceRefusal.noPartition)
                }
            case .delivered(let watch): watch.isBusy = false
            case .unwatch(let watch): watches[ObjectIdentifier(watch)] = nil
            }
        }

        private static let absent = ServiceRefusal(.invalid, "the partition doesn't exist")

        /// Call this when all data received so far is durable.
        mutating func answer() {
            for work in done { work.finish() }
            done.removeAll(keepingCapacity: true)
        }

        func isWatched(_ store: any PartitionStore) -> Bool {
            watches.values.contains { $0.partition === store }
        }

        // MARK: Jobs

        /// Call this when all data received so far is durable.
        mutating func takeJobs(_ folder: DataFolder) -> [Job] {
            deliveries() + works(folder)
        }

        /// At most one change of a partition runs at a time, so that each one is based on the previous one.
        private mutating func works(_ folder: DataFolder) -> [Job] {
            var jobs: [Job] = []
            var changing: Set<ObjectIdentifier> = []
            let all = waiting
            waiting = []
            for work in all {
                do {
                    guard let partition = try folder.existing(work.place) else {
                        jobs.append(Job(update: nil, kind: .work(work)))
                        continue
                    }
                    guard !partition.isBusy, !partition.isDirty, !changing.contains(ObjectIdentifier(partition)) else {
                        waiting.append(work)
                        continue
                    }
                    jobs.append(Job(update: DocumentsUpdate(partition), kind: .work(work)))
                    guard work.isChange else { continue }
                    work.partition = partition
                    running[ObjectIdentifier(work)] = work
                    changing.insert(ObjectIdentifier(partition))
                } catch {
                    work.finish(.failure(ServiceRefusal.noPartition))
                }
            }
            return jobs
        }

        private mutating func deliveries() -> [Job] {
            var due: [ObjectIdentifier: [(DocumentWatch, ArraySlice<DocumentChanges.Step>)]] = [:]
            for watch in watches.values where !watch.isBusy {
                guard let partition = watch.partition, !partition.isBusy, !partition.isDirty,
                    partition.newest.version > watch.sent.version
                else { continue }
                let changes = partition.changes(after: watch.sent)
                guard let steps = changes.steps(after: watch.sent) else {
                    watch.end(ServiceRefusal(.unavailable, "versions after the last event were removed; watch again"))
                    watches[ObjectIdentifier(watch)] = nil
                    continue
                }
                watch.sent = changes.newest
                watch.isBusy = true
                due[ObjectIdentifier(partition), default: []].append((watch, steps))
            }
            return due.values.compactMap { deliveries in
                deliveries[0].0.partition.map { Job(update: DocumentsUpdate($0), kind: .delivery(deliveries)) }
            }
        }

        /// Called when the engine stops.
        mutating func abandonAll() {
            for work in waiting + done + Array(running.values) { work.finish(.failure(ServiceRefusal.stopping)) }
            for watch in watches.values { watch.end(ServiceRefusal.stopping) }
            (waiting, done, running, watches) = ([], [], [:], [:])
        }
    }
#endif
