// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Identifies an asynchronous write or commit of a Realm.
public typealias RLMAsyncTransactionId = UInt32

/// The asynchronous writes of an instance; touched at its place only.
struct AsyncWrites {
    /// What waits for its turn, first come first served.
    var queue: [Entry] = []
    /// The turn that the first of them waits for.
    var turn: WriteTurn?
    /// Whether the turn has come, for a task that is on its way to claim it.
    var isTurnForTask = false
    /// Commits that wait for the disk.
    var inFlight = 0
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
        /// `onFailure` is told if the write cannot even begin.
        case block(() -> Void, onFailure: ((any Swift.Error) -> Void)?)
        /// A task; it claims the turn itself when it comes to run.
        case task(ChangeWaiter)
    }

    mutating func makeIdentifier() -> RLMAsyncTransactionId {
        lastIdentifier &+= 1
        return lastIdentifier
    }
}

/// An instance on its way through other threads back to its own place: it is confined to that, and only passed on
/// elsewhere.
struct AtItsPlace: @unchecked Sendable {
    let instance: RealmInstance
}

extension RealmInstance {
    var isPerformingAsyncWrites: Bool {
        let writes = asyncWrites
        return !writes.queue.isEmpty || writes.turn != nil || writes.inFlight > 0 || writes.ended > 0
            || writes.isRunning
    }

    /// Ends the process where no work can be sent to.
    func verifyTakesAsyncWrites() {
        verifyWritable()
        if !findWhetherItTakesWork() {
            throwRealmException(
                "Cannot schedule async transaction. Make sure you are running from inside a run loop.")
        }
    }

    // MARK: Turns

    func enqueueWrite(
        onFailure: ((any Swift.Error) -> Void)? = nil, _ block: @escaping () -> Void
    ) -> RLMAsyncTransactionId {
        let identifier = asyncWrites.makeIdentifier()
        asyncWrites.queue.append(AsyncWrites.Entry(identifier: identifier, work: .block(block, onFailure: onFailure)))
        requestTurn()
        return identifier
    }

    /// Sees to it that the first of the waiting writes gets its turn.
    func requestTurn() {
        guard asyncWrites.turn == nil, !asyncWrites.queue.isEmpty, transaction == nil else { return }
        let turn = WriteTurn()
        asyncWrites.turn = turn
        let held = AtItsPlace(instance: self)
        let confinement = confinement
        turn.begin(coordinator) { confinement.run { held.instance.turnCame(turn) } }
    }

    /// Takes the turn that was asked for, for a write that cannot wait until it comes. The queue asks again afterwards.
    func claimTurn() throws -> WriteTransaction? {
        guard let turn = asyncWrites.turn else { return nil }
        asyncWrites.turn = nil
        asyncWrites.isTurnForTask = false
        return try turn.take()
    }

    /// Gives the turn that was asked for to others: somebody is about to wait for the right to write otherwise.
    func yieldTurn() {
        guard asyncWrites.turn != nil else { return }
        (try? claimTurn())?.rollback()
        let held = AtItsPlace(instance: self)
        confinement.run { held.instance.requestTurn() }
    }

    private func turnCame(_ turn: WriteTurn) {
        guard asyncWrites.turn === turn else { return requestTurn() }
        guard !asyncWrites.queue.isEmpty else { return yieldTurn() }
        switch asyncWrites.queue.removeFirst().work {
        case .task(let task):
            asyncWrites.isTurnForTask = true
            task.resume(true)
        case .block(let block, let onFailure):
            do {
                if let transaction = try claimTurn() { begin(transaction) }
            } catch {
                guard let onFailure else { throwRealmException("Cannot begin a write transaction: \(error)") }
                onFailure(Realm.Error(error))
                return requestTurn()
            }
            asyncWrites.isRunning = true
            block()
            asyncWrites.isRunning = false
            // A block that does not commit gives its changes up.
            if isInWriteTransaction { cancelWrite() }
            requestTurn()
        }
    }

    // MARK: Commits

    /// Ends the write for the caller; the disk is waited for elsewhere. Then `onEnd` is called, at this place.
    func commitInBackground(_ onEnd: @escaping ((any Swift.Error)?) -> Void) {
        verifyThread()
        let transaction = requireWrite(to: "commit")
        let ending = AsyncEnd(AtItsPlace(instance: self), onEnd)
        do {
            try verifyUndamaged()
            let commit = try transaction.prepareCommit()
            let version = try commit.snapshot(label: "Realm")
            asyncWrites.inFlight += 1
            try endWrite(at: version)
            coordinator.commits.async { ending.finish(commit) }
            notifyRealmObservers(.didChange)
            tracker?.moved(self)
        } catch {
            if transaction.isOpen { transaction.rollback() }
            reading((), { try endWrite() })
            tracker?.moved(self)
            asyncWrites.inFlight += 1
            ending.schedule(Realm.Error(error))
        }
    }

    fileprivate func commitEnded(_ error: (any Swift.Error)?, _ onEnd: ((any Swift.Error)?) -> Void) {
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

/// The rest of a commit that one thread began and another one finishes.
///
/// `onEnd` is called at the instance's place only, hence `@unchecked`.
private struct AsyncEnd: @unchecked Sendable {
    let held: AtItsPlace
    let onEnd: ((any Swift.Error)?) -> Void

    init(_ held: AtItsPlace, _ onEnd: @escaping ((any Swift.Error)?) -> Void) {
        self.held = held
        self.onEnd = onEnd
    }

    /// Waits for the disk; on the queue for that.
    func finish(_ commit: PreparedCommit) {
        do {
            try commit.finish()
            held.instance.coordinator.tellOthers(than: held.instance.port)
            schedule(nil)
        } catch {
            schedule(Realm.Error(error))
        }
    }

    func schedule(_ error: (any Swift.Error)?) {
        held.instance.confinement.run { held.instance.commitEnded(error, onEnd) }
    }
}
