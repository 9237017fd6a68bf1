// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Identifies an asynchronous write or commit of a Realm.
public typealias RLMAsyncTransactionId = UInt32

/// Names an asynchronous write, for `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = RLMAsyncTransactionId

/// The asynchronous writes of an instance; touched at its place only.
struct AsyncWrites {
    /// The writes that wait for the write lock, first come first served.
    var queue: [Entry] = []
    /// The request for the write lock that the first of them waits for.
    var turn: WriteLockRequest?
    /// Whether the write lock was granted to a task that is on its way to claim it.
    var isTurnForTask = false
    /// Commits that wait for the disk.
    var inFlight = 0
    /// Those of them that wait for one more, to become durable together.
    var group: CommitGroup?
    /// Whether the next write of the group is on its way.
    var isGroupContinuing = false
    /// What is to be called when a commit is durable.
    var completions: [RLMAsyncTransactionId: (Swift.Error?) -> Void] = [:]
    /// Commits that have ended, or failed at once, and whose completions were not called yet.
    var ended = 0
    /// Whether a completion is being called.
    var isCompleting = false
    /// Whether a block is being run.
    var isRunning = false
    private var lastIdentifier: RLMAsyncTransactionId = 0

    struct Entry {
        let identifier: RLMAsyncTransactionId
        let work: Work
    }

    enum Work {
        /// `onFailure` is told if the write cannot even begin; without it, the block runs in a write that has failed.
        case block(() -> Void, onFailure: ((any Swift.Error) -> Void)?)
        /// A task; it claims the write lock itself when it comes to run.
        case task(ChangeWaiter)
    }

    mutating func makeIdentifier() -> RLMAsyncTransactionId {
        lastIdentifier &+= 1
        return lastIdentifier
    }
}

/// An instance on its way through other threads back to its own place: it is confined to that, and only passed on
/// elsewhere.
struct ConfinedReference: @unchecked Sendable {
    let instance: RealmInstance
}

extension RealmInstance {
    var isPerformingAsyncWrites: Bool {
        let writes = asyncWrites
        return !writes.queue.isEmpty || writes.turn != nil || writes.inFlight > 0 || writes.ended > 0
            || writes.isRunning
    }

    /// Traps if no work can be sent to this place.
    func verifyTakesAsyncWrites() {
        verifyWritable()
        if !attachToRunLoop() {
            throwRealmException(
                "Cannot schedule async transaction. Make sure you are running from inside a run loop.")
        }
    }

    // MARK: Write lock

    func enqueueWrite(
        onFailure: ((any Swift.Error) -> Void)? = nil, _ block: @escaping () -> Void
    ) -> RLMAsyncTransactionId {
        let identifier = asyncWrites.makeIdentifier()
        asyncWrites.queue.append(AsyncWrites.Entry(identifier: identifier, work: .block(block, onFailure: onFailure)))
        requestTurn()
        return identifier
    }

    /// Requests the write lock for the first of the waiting writes.
    func requestTurn() {
        guard asyncWrites.turn == nil, !isInWriteTransaction else { return }
        if asyncWrites.group != nil { return continueGroupSoon() }
        guard !asyncWrites.queue.isEmpty else { return }
        let turn = WriteLockRequest()
        asyncWrites.turn = turn
        let held = ConfinedReference(instance: self)
        let confinement = confinement
        turn.begin(coordinator, within: configuration.writeLimit) { confinement.run { held.instance.turnCame(turn) } }
    }

    /// Takes the write lock that was requested, for a write that cannot wait until it is granted. The queue requests it
    /// again afterwards.
    func claimTurn() throws -> WriteTransaction? {
        guard let turn = asyncWrites.turn else { return nil }
        asyncWrites.turn = nil
        asyncWrites.isTurnForTask = false
        return try turn.take()
    }

    /// Gives up the write lock that was requested: another caller here is about to wait for it.
    func yieldTurn() {
        guard asyncWrites.turn != nil else { return }
        (try? claimTurn())?.rollback()
        let held = ConfinedReference(instance: self)
        confinement.run { held.instance.requestTurn() }
    }

    private func turnCame(_ turn: WriteLockRequest) {
        guard asyncWrites.turn === turn else { return requestTurn() }
        guard !asyncWrites.queue.isEmpty else { return yieldTurn() }
        switch asyncWrites.queue.removeFirst().work {
        case .task(let task):
            asyncWrites.isTurnForTask = true
            task.resume(true)
        case .block(let block, let onFailure):
            run(block, onFailure) { try claimTurn() }
        }
    }

