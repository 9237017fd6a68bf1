// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import Logging
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Runs a `SyncServer` on a dedicated thread. It processes the events of the connections and makes the results
    /// durable before the connections send. Events received meanwhile wait, and become durable together in the next
    /// round.
    final class SyncEngine: Sendable {
        enum Event: Sendable {
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
            case failed(any Error)
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
        let end = NIOLockedValueBox<(isOver: Bool, failure: (any Error)?, waiting: [@Sendable () -> Void])>(
            (false, nil, []))
        let gate: PermissionGate
        let limits: ServerLimits
        let unreadAnswers: Int
        let clock: @Sendable () -> Int64
        let logger: Logger
        let metrics: ServerMetrics
        let work = BackgroundWork(maximumThreadCount: 16, perOwner: 4)
        /// Merges can take much longer than other work.
        let merges = BackgroundWork(maximumThreadCount: 4, perOwner: 2)
        /// Runs the updates of documents, in the order of their versions.
        let updates = BackgroundWork(maximumThreadCount: 1)
        /// Waits for the append locks of stores that nodes share.
        let locks = BackgroundWork(maximumThreadCount: 8)
        let queries = BackgroundWork(maximumThreadCount: 16, perOwner: 4)
        /// Writes the copies of documents in the database that nodes share.
        let copies = BackgroundWork(maximumThreadCount: 1)
        let documents: OpenDocuments

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
                let failure = run(makeFolder) { error in
                    opened.withLockedValue { $0 = error }
                    ready.signal()
                }
                finish(failure)
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
        func post(_ event: Event) -> Bool {
            let (isTaken, isFirst) = inbox.withLockedValue { inbox in
                guard !inbox.isStopping else { return (false, false) }
                inbox.events.append(event)
                return (true, inbox.events.count == 1)
            }
            if isFirst { arrival.signal() }
            return isTaken
        }

        /// Closes all connections after the data received so far is durable. Doesn't wait for long work in progress.
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

        func finish(_ failure: (any Error)?) {
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

        func abandon(_ events: ArraySlice<Event>) {
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

        /// Returns the error that stopped the engine. By then the folder's lock is released, so that another server can
        /// begin.
        private func run(
            _ makeFolder: () throws -> DataFolder, _ didOpen: ((any Error)?) -> Void
        ) -> (any Error)? {
            let state: EngineState
            do {
                let folder = try makeFolder()
                try folder.followShared(
                    { [weak self] in _ = self?.post(.appended($0)) }, { [weak self] in _ = self?.post(.failed($0)) })
                state = EngineState(folder, limits)
            } catch {
                didOpen(error)
                return error
            }
            didOpen(nil)
            run(state)
            return state.failure
        }

        func run(_ state: EngineState) {
            state.folder.openIngested()
            while !state.isStopping {
                if state.server.isRoundDue { _ = arrival.wait(timeout: .now()) } else { arrival.wait() }
                let events = inbox.withLockedValue { inbox in
                    defer { inbox.events = [] }
                    return inbox.events
                }
                take(events, state)
                if state.server.runRound() { handOnAll(state) }
                let start = DispatchTime.now().uptimeNanoseconds
                do {
                    if let failure = state.failure { throw failure }
                    for (partition, error) in try state.folder.flush(except: state.absent) {
                        drop(partition, error, state)
                    }
                    metrics.flush.recordNanoseconds(DispatchTime.now().uptimeNanoseconds - start)
                } catch {
                    // It's unknown which data is durable, so nothing may be acknowledged.
                    logger.critical("the server stops", metadata: ["error": "\(error)"])
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
        }

        func perform(_ state: EngineState) {
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

        /// The remaining events aren't acknowledged, so clients send them again.
        func take(_ events: [Event], _ state: EngineState) {
            for (index, event) in events.enumerated() {
                take(event, state)
                if !state.rights.isEmpty { decideRights(state) }
                guard inbox.withLockedValue({ $0.isStopping }) else { continue }
                state.isStopping = true
                return abandon(events[(index + 1)...])
            }
        }

        func take(_ event: Event, _ state: EngineState) {
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
            case .failed(let error): state.failure = error
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

        func record(_ report: EngineReport) {
            metrics.partitions.record(report.partitionCount)
            metrics.sessions.record(report.sessionCount)
            metrics.lag.record(report.sessions.lazy.compactMap { $0.lag?.versions }.max() ?? 0)
        }
    }
#endif
