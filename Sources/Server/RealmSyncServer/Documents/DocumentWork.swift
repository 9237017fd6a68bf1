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
    package final class DocumentWork: @unchecked Sendable {
        let place: DocumentPlace
        /// The rights to the changes. `nil` for a read.
        private let rights: UserRights?
        private let body: @Sendable (Snapshot?) throws -> Changeset?
        private let end: NIOLockedValueBox<(@Sendable (Result<Void, any Error>) -> Void)?>
        fileprivate(set) var partition: StoredPartition?
        private var outcome: Result<Void, any Error> = .failure(ServiceRefusal.stopping)

        init(
            _ place: DocumentPlace, _ rights: UserRights?,
            _ body: @escaping @Sendable (Snapshot?) throws -> Changeset?,
            end: @escaping @Sendable (Result<Void, any Error>) -> Void
        ) {
            (self.place, self.rights, self.body) = (place, rights, body)
            self.end = NIOLockedValueBox(end)
        }

        package var isChange: Bool { rights != nil }

        /// In bytes. A log's frame and a message to a client contain the changeset as a whole.
        private static let largestChange = 16 << 20

        /// Runs the work without an engine. All data of the partition must be durable.
        package func run(on partition: StoredPartition) {
            self.partition = partition
            let update = DocumentsUpdate(partition)
            update.run(partition.options.documents)
            let snapshot = Result { try partition.options.documents.snapshot(after: update) }
            partition.finishDocuments(update.result)
            run(snapshot)
        }

        func run(_ snapshot: Result<Snapshot?, any Error>) {
            outcome = Result {
                guard let changeset = try body(try snapshot.get()), !changeset.isEmpty else { return }
                guard let partition, let rights else { throw ServiceRefusal.absent }
                let bytes = changeset.encoded()
                guard bytes.count <= DocumentWork.largestChange else {
                    throw ServiceRefusal(.invalid, "the change is larger than 16 MiB: change fewer documents at once")
                }
                do { try partition.append(changeset, bytes, by: rights) } catch let error as StateError {
                    throw ServiceRefusal(.invalid, error.message)
                } catch let error as WriteRefusal {
                    throw ServiceRefusal(.notPermitted, error.reason)
                }
            }
        }

        /// Call this when a change is durable.
        package func finish() { finish(outcome) }

        /// Only the first call has an effect.
        package func finish(_ outcome: Result<Void, any Error>) {
            let end = self.end.withLockedValue { end in
                defer { end = nil }
                return end
            }
            end?(outcome)
        }
    }

    package enum DocumentEvent: Sendable {
        case mode(app: String, @Sendable (SyncMode?) -> Void)
        case request(DocumentWork)
        case updated(DocumentsUpdate)
        /// Another thread has run the work.
        case done(DocumentWork)
        case watch(DocumentWatch)
        case delivered(DocumentWatch)
        /// The access token of the user has expired.
        case expired(DocumentWatch)
        case unwatch(DocumentWatch)

        /// Called if the engine has stopped.
        func abandon() {
            switch self {
            case .mode(_, let answer): answer(nil)
            case .request(let work), .done(let work): work.finish(.failure(ServiceRefusal.stopping))
            case .watch(let watch): watch.end(ServiceRefusal.stopping)
            case .updated, .delivered, .expired, .unwatch: break
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
        /// Streams that have begun.
        private var watches: [ObjectIdentifier: DocumentWatch] = [:]
        /// Streams that begin when their partition isn't busy.
        private var newWatches: [DocumentWatch] = []
        /// The streams of each user, including new ones.
        private var users: [RightsDesk.User: [ObjectIdentifier: DocumentWatch]] = [:]

        /// The work that needs the documents of one partition at its newest version.
        struct Job: Sendable {
            enum Part: Sendable {
                case work(DocumentWork)
                case delivery(DocumentWatch, DocumentWatch.Delivery)

                var app: ByteText {
                    switch self {
                    case .work(let work): work.place.app
                    case .delivery(let watch, _): watch.place.app
                    }
                }

                var isChange: Bool { if case .work(let work) = self { work.isChange } else { false } }
            }

            /// `nil` if the partition doesn't exist.
            private(set) var update: DocumentsUpdate?
            fileprivate(set) var parts: [Part] = []
            /// The partition is busy until this work is done.
            fileprivate(set) var change: DocumentWork?

            /// Call this when the partition has received changes of other nodes.
            mutating func renewUpdate() { update = update.map { DocumentsUpdate($0.partition) } }

            /// Ends the requests. `DocumentDesk.drop` ends the streams.
            func abandon(_ error: any Error) {
                for case .work(let work) in parts { work.finish(.failure(error)) }
            }

            func run(_ part: Part, _ snapshot: Result<Snapshot?, any Error>, _ post: (DocumentEvent) -> Void) {
                switch part {
                case .work(let work):
                    work.run(snapshot)
                    // Nothing has to become durable.
                    if work.isChange, update != nil { post(.done(work)) } else { work.finish() }
                case .delivery(let watch, let delivery):
                    watch.deliver(delivery, snapshot)
                    post(.delivered(watch))
                }
            }
        }

        /// The jobs of one round. A partition has one job.
        private struct Jobs {
            private var byPartition: [ObjectIdentifier: Job] = [:]
            /// The partitions don't exist.
            var others: [Job] = []

            var all: [Job] { Array(byPartition.values) + others }

            func isChanging(_ partition: StoredPartition) -> Bool {
                byPartition[ObjectIdentifier(partition)]?.change != nil
            }

            mutating func add(_ part: Job.Part, _ partition: StoredPartition, changing work: DocumentWork? = nil) {
                let key = ObjectIdentifier(partition)
                if byPartition[key] == nil { byPartition[key] = Job(update: DocumentsUpdate(partition)) }
                byPartition[key]?.parts.append(part)
                if let work { byPartition[key]?.change = work }
            }
        }

        mutating func take(_ event: DocumentEvent, _ folder: DataFolder) {
            switch event {
            case .mode(let app, let answer): answer(folder.mode(ofApp: app))
            case .request(let work): waiting.append(work)
            case .updated(let update): update.partition.finishDocuments(update.result)
            case .done(let work):
                running[ObjectIdentifier(work)] = nil
                done.append(work)
            case .watch(let watch):
                users[RightsDesk.User(watch.grant), default: [:]][ObjectIdentifier(watch)] = watch
                begin(watch, folder)
            case .delivered(let watch): if watch.finishDelivery(), watch.expire() { remove(watch) }
            case .expired(let watch): if watch.expire() { remove(watch) }
            case .unwatch(let watch): remove(watch)
            }
        }

        private mutating func remove(_ watch: DocumentWatch) {
            let (key, user) = (ObjectIdentifier(watch), RightsDesk.User(watch.grant))
            if watches.removeValue(forKey: key) == nil { newWatches.removeAll { $0 === watch } }
            users[user]?[key] = nil
            if users[user]?.isEmpty == true { users[user] = nil }
        }

        private mutating func begin(_ watch: DocumentWatch, _ folder: DataFolder) {
            do {
                guard let partition = try folder.existing(watch.place) else { throw ServiceRefusal.absent }
                if partition.isBusy { return newWatches.append(watch) }
                guard watch.begin(partition) else { throw ServiceRefusal.removedVersions }
                watches[ObjectIdentifier(watch)] = watch
            } catch {
                end(watch, error as? ServiceRefusal ?? .noPartition)
            }
        }

        private mutating func end(_ watch: DocumentWatch, _ error: ServiceRefusal) {
            watch.end(error)
            remove(watch)
        }

        /// Call this when all data received so far is durable.
        mutating func answer() {
            for work in done { work.finish() }
            done.removeAll(keepingCapacity: true)
        }

        /// Ends the requests and streams of a partition that must be opened again.
        mutating func drop(_ partition: StoredPartition) {
            for work in done + Array(running.values) where work.partition === partition {
                work.finish(.failure(ServiceRefusal.noPartition))
            }
            done.removeAll { $0.partition === partition }
            running = running.filter { $0.value.partition !== partition }
            for watch in watches.values where watch.partition === partition { end(watch, .noPartition) }
        }

        func isWatched(_ store: any PartitionStore) -> Bool {
            watches.values.contains { $0.partition === store }
        }

        // MARK: Rights

        /// Returns the users of streams whose rights can change. The access to a partition is decided when a stream
        /// begins.
        func watchers(concernedBy change: RightsChange) -> [AccessGrant] {
            users.values.compactMap { $0.values.first(where: \.place.isFlexible)?.grant }.filter(change.concerns)
        }

        /// Returns false if the decision has to wait, because events are being delivered with other rights.
        mutating func take(_ decision: RightsDesk.Decision, of user: RightsDesk.User) -> Bool {
            let concerned = (users[user] ?? [:]).values.filter(\.place.isFlexible)
            guard concerned.allSatisfy({ !$0.isBusy }) else { return false }
            for watch in concerned {
                switch decision {
                case .success(let rights): watch.change(rights)
                case .failure(let error):
                    watch.revoke(ServiceRefusal(.unavailable, error.message))
                    remove(watch)
                }
            }
            return true
        }

        mutating func endStreams(_ revocation: Revocation) {
            for watch in users.values.flatMap(\.values) where revocation.concerns(watch.grant) {
                watch.revoke(ServiceRefusal.revoked)
                remove(watch)
            }
        }

        // MARK: Jobs

        /// Call this when all data received so far is durable.
        mutating func takeJobs(_ folder: DataFolder) -> [Job] {
            let due = newWatches
            newWatches = []
            for watch in due { begin(watch, folder) }
            var jobs = Jobs()
            addDeliveries(to: &jobs)
            addWorks(to: &jobs, folder)
            return jobs.all
        }

        /// At most one change of a partition runs at a time, so that each one is based on the previous one.
        private mutating func addWorks(to jobs: inout Jobs, _ folder: DataFolder) {
            let all = waiting
            waiting = []
            for work in all {
                do {
                    guard let partition = try folder.existing(work.place) else {
                        jobs.others.append(Job(update: nil, parts: [.work(work)]))
                        continue
                    }
                    guard !partition.isBusy, !partition.isDirty, !jobs.isChanging(partition) else {
                        waiting.append(work)
                        continue
                    }
                    jobs.add(.work(work), partition, changing: work.isChange ? work : nil)
                    guard work.isChange else { continue }
                    work.partition = partition
                    running[ObjectIdentifier(work)] = work
                } catch {
                    work.finish(.failure(ServiceRefusal.noPartition))
                }
            }
        }

        private mutating func addDeliveries(to jobs: inout Jobs) {
            for watch in watches.values where !watch.isBusy {
                guard let partition = watch.partition, !partition.isBusy, !partition.isDirty,
                    let sent = watch.sent, partition.newest.version > sent.version.version
                else { continue }
                guard let delivery = watch.takeSteps(partition) else {
                    end(watch, .removedVersions)
                    continue
                }
                jobs.add(.delivery(watch, delivery), partition)
            }
        }

        /// Called when the engine stops.
        mutating func abandonAll() {
            for work in waiting + done + Array(running.values) { work.finish(.failure(ServiceRefusal.stopping)) }
            for watch in newWatches + Array(watches.values) { watch.end(ServiceRefusal.stopping) }
            (waiting, done, running, watches, newWatches, users) = ([], [], [:], [:], [], [:])
        }
    }
#endif