    /// Runs the block of a write that begins now.
    private func run(
        _ block: () -> Void, _ onFailure: ((any Swift.Error) -> Void)?, in write: () throws -> WriteTransaction?
    ) {
        do {
            if let transaction = try write() { try begin(transaction) }
        } catch {
            if let onFailure {
                onFailure(Realm.Error(error))
                return requestTurn()
            }
            // The block finds out when it commits.
            beginFailedWrite(error)
        }
        asyncWrites.isRunning = true
        block()
        asyncWrites.isRunning = false
        // A block that does not commit gives its changes up.
        if isInWriteTransaction { cancelWrite() }
        requestTurn()
    }

    // MARK: Commits

    /// Ends the write for the caller; the disk is waited for elsewhere. Then `onEnd` is called, at this place.
    ///
    /// With `allowsGrouping` the disk is not waited for before the writes that wait here for the write lock have been
    /// made.
    func commitInBackground(allowsGrouping: Bool = false, _ onEnd: @escaping ((any Swift.Error)?) -> Void) {
        verifyThread()
        verifyWrite(to: "commit")
        let ending = CommitGroup.End(instance: ConfinedReference(instance: self), onEnd: onEnd)
        do {
            let commit = try requireTransaction().prepareCommit()
            asyncWrites.group = CommitGroup(newest: commit, ends: (asyncWrites.group?.ends ?? []) + [ending])
            asyncWrites.inFlight += 1
            let version = try commit.snapshot(label: RealmInstance.holder)
            if !allowsGrouping || !isGroupContinued { finishGroup() }
            try endWrite(at: version)
            notifyRealmObservers(.didChange)
            tracker?.moved(self)
        } catch {
            if let transaction, transaction.isOpen { transaction.rollback() }
            if asyncWrites.group?.ends.last !== ending {
                asyncWrites.inFlight += 1
                ending.schedule(Realm.Error(error))
            }
            giveUpWrite(error)
        }
    }

    /// Whether one more write may come before the group becomes durable.
    private var isGroupContinued: Bool {
        guard let group = asyncWrites.group, case .block? = asyncWrites.queue.first?.work else { return false }
        return group.ends.count < CommitGroup.limit && !group.newest.isWaitedFor
    }

    private func continueGroupSoon() {
        guard !asyncWrites.isGroupContinuing else { return }
        asyncWrites.isGroupContinuing = true
        let held = ConfinedReference(instance: self)
        confinement.run {
            held.instance.asyncWrites.isGroupContinuing = false
            held.instance.continueGroup()
        }
    }

    private func continueGroup() {
        guard let group = asyncWrites.group, !isInWriteTransaction else { return }
        guard isGroupContinued, case .block(let block, let onFailure) = asyncWrites.queue.removeFirst().work else {
            finishGroup()
            return requestTurn()
        }
        run(block, onFailure) { try group.newest.beginChild() }
    }

    /// Waits for the disk with all commits of the group, elsewhere. No write of it may be in progress.
    func finishGroup() {
        guard let group = asyncWrites.group else { return }
        asyncWrites.group = nil
        let (coordinator, port) = (coordinator, port)
        coordinator.commits.async { group.finish(coordinator, port) }
    }

    /// A write on top of the group ended at once: either all of the group is durable, or none of it will ever be, or
    /// the group is as it was before.
    func groupEnded(_ error: (any Swift.Error)?) {
        guard let group = asyncWrites.group, !group.newest.isPending else { return }
        asyncWrites.group = nil
        group.end(error.map { Realm.Error($0) })
    }

    func commitEnded(_ error: (any Swift.Error)?, _ onEnd: ((any Swift.Error)?) -> Void) {
        asyncWrites.inFlight -= 1
        if error != nil, transaction == nil {
            // What was read since is void.
            reading((), { try returnToCommitted() })
        }
        onEnd(error)
        followOthers()
        requestTurn()
    }

    /// Returns when no commit waits for the disk.
    func finishCommits() {
        if transaction == nil { finishGroup() }
        if asyncWrites.inFlight > 0 { coordinator.commits.sync {} }
    }

    /// Calls the completion of a commit, unless it was cancelled.
    func complete(_ identifier: RLMAsyncTransactionId, _ error: (any Swift.Error)?) {
        guard let completion = asyncWrites.completions.removeValue(forKey: identifier) else { return }
        asyncWrites.isCompleting = true
        completion(error)
        asyncWrites.isCompleting = false
    }
}
