// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension WriteSession {
    package var isPerformingAsyncWrites: Bool {
        let writes = waiting
        return !writes.queue.isEmpty || writes.turn != nil || writes.inFlight > 0 || writes.ended > 0
            || writes.isRunning
    }

    package func verifyTakesAsyncWrites() {
        reader.verifyWritable()
        if !owner.attachToRunLoop() {
            throwRealmException(
                "Cannot schedule async transaction. Make sure you are running from inside a run loop.")
        }
    }

    /// The instance, for work that is sent to its confinement.
    package var held: ConfinedReference<any WriteOwner> { ConfinedReference(instance: owner) }

    // MARK: Write lock

    package func enqueue(
        onFailure: ((any Swift.Error) -> Void)? = nil, _ block: @escaping () -> Void
    ) -> UInt32 {
        let identifier = waiting.makeIdentifier()
        waiting.queue.append(AsyncWrites.Entry(identifier: identifier, work: .block(block, onFailure: onFailure)))
        requestTurn()
        return identifier
    }

    package func requestTurn() {
        guard waiting.turn == nil, !reader.isInWriteTransaction else { return }
        if waiting.group != nil { return continueGroupSoon() }
        guard !waiting.queue.isEmpty else { return }
        let turn = WriteLockRequest()
        waiting.turn = turn
        let held = held
        let confinement = reader.confinement
        confinement.expectWork()
        turn.begin(reader.database, on: host.turns, within: reader.settings.writeLimit) {
            confinement.run { held.instance.writes.turnCame(turn) }
        }
    }

    /// Claims the requested write lock for a write that can't wait until it is granted. The queued writes request it
    /// again afterwards.
    package func claimTurn() throws -> WriteTransaction? {
        guard let turn = waiting.turn else { return nil }
        waiting.turn = nil
        waiting.isTurnForTask = false
        return try turn.take()
    }

    /// Releases the requested write lock, because another caller is about to wait for it.
    package func yieldTurn() {
        guard waiting.turn != nil else { return }
        (try? claimTurn())?.rollback()
        let held = held
        reader.confinement.run { held.instance.writes.requestTurn() }
    }

    private func turnCame(_ turn: WriteLockRequest) {
        guard waiting.turn === turn else { return requestTurn() }
        guard !waiting.queue.isEmpty else { return yieldTurn() }
        switch waiting.queue.removeFirst().work {
        case .task(let task):
            waiting.isTurnForTask = true
            task.resume(true)
        case .block(let block, let onFailure):
            run(block, onFailure) { try claimTurn() }
        }
    }

    private func run(
        _ block: () -> Void, _ onFailure: ((any Swift.Error) -> Void)?, in write: () throws -> WriteTransaction?
    ) {
        do {
            if let transaction = try write() { try begin(transaction) }
        } catch {
            if let onFailure {
                onFailure(error)
                return requestTurn()
            }
            // The block's commit throws the error.
            beginFailed(error)
        }
        waiting.isRunning = true
        block()
        waiting.isRunning = false
        // If the block doesn't commit, its changes are discarded.
        if reader.isInWriteTransaction { cancel() }
        requestTurn()
    }

    // MARK: Commits

    /// Ends the write for the caller, while another thread waits for the disk. Then `onEnd` is called where the
    /// instance is confined.
    ///
    /// With `allowsGrouping`, the wait for the disk begins after the writes in `waiting.queue` have been made.
    package func commitInBackground(allowsGrouping: Bool = false, _ onEnd: @escaping ((any Swift.Error)?) -> Void) {
        // The open write may have the only reference to the instance.
        let owner: any WriteOwner = owner
        defer { withExtendedLifetime(owner) {} }
        reader.verifyThread()
        verifyInProgress(to: "commit")
        let ending = CommitGroup.End(held, onEnd: onEnd)
        do {
            let commit = try requireTransaction().prepareCommit()
            waiting.group = CommitGroup(newest: commit, ends: (waiting.group?.ends ?? []) + [ending])
            waiting.inFlight += 1
            let version = try commit.snapshot(label: VersionReader.holder)
            if !allowsGrouping || !isGroupContinued { finishGroup() }
            try end(at: version)
            owner.writeDidCommit()
        } catch {
            if let transaction = reader.transaction, transaction.isOpen { transaction.rollback() }
            if waiting.group?.ends.last !== ending {
                waiting.inFlight += 1
                ending.schedule(error)
            }
            giveUp(error)
        }
    }

    /// Whether another write may follow before the group becomes durable.
    private var isGroupContinued: Bool {
        guard let group = waiting.group, case .block? = waiting.queue.first?.work else { return false }
        return group.ends.count < CommitGroup.limit && !group.newest.isWaitedFor
    }

    private func continueGroupSoon() {
        guard !waiting.isGroupContinuing else { return }
        waiting.isGroupContinuing = true
        let held = held
        reader.confinement.run {
            held.instance.writes.waiting.isGroupContinuing = false
            held.instance.writes.continueGroup()
        }
    }

    private func continueGroup() {
        guard let group = waiting.group, !reader.isInWriteTransaction else { return }
        guard isGroupContinued, case .block(let block, let onFailure) = waiting.queue.removeFirst().work else {
            finishGroup()
            return requestTurn()
        }
        run(block, onFailure) { try group.newest.beginChild() }
    }

    /// Waits for the disk on another thread, with all commits of the group. No write of the group may be in progress.
    package func finishGroup() {
        guard let group = waiting.group else { return }
        waiting.group = nil
        let (host, port) = (host, owner.port)
        reader.confinement.expectWork()
        host.commits.async { group.finish(host, port) }
    }

    /// Called when a write based on the group has ended immediately. The whole group is then durable, has permanently
    /// failed, or is unchanged.
    package func groupEnded(_ error: (any Swift.Error)?) {
        guard let group = waiting.group, !group.newest.isPending else { return }
        waiting.group = nil
        group.end(error)
    }

    package func commitEnded(_ error: (any Swift.Error)?, _ onEnd: ((any Swift.Error)?) -> Void) {
        waiting.inFlight -= 1
        if error != nil, reader.transaction == nil {
            // Everything that was read since is void.
            reader.reading((), { try owner.returnToCommitted() })
        }
        onEnd(error)
        owner.commitDidEnd()
        requestTurn()
    }

    /// Returns after all commits are durable or have failed.
    package func finishCommits() {
        if reader.transaction == nil { finishGroup() }
        if waiting.inFlight > 0 { host.commits.sync {} }
    }

    package func complete(_ identifier: UInt32, _ error: (any Swift.Error)?) {
        guard let completion = waiting.completions.removeValue(forKey: identifier) else { return }
        waiting.isCompleting = true
        completion(error)
        waiting.isCompleting = false
    }
}
