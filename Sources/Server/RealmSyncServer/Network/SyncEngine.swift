// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import Logging
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Can be used from any thread.
    protocol EngineTransport: AnyObject, Sendable {
        /// Calls `engine.didSend` when another message can be sent.
        func send(_ message: [UInt8])
        /// The client has read the responses of the messages with this total cost.
        func didConsume(_ cost: Int)
        func setSilence(milliseconds: UInt64)
        /// Schedules a call of `engine.checkExpiry`.
        func setExpiry(seconds: Int64)
        /// Closes the connection after the messages sent before.
        func close(_ reason: TransportEnd)
    }

    enum TransportEnd: Sendable {
        /// The client reconnects later. Also used when the server stops, because clients report any other code to their
        /// apps as an error (§2.3).
        case normal
        /// The client requests a new token, or logs the user out.
        case unauthorized
    }

    /// Runs a `SyncServer` on a dedicated thread. It processes the events of the connections and makes the results
    /// durable before the connections send. Events received meanwhile wait, and become durable together in the next
    /// round.
    final class SyncEngine: Sendable {
        private enum Event: Sendable {
            case accept(
                UInt64, offers: [String], AccessGrant, any EngineTransport, @Sendable (String?) -> Void)
            case message(UInt64, [UInt8])
            case sent(UInt64)
            case silent(UInt64)
            case decided(UInt64, Result<Access, SessionError>)
            case expired(UInt64)
            case revoked(Revocation)
            case rightsChanged(RightsChange)
            case rightsDecided(RightsDesk.User, RightsDesk.Decision)
            case gone(UInt64)
            case integrated(UploadIntegration, StoreAccess?)
            case compacted(StoredPartition.Compaction)
            case documented(DocumentsUpdate, DocumentsCopy?)
            case copied(DocumentsCopy)
            case documentsAreDue
            case accessed(StoreAccess)
            case lockedFor(DocumentDesk.Job, StoreAccess)
            /// Other nodes have appended to these stores.
            case appended(Set<UInt64>)
            case documents(DocumentEvent)
            case report(@Sendable (EngineReport?) -> Void)
            case feed(app: String, @Sendable (Result<IngestFeed?, any Error>) -> Void)
            case tick
            case stop
        }

        private struct Inbox {
            var events: [Event] = []
            var isStopping = false
        }

        private let inbox = NIOLockedValueBox(Inbox())
        private let arrival = DispatchSemaphore(value: 0)
        private let lastConnection = NIOLockedValueBox<UInt64>(0)
        private let end = NIOLockedValueBox<(isOver: Bool, failure: (any Error)?, waiting: [@Sendable () -> Void])>(
            (false, nil, []))
        let gate: PermissionGate
        private let limits: ServerLimits
        private let unreadAnswers: Int
        private let clock: @Sendable () -> Int64
        private let logger: Logger
        private let metrics: ServerMetrics
        private let work = BackgroundWork(maximumThreadCount: 4)
        /// Merges can take much longer than other work.
        private let merges = BackgroundWork(maximumThreadCount: 2)
        /// Runs the updates of documents, in the order of their versions.
        private let updates = BackgroundWork(maximumThreadCount: 1)
        /// Waits for the append locks of stores that nodes share.
        private let locks = BackgroundWork(maximumThreadCount: 8)
        private let queries = BackgroundWork(maximumThreadCount: 4)
        /// Writes the copies of documents in the database that nodes share.
        private let copies = BackgroundWork(maximumThreadCount: 1)
        private let documents: OpenDocuments

        /// - Parameter clock: Returns the seconds since 1970.
        ///
        /// - Throws: An error if the folder can't be opened or the thread can't be created.
        init(
            _ makeFolder: @escaping @Sendable () throws -> DataFolder, _ gate: PermissionGate, _ limits: ServerLimits,
            unreadAnswers: Int, documents: OpenDocuments, clock: @escaping @Sendable () -> Int64, logger: Logger,
            metrics: ServerMetrics
        ) throws {
            (self.unreadAnswers, self.documents) = (unreadAnswers, documents)
            (self.gate, self.limits, self.clock, self.logger, self.metrics) = (gate, limits, clock, logger, metrics)
            let opened = NIOLockedValueBox<(any Error)?>(nil)
            let ready = DispatchSemaphore(value: 0)
            let isRunning = SystemThread.runApart { [self] in
                let folder: DataFolder
                do {
                    folder = try makeFolder()
                    try folder.followShared { [weak self] in _ = self?.post(.appended($0)) }
                } catch {
                    opened.withLockedValue { $0 = error }
                    finish(error)
                    ready.signal()
                    return
                }
                ready.signal()
                run(EngineState(folder, limits))
            }
            guard isRunning else { throw ServerFailure(description: "The system gives no further thread.") }
            ready.wait()
            if let error = opened.withLockedValue({ $0 }) { throw error }
        }

        // MARK: Requests from any thread

        /// Calls `answer` with the sub-protocol, or with `nil` if the client and the server don't have a common one.
        func accept(
            offers: [String], _ grant: AccessGrant, _ transport: any EngineTransport,
            _ answer: @escaping @Sendable (String?) -> Void
        ) -> UInt64 {
            let connection = lastConnection.withLockedValue { last in
                last += 1
                return last
            }
            if !post(.accept(connection, offers: offers, grant, transport, answer)) { answer(nil) }
            return connection
        }

        /// Returns false if the engine has stopped.
        func receive(_ message: [UInt8], from connection: UInt64) -> Bool { post(.message(connection, message)) }
        func didSend(_ connection: UInt64) { post(.sent(connection)) }
        func fireSilence(_ connection: UInt64) { post(.silent(connection)) }
        func didDisconnect(_ connection: UInt64) { post(.gone(connection)) }
        func checkExpiry(_ connection: UInt64) { post(.expired(connection)) }
        func revoke(_ revocation: Revocation) { post(.revoked(revocation)) }
        func post(_ change: RightsChange) {
            if !post(.rightsChanged(change)) { change.cancel() }
        }
        func post(_ event: DocumentEvent) { if !post(.documents(event)) { event.abandon() } }

        /// Returns when the rights of the connected users are in effect.
        func changeRights(of user: String?, in app: String?) async {
            await withCheckedContinuation { continuation in
                post(RightsChange(app: app, user: user) { continuation.resume() })
            }
        }

        /// Call this each minute.
        func tick() { post(.tick) }

        /// - Throws: `ServerFailure` if the engine has stopped.
        func report() async throws -> EngineReport {
            let report = await withCheckedContinuation { continuation in
                if !post(.report { continuation.resume(returning: $0) }) { continuation.resume(returning: nil) }
            }
            guard let report else { throw ServerFailure(description: "The server has stopped.") }
            return report
        }

        /// Returns the ingested records of an app, or `nil` if clients have never used it or the server has stopped.
        ///
        /// - Throws: `IngestFeed.Refusal` if the database can't be reached.
        func feed(of app: String) async throws -> IngestFeed? {
            try await withCheckedThrowingContinuation { continuation in
                if !post(.feed(app: app) { continuation.resume(with: $0) }) { continuation.resume(returning: nil) }
            }
        }

        @discardableResult
        private func post(_ event: Event) -> Bool {
            let (isTaken, isFirst) = inbox.withLockedValue { inbox in
                guard !inbox.isStopping else { return (false, false) }
                inbox.events.append(event)
                return (true, inbox.events.count == 1)
            }
            if isFirst { arrival.signal() }
            return isTaken
        }

        /// Closes all connections after the data received so far is durable.
        /// Whether long work is in progress. Stopping doesn't wait for it.
        var isWorking: Bool { work.isBusy || merges.isBusy }

        func stop() {
            let isFirst = inbox.withLockedValue { inbox in
                guard !inbox.isStopping else { return false }
                inbox.isStopping = true
                inbox.events.append(.stop)
                return true
            }
            if isFirst { arrival.signal() }
        }

        /// - Throws: The error that stopped the engine, unless `stop` was called.
        func waitForEnd() async throws {
            await withCheckedContinuation { continuation in
                let isOver = end.withLockedValue { end in
                    if !end.isOver { end.waiting.append { continuation.resume() } }
                    return end.isOver
                }
                if isOver { continuation.resume() }
            }
            if let failure = end.withLockedValue({ $0.failure }) { throw failure }
        }

        private func finish(_ failure: (any Error)?) {
            let unanswered = inbox.withLockedValue { inbox in
                inbox.isStopping = true
                defer { inbox.events = [] }
                return inbox.events
            }
            abandon(unanswered[...])
            let waiting = end.withLockedValue { end in
                (end.isOver, end.failure) = (true, failure)
                defer { end.waiting = [] }
                return end.waiting
            }
            for resume in waiting { resume() }
        }

        private func abandon(_ events: ArraySlice<Event>) {
            for event in events {
                switch event {
                case .accept(_, _, _, _, let answer): answer(nil)
                case .documents(let event): event.abandon()
                case .report(let answer): answer(nil)
                case .feed(_, let answer): answer(.success(nil))
                case .rightsChanged(let change): change.cancel()
                case .lockedFor(let job, _): job.abandon(ServiceRefusal.stopping)
                default: break
                }
            }
        }

        // MARK: Work on the engine's thread

        /// Confined to the engine's thread.
        private final class EngineState {
            let folder: DataFolder
            var server: SyncServer
            var transports: [UInt64: any EngineTransport] = [:]
            var answers: [@Sendable () -> Void] = []
            /// The cost of processed messages that aren't yet reported, by connection.
            var consumed: [UInt64: Int] = [:]
            /// The cost of messages whose responses the client must read first, by connection.
            var unread: [UInt64: Int] = [:]
            var held: [UInt64: HeldMessages] = [:]
            /// The partitions that other threads use.
            var absent: Set<ObjectIdentifier> = []
            /// The stores to which other nodes have appended, until they are read.
            var appended: Set<UInt64> = []
            /// The number of unfinished updates of documents.
            var updateCount = 0
            var documentsTimer = DocumentsTimer.off
            var desk = DocumentDesk()
            var rights = RightsDesk()
            var failure: (any Error)?
            var isStopping = false

            init(_ folder: DataFolder, _ limits: ServerLimits) {
                self.folder = folder
                server = SyncServer(folder, limits)
            }
        }

        private enum DocumentsTimer {
            case off
            case running
            case fired
        }

        private func run(_ state: EngineState) {
            state.folder.openIngested()
            while !state.isStopping {
                arrival.wait()
                let events = inbox.withLockedValue { inbox in
                    defer { inbox.events = [] }
                    return inbox.events
                }
                take(events, state)
                let start = DispatchTime.now().uptimeNanoseconds
                do {
                    if let failure = state.failure { throw failure }
                    for (partition, error) in try state.folder.flush(except: state.absent) {
                        drop(partition, error, state)
                    }
                    metrics.flush.recordNanoseconds(DispatchTime.now().uptimeNanoseconds - start)
                } catch {
                    // It's unknown which data is durable, so nothing may be acknowledged.
                    logger.critical("the server stops: it cannot write", metadata: ["error": "\(error)"])
                    state.failure = error
                    break
                }
                perform(state)
                for partition in state.folder.partitionsToLock { lock(partition, state) }
                startDocumentJobs(state)
                compact(state)
                if state.failure != nil { break }
                updateDocuments(state)
            }
            state.folder.stopFollowing()
            state.desk.abandonAll()
            state.rights.abandonAll()
            endUpdates()
            state.folder.closeDocuments(except: state.absent)
            for answer in state.answers { answer() }
            for transport in state.transports.values { transport.close(.normal) }
            finish(state.failure)
        }

        /// The remaining events aren't acknowledged, so clients send them again.
        private func take(_ events: [Event], _ state: EngineState) {
            for (index, event) in events.enumerated() {
                take(event, state)
                if !state.rights.isEmpty { decideRights(state) }
                guard inbox.withLockedValue({ $0.isStopping }) else { continue }
                state.isStopping = true
                return abandon(events[(index + 1)...])
            }
        }

        private func take(_ event: Event, _ state: EngineState) {
            switch event {
            case .accept(let connection, let offers, let grant, let transport, let answer):
                let name = state.server.accept(connection, offers: offers)
                if name != nil {
                    state.folder.admit(connection, grant)
                    state.transports[connection] = transport
                    checkExpiry(of: connection, state)
                    metrics.connections.record(state.transports.count)
                }
                state.answers.append { answer(name) }
            case .message(let connection, let bytes):
                guard state.transports[connection] != nil else { return }
                metrics.received.increment()
                metrics.receivedBytes.increment(by: bytes.count)
                take(bytes, connection, state)
            case .decided(let connection, let decision): release(connection, decision, state)
            case .expired(let connection): checkExpiry(of: connection, state)
            case .revoked(let revocation):
                for (connection, grant) in state.folder.grants where revocation.concerns(grant) {
                    end(connection, state)
                }
                state.desk.endStreams(revocation)
            case .rightsChanged(let change): take(change, state)
            case .rightsDecided(let user, let decision): state.rights.take(decision, of: user)
            case .sent(let connection):
                state.server.didSend(connection)
                if let cost = state.unread.removeValue(forKey: connection) {
                    state.consumed[connection, default: 0] += cost
                }
            case .silent(let connection): state.server.fireSilence(connection)
            case .gone(let connection):
                state.server.didDisconnect(connection)
                forget(connection, state)
            case .integrated(let integration, let access):
                state.absent.remove(ObjectIdentifier(integration.store))
                if let access, let error = access.failure { return drop(access.partition, error, state) }
                if let partition = access?.partition { endSessionsElsewhere(partition, state) }
                state.server.finish(integration)
                handOnAll(state)
                if let partition = access?.partition { follow(partition, state) }
            case .compacted(let compaction): finish(compaction, state)
            case .documented(let update, let copy): finish(update, copy, state)
            case .copied(let copy): finish(copy)
            case .accessed(let access): finish(access, state)
            case .lockedFor(let job, let access): start(job, access, state)
            case .appended(let stores):
                for partition in state.folder.partitions(of: stores) {
                    if let store = partition.sharedStore { state.appended.insert(store) }
                    follow(partition, state)
                }
            case .documentsAreDue: state.documentsTimer = .fired
            case .documents(let event): take(event, state)
            case .feed(let app, let answer): answer(Result { try state.folder.feed(of: app) })
            case .tick:
                state.server.touchFiles()
                state.folder.expireIngested()
                // Clients of other nodes may have used new apps.
                if state.folder.isShared { state.folder.openIngested() }
                state.folder.unload { state.server.isBound($0) || state.desk.isWatched($0) }
                for connection in Array(state.transports.keys) { checkExpiry(of: connection, state) }
                record(EngineReport(state.folder, state.server))
            case .report(let answer): answer(EngineReport(state.folder, state.server))
            case .stop: state.isStopping = true
            }
        }

        private func record(_ report: EngineReport) {
            metrics.partitions.record(report.partitionCount)
            metrics.sessions.record(report.sessionCount)
            metrics.lag.record(report.sessions.lazy.compactMap { $0.lag?.versions }.max() ?? 0)
        }

        // MARK: Messages

        /// The first message must wait.
        private struct HeldMessages {
            var messages: ArraySlice<[UInt8]> = []
            /// The first message binds a file, and the decision about its access is pending.
            var isDeciding = false
            var isDecided = false
            /// The rights of the user have changed since the decision began.
            var isOutdated = false
        }

        private func take(_ bytes: [UInt8], _ connection: UInt64, _ state: EngineState) {
            // A ping doesn't belong to a session, and the client waits for its response.
            if state.held[connection] != nil, bytes.starts(with: "ping ".utf8) {
                return receive(bytes, connection, state)
            }
            state.held[connection, default: HeldMessages()].messages.append(bytes)
            handOn(connection, state)
        }

        /// A message that binds a file waits for the decision about its access. Any message waits for work on a
        /// partition of its connection.
        private func handOn(_ connection: UInt64, _ state: EngineState) {
            while let held = state.held[connection], !held.isDeciding {
                guard let bytes = held.messages.first else {
                    state.held[connection] = nil
                    return
                }
                guard !state.server.isWaiting(connection) else { return }
                if let path = boundPath(bytes) {
                    if state.folder.isBusy(path, connection: connection) { return }
                    if !held.isDecided, let request = state.folder.request(path, connection: connection) {
                        state.held[connection]?.isDeciding = true
                        state.held[connection]?.isOutdated = false
                        Task { [self] in post(.decided(connection, await gate.decide(request))) }
                        return
                    }
                }
                guard isWritable(bytes, connection, state) else { return }
                state.held[connection]?.messages.removeFirst()
                state.held[connection]?.isDecided = false
                receive(bytes, connection, state)
                pump(state.folder.takeChangedRights(), state)
            }
        }

        private func handOnAll(_ state: EngineState) {
            for connection in state.held.keys.sorted() { handOn(connection, state) }
        }

        private func boundPath(_ bytes: [UInt8]) -> String? {
            guard bytes.starts(with: Array("bind ".utf8)),
                case .bind(let bind)? = try? ClientMessage(bytes, mode: .partition, limit: limits.message)
            else { return nil }
            return bind.path
        }

        private func release(
            _ connection: UInt64, _ decision: Result<Access, SessionError>, _ state: EngineState
        ) {
            guard let held = state.held[connection] else { return }
            state.folder.decide(connection, decision)
            state.held[connection]?.isDeciding = false
            state.held[connection]?.isDecided = !held.isOutdated
            handOn(connection, state)
        }

        // MARK: Rights

        private func take(_ change: RightsChange, _ state: EngineState) {
            let concerned = state.folder.grants.filter { change.concerns($0.value) }
            for connection in concerned.keys { state.held[connection]?.isOutdated = true }
            change.begin()
            state.rights.request(concerned.values.filter { state.folder.documents(of: .init($0)) != nil }, change)
            state.rights.request(state.desk.watchers(concernedBy: change), change)
            change.end()
        }

        /// The sessions of users with other rights replace their views.
        private func pump(_ changed: [StoredPartition], _ state: EngineState) {
            for documents in Dictionary(changed.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { $1 }).values {
                state.server.pumpAll(documents)
            }
        }

        private func decideRights(_ state: EngineState) {
            for grant in state.rights.takeDue() {
                Task { [self] in post(.rightsDecided(.init(grant), await gate.rights(of: grant))) }
            }
            var changed: [StoredPartition] = []
            state.rights.apply { user, decision in
                let documents = state.folder.documents(of: user)
                guard documents?.isBusy != true, state.desk.take(decision, of: user) else { return false }
                if let documents {
                    switch decision {
                    case .success(let rights):
                        if documents.rights?.grant(rights, to: user.user) == true { changed.append(documents) }
                    case .failure(let error): state.server.fail(sessionsOf: user.user.string, in: documents, error)
                    }
                }
                return true
            }
            pump(changed, state)
        }

        private func receive(_ bytes: [UInt8], _ connection: UInt64, _ state: EngineState) {
            state.server.receive(bytes, from: connection)
            state.consumed[connection, default: 0] += SyncEngine.cost(of: bytes)
        }

        /// The approximate memory until the response. Small messages use more than their bytes.
        static func cost(of message: [UInt8]) -> Int { message.count + 256 }

        // MARK: Long work

        private func compact(_ state: EngineState) {
            for partition in state.folder.partitionsToCompact {
                do {
                    let compaction = try partition.beginCompaction()
                    begin(partition, state)
                    work.run { [self] in
                        compaction.run()
                        post(.compacted(compaction))
                    }
                } catch {
                    logger.critical("the server stops: it cannot write", metadata: ["error": "\(error)"])
                    state.failure = error
                    return
                }
            }
        }

        private func finish(_ compaction: StoredPartition.Compaction, _ state: EngineState) {
            do { try compaction.partition.finish(compaction) } catch {
                guard !compaction.partition.isShared else { return drop(compaction.partition, error, state) }
                return state.failure = error
            }
            release(compaction.partition, state)
        }

        /// Passes a partition to another thread.
        private func begin(_ partition: StoredPartition, _ state: EngineState) {
            state.server.setBusy(partition)
            state.absent.insert(ObjectIdentifier(partition))
        }

        private func release(_ partition: StoredPartition, _ state: EngineState) {
            state.absent.remove(ObjectIdentifier(partition))
            state.server.setFree(partition)
            handOnAll(state)
            follow(partition, state)
        }

        private func integrate(_ integration: UploadIntegration, _ access: StoreAccess?) {
            (integration.effort == .longMerge ? merges : work).run { [self] in
                if access?.permits(integration) != false { integration.run() }
                if !post(.integrated(integration, access)) { access?.partition.abandon() }
            }
        }

        // MARK: Stores that nodes share

        /// Returns whether the store to which a message belongs can be changed. Otherwise another thread acquires the
        /// append lock, and the message waits. All messages that arrive meanwhile share the lock.
        private func isWritable(_ message: [UInt8], _ connection: UInt64, _ state: EngineState) -> Bool {
            guard state.folder.isShared, state.server.isConnected(connection),
                SyncEngine.writers.contains(where: { message.starts(with: $0) })
            else { return true }
            let partition: StoredPartition?
            if let path = boundPath(message) {
                partition = state.folder.sharedPartition(path, connection: connection)
            } else {
                let words = message.prefix(40).split(separator: UInt8(ascii: " "), maxSplits: 2)
                let session = words.count > 1 ? UInt64(String(decoding: words[1], as: UTF8.self)) : nil
                partition = session.flatMap { state.server.store(of: $0, of: connection) } as? StoredPartition
            }
            guard let partition, !partition.isLocked else { return true }
            lock(partition, state)
            return false
        }

        /// The messages that change a store. A mark waits for all earlier changes of other nodes.
        private static let writers = ["bind ", "ident ", "query ", "upload ", "mark "].map { Array($0.utf8) }

        private func lock(_ partition: StoredPartition, _ state: EngineState) {
            guard !partition.isBusy else { return }
            begin(partition, state)
            access(partition, { try $0.lock() }, { .accessed($0) })
        }

        /// Runs an operation of a busy partition on a thread that can wait for the database.
        private func access(
            _ partition: StoredPartition, isRead: Bool = false,
            _ body: @escaping @Sendable (StoredPartition) throws -> Void,
            _ event: @escaping @Sendable (StoreAccess) -> Event
        ) {
            let access = StoreAccess(partition, isRead: isRead)
            locks.run { [self] in
                access.run(body)
                if !post(event(access)) { access.partition.abandon() }
            }
        }

        /// Reads what other nodes have appended. A busy partition is read when it's released.
        private func follow(_ partition: StoredPartition, _ state: EngineState) {
            guard !partition.isBusy, let store = partition.sharedStore, state.appended.remove(store) != nil,
                !partition.isLocked
            else { return }
            begin(partition, state)
            access(partition, isRead: true, { try $0.follow() }, { .accessed($0) })
        }

        private func finish(_ access: StoreAccess, _ state: EngineState) {
            let partition = access.partition
            if let error = access.failure { return drop(partition, error, state) }
            endSessionsElsewhere(partition, state)
            release(partition, state)
            if !partition.isBusy, partition.takeLockRequest() {
                state.server.touchFiles()
                state.server.pumpAll(partition)
            }
        }

        private func endSessionsElsewhere(_ partition: StoredPartition, _ state: EngineState) {
            state.server.closeSessions(of: partition.takeForeignFiles(), in: partition)
        }

        /// Closes the connections of a partition before a message is sent that may depend on changes which aren't
        /// durable. The clients connect again, to this node or another one, and repeat their changes.
        private func drop(_ partition: StoredPartition, _ error: any Error, _ state: EngineState) {
            logger.warning(
                "a store is opened again", metadata: ["folder": "\(partition.folder)", "error": "\(error)"])
            state.absent.remove(ObjectIdentifier(partition))
            state.server.drop(partition)
            state.desk.drop(partition)
            state.folder.drop(partition)
            handOnAll(state)
        }

        // MARK: Documents

        /// The documents follow their partition within this time, unless earlier updates take longer.
        private static let documentsDelay = DispatchTimeInterval.seconds(1)

        /// Called when all data is durable.
        private func updateDocuments(_ state: EngineState) {
            guard state.updateCount == 0, state.documentsTimer != .running else { return }
            let partitions = state.folder.partitionsToDocument
            guard !partitions.isEmpty else { return state.documentsTimer = .off }
            guard state.documentsTimer == .fired else {
                state.documentsTimer = .running
                DispatchQueue.global().asyncAfter(deadline: .now() + SyncEngine.documentsDelay) { [weak self] in
                    self?.post(.documentsAreDue)
                }
                return
            }
            state.documentsTimer = .off
            for partition in partitions {
                let update = DocumentsUpdate(partition)
                let copy = DocumentsCopy(partition, state.folder.shared)
                state.updateCount += 1
                if update.isExclusive { begin(partition, state) }
                updates.run { [self] in
                    update.run(documents)
                    copy?.take(documents, after: update)
                    post(.documented(update, copy))
                }
            }
        }

        private func finish(_ update: DocumentsUpdate, _ copy: DocumentsCopy?, _ state: EngineState) {
            state.updateCount -= 1
            update.partition.finishDocuments(update.result)
            if update.isExclusive { release(update.partition, state) }
            if case .failure(let error) = update.result {
                logger.warning(
                    "the documents of a partition are not up to date",
                    metadata: ["folder": "\(update.partition.folder)", "error": "\(error)"])
            }
            guard let copy else { return }
            copies.run { [self] in
                // Until the copy is finished, no other one of the partition begins.
                let delay = copy.run() ? 0 : copy.retryDelay
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(delay)) { [weak self] in
                    self?.post(.copied(copy))
                }
            }
        }

        private func finish(_ copy: DocumentsCopy) {
            copy.partition.finishCopy((try? copy.result.get()) ?? nil)
            for error in copy.indexErrors {
                logger.warning(
                    "an index of the documents in PostgreSQL isn't created; the next start tries again",
                    metadata: ["folder": "\(copy.partition.folder)", "error": "\(error)"])
            }
            if case .failure(let error) = copy.result {
                logger.warning(
                    "the documents in PostgreSQL are not up to date",
                    metadata: ["folder": "\(copy.partition.folder)", "error": "\(error)"])
            }
        }

        private func take(_ event: DocumentEvent, _ state: EngineState) {
            state.desk.take(event, state.folder)
            switch event {
            case .updated(let update) where update.isExclusive && !update.isOfChange: release(update.partition, state)
            case .done(let work): if let partition = work.partition { release(partition, state) }
            // The rights may have changed since the call was admitted.
            case .watch(let watch) where watch.place.isFlexible: state.rights.request([watch.grant], nil)
            default: break
            }
        }

        /// Called when all data is durable.
        private func startDocumentJobs(_ state: EngineState) {
            for job in state.desk.takeJobs(state.folder) {
                guard let partition = job.update?.partition, job.change != nil, !partition.isLocked else {
                    start(job, state)
                    continue
                }
                begin(partition, state)
                access(partition, { try $0.lock() }, { .lockedFor(job, $0) })
            }
        }

        private func start(_ job: DocumentDesk.Job, _ access: StoreAccess, _ state: EngineState) {
            if let error = access.failure {
                job.abandon(ServiceRefusal.noPartition)
                return drop(access.partition, error, state)
            }
            endSessionsElsewhere(access.partition, state)
            var job = job
            job.renewUpdate()
            start(job, state)
        }

        private func start(_ job: DocumentDesk.Job, _ state: EngineState) {
            guard let update = job.update else { return run(job, .success(nil)) }
            update.isOfChange = job.change != nil
            let current = update.isExclusive ? update.partition.currentDocuments : nil
            if update.isOfChange || update.isExclusive && current == nil { begin(update.partition, state) }
            if let current { return run(job, .success(current)) }
            updates.run { [self] in
                update.run(documents)
                let snapshot = Result { try documents.snapshot(after: update) }
                post(.updated(update))
                run(job, snapshot)
            }
        }

        /// A change doesn't wait for slow queries, because the clients of the partition wait for it.
        private func run(_ job: DocumentDesk.Job, _ snapshot: Result<Snapshot?, any Error>) {
            for part in job.parts {
                (part.isChange ? work : queries).run { job.run(part, snapshot) { [self] in post($0) } }
            }
        }

        /// Stops the updates and closes their files, so that another server can use the folder.
        private func endUpdates() {
            documents.stop()
            let isOver = DispatchSemaphore(value: 0)
            updates.run { isOver.signal() }
            isOver.wait()
            documents.closeAll()
        }

        // MARK: Tokens

        private static let longestTimer: Int64 = 24 * 3600

        /// Schedules the next check unless the token has expired.
        private func checkExpiry(of connection: UInt64, _ state: EngineState) {
            guard let grant = state.folder.grants[connection] else { return }
            let left = grant.expiry - clock()
            if left <= 0 { return end(connection, state) }
            state.transports[connection]?.setExpiry(seconds: min(left, SyncEngine.longestTimer))
        }

        private func end(_ connection: UInt64, _ state: EngineState) {
            state.server.didDisconnect(connection)
            state.transports[connection]?.close(.unauthorized)
            forget(connection, state)
        }

        // MARK: Connections

        private func forget(_ connection: UInt64, _ state: EngineState) {
            state.held[connection] = nil
            state.unread[connection] = nil
            state.folder.forget(connection)
            state.transports[connection] = nil
            metrics.connections.record(state.transports.count)
        }

        /// Reading isn't resumed while the client must first read responses.
        private func acknowledge(_ cost: Int, _ connection: UInt64, _ state: EngineState) {
            guard let transport = state.transports[connection] else { return }
            if state.server.unansweredCount(connection) > unreadAnswers {
                state.unread[connection, default: 0] += cost
            } else {
                transport.didConsume(cost)
            }
        }

        /// The text of the error can quote data of the client, so it isn't logged.
        private func noteError(_ code: Int, _ connection: UInt64, _ state: EngineState) {
            let user = state.folder.grants[connection]?.user ?? ""
            logger.warning(
                "a client gets error \(code)", metadata: ["connection": "\(connection)", "user": "\(user)"])
        }

        private func perform(_ state: EngineState) {
            for answer in state.answers { answer() }
            state.answers.removeAll(keepingCapacity: true)
            state.desk.answer()
            for effect in state.server.takeEffects() {
                switch effect {
                case .send(let connection, let bytes):
                    metrics.sent.increment()
                    metrics.sentBytes.increment(by: bytes.count)
                    state.transports[connection]?.send(bytes)
                case .close(let connection):
                    state.transports[connection]?.close(.normal)
                    forget(connection, state)
                case .setTimer(let connection, let milliseconds):
                    state.transports[connection]?.setSilence(milliseconds: milliseconds)
                case .integrate(let integration):
                    state.absent.insert(ObjectIdentifier(integration.store))
                    let access = StoreAccess(sharing: integration.store)
                    guard let access else {
                        integrate(integration, nil)
                        break
                    }
                    // A thread that waits for a lock would delay the work of those that hold one.
                    locks.run { [self] in
                        access.run { try $0.lock() }
                        integrate(integration, access)
                    }
                case .sessionError(let connection, let code): noteError(code, connection, state)
                case .log(let connection, let text):
                    metrics.violations.increment()
                    logger.warning("\(text)", metadata: ["connection": "\(connection)"])
                }
            }
            for (connection, cost) in state.consumed { acknowledge(cost, connection, state) }
            state.consumed.removeAll(keepingCapacity: true)
        }
    }
#endif
