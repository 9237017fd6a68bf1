// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import Logging
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// Updates and changes of documents.
    extension SyncEngine {
        /// The documents follow their partition within this time, unless earlier updates take longer.
        private static let documentsDelay = DispatchTimeInterval.seconds(1)

        /// Called when all data is durable.
        func updateDocuments(_ state: EngineState) {
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

        func finish(_ update: DocumentsUpdate, _ copy: DocumentsCopy?, _ state: EngineState) {
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

        func finish(_ copy: DocumentsCopy) {
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

        func take(_ event: DocumentEvent, _ state: EngineState) {
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
        func startDocumentJobs(_ state: EngineState) {
            for job in state.desk.takeJobs(state.folder) {
                guard let partition = job.update?.partition, job.change != nil, !partition.isLocked else {
                    start(job, state)
                    continue
                }
                begin(partition, state)
                access(partition, { try $0.lock() }, { .lockedFor(job, $0) })
            }
        }

        func start(_ job: DocumentDesk.Job, _ access: StoreAccess, _ state: EngineState) {
            if let error = access.failure {
                job.abandon(ServiceRefusal.noPartition)
                return drop(access.partition, error, state)
            }
            endSessionsElsewhere(access.partition, state)
            var job = job
            job.renewUpdate()
            start(job, state)
        }

        func start(_ job: DocumentDesk.Job, _ state: EngineState) {
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
        func run(_ job: DocumentDesk.Job, _ snapshot: Result<Snapshot?, any Error>) {
            for part in job.parts {
                (part.isChange ? work : queries).run(for: part.app) { job.run(part, snapshot) { [self] in post($0) } }
            }
        }

        /// Stops the updates and closes their files, so that another server can use the folder.
        func endUpdates() {
            documents.stop()
            let isOver = DispatchSemaphore(value: 0)
            updates.run { isOver.signal() }
            isOver.wait()
            documents.closeAll()
        }
    }
#endif
