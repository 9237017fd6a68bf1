// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Identifies an asynchronous write or commit of a Realm.
public typealias RLMAsyncTransactionId = UInt32

/// Names an asynchronous write, for `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = RLMAsyncTransactionId

/// The asynchronous writes of an instance, and their commits; touched at its place only.
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
