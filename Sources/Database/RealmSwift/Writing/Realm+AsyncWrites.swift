// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// Writes that don't block their thread while they wait for other writers or the disk.
///
/// They require a Realm of the main thread, a queue, an actor, or a thread with an active run loop; elsewhere they
/// trap. The Realm is retained while any are in progress.
extension Realm {
    /// A number that identifies an asynchronous write or commit.
    public typealias AsyncTransactionId = RLMAsyncTransactionId

    /// Runs `block` asynchronously in a write transaction, on the Realm's thread, queue or actor, and commits it.
    ///
    /// If the block itself commits or cancels the write, nothing else is done. The returned identifier can be passed to
    /// `cancelAsyncWrite(_:)` until the block runs.
    ///
    /// - Parameters:
    ///   - block: The changes, which are made on the Realm's thread, queue or actor.
    ///   - onComplete: Called on the Realm's thread, queue or actor, without an error when the changes are durable, or
    ///     with the error that prevented it.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
    ) -> AsyncTransactionId {
        instance.writes.verifyTakesAsyncWrites()
        let realm = Unowned(instance)
        let logger = instance.coordinator.logger
        let onFailure: (Swift.Error) -> Void = { failure in
            let error = Realm.Error(failure)
            guard let onComplete else { return logger.log(.error, "A write could not begin: \(error)") }
            onComplete(error)
        }
        return instance.writes.enqueue(onFailure: onFailure) {
            block()
            let realm = Realm(realm.instance)
            if realm.isInWriteTransaction {
                realm.commitAsyncWrite(onComplete)
            } else if let onComplete {
                realm.instance.writes.completeSoon(onComplete)
            }
        }
    }

    /// Runs `asyncWriteBlock` asynchronously in a write transaction, on the Realm's thread, queue or actor. Returns
    /// immediately.
    ///
    /// Blocks run in the order of these calls. If a block neither commits nor cancels the write, its changes are rolled
    /// back. If the write couldn't begin, changes are skipped, and the commit reports the error.
    @discardableResult
    public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
        instance.writes.verifyTakesAsyncWrites()
        return instance.writes.enqueue(asyncWriteBlock)
    }

    /// Ends the write transaction, and returns before its changes are durable. Until then, the changes are visible only
    /// in this Realm.
    ///
    /// With `allowGrouping`, the commit may become durable together with other queued writes of this Realm, in the time
    /// of one commit. After a crash, the file contains all of them or none. The group ends with a commit that doesn't
    /// allow grouping, with the last queued write, when another thread waits to write, and after 64 commits.
    ///
    /// - Parameters:
    ///   - allowGrouping: Whether the commit may become durable together with other queued writes.
    ///   - onComplete: Called on the Realm's thread, queue or actor when the changes are durable. If they couldn't be
    ///     made durable, it is called with the error, and the changes are removed from this Realm too. It must not
    ///     begin or end writes.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
    ) -> AsyncTransactionId {
        instance.writes.verifyTakesAsyncWrites()
        let identifier = instance.writes.waiting.makeIdentifier()
        instance.writes.waiting.completions[identifier] = onComplete
        let realm = Unowned(instance)
        instance.writes.commitInBackground(allowsGrouping: allowGrouping) {
            realm.instance.writes.complete(identifier, $0.map { Realm.Error($0) })
        }
        return identifier
    }

    /// Cancels a write whose block hasn't run yet, or prevents the completion block of a commit from being called. Does
    /// nothing for any other identifier.
    public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
        instance.verifyThread()
        instance.writes.waiting.completions[asyncTransactionId] = nil
        instance.writes.waiting.queue.removeAll { $0.identifier == asyncTransactionId }
    }

    /// A Boolean value that indicates whether asynchronous writes are waiting for the write lock, running, or waiting
    /// for the disk.
    public var isPerformingAsynchronousWriteOperations: Bool {
        instance.verifyThread()
        return instance.writes.isPerformingAsyncWrites
    }

    /// Runs `block` in a write transaction and commits it. Suspends the task while waiting for other writers and for
    /// the disk. If the block throws an error, all changes are rolled back and the error is rethrown.
    ///
    /// If the task is cancelled before the block begins, `CancellationError` is thrown. After that, cancelling has no
    /// effect.
    ///
    /// - Precondition: The Realm is confined to the main thread or to an actor.
    @discardableResult
    public func asyncWrite<Result>(
        _isolation actor: isolated any Actor = #isolation, _ block: (() throws -> Result)
    ) async throws -> Result {
        if !instance.confinement.isActor {
            throwRealmException("asyncWrite() can only be called on main thread or actor-isolated Realms")
        }
        instance.verifyWritable()
        let transaction = try await instance.writes.nextTurn(on: actor)
        instance.writes.waiting.isRunning = true
        defer { instance.writes.waiting.isRunning = false }
        try instance.throwing { try instance.writes.begin(transaction) }
        let result = try instance.writes.rollingBackOnError(block)
        if isInWriteTransaction { try await instance.writes.commit(on: actor) }
        return result
    }
}

/// The instance of a queued block. Unretained, because the queue that retains the block also retains the instance.
private struct Unowned {
    unowned let instance: RealmInstance
    init(_ instance: RealmInstance) { self.instance = instance }
}

extension WriteSession {
    fileprivate func completeSoon(_ completion: @escaping (Swift.Error?) -> Void) {
        let identifier = waiting.makeIdentifier()
        waiting.completions[identifier] = completion
        waiting.ended += 1
        let held = held
        reader.confinement.run {
            held.instance.writes.waiting.ended -= 1
            held.instance.writes.complete(identifier, nil)
        }
    }

    /// Waits for the write lock. Requests are granted in order.
    fileprivate func nextTurn(on actor: isolated any Actor) async throws -> WriteTransaction {
        var wasOvertaken = false
        while true {
            try Task.checkCancellation()
            let identifier = waiting.makeIdentifier()
            let waiter = ChangeWaiter()
            let entry = AsyncWrites.Entry(identifier: identifier, work: .task(waiter))
            waiting.queue.insert(entry, at: wasOvertaken ? 0 : waiting.queue.count)
            requestTurn()
            let isResumed = await withTaskCancellationHandler {
                await withCheckedContinuation(isolation: actor) { waiter.start($0) }
            } onCancel: {
                waiter.resume(false)
            }
            let isWaiting = waiting.queue.contains { $0.identifier == identifier }
            waiting.queue.removeAll { $0.identifier == identifier }
            if Task.isCancelled || !isResumed {
                if !isWaiting, waiting.isTurnForTask { yieldTurn() }
                throw CancellationError()
            }
            // A synchronous write may have claimed the write lock meanwhile.
            do {
                if waiting.isTurnForTask, let transaction = try claimTurn() { return transaction }
            } catch {
                throw Realm.Error(error)
            }
            wasOvertaken = true
        }
    }

    fileprivate func commit(on actor: isolated any Actor) async throws {
        let error = await withCheckedContinuation(isolation: actor) {
            (continuation: CheckedContinuation<(any Swift.Error)?, Never>) in
            commitInBackground { continuation.resume(returning: $0) }
        }
        if let error { throw Realm.Error(error) }
    }
}
