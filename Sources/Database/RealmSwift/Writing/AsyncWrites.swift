// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// A number that identifies an asynchronous write or commit of a Realm.
public typealias RLMAsyncTransactionId = UInt32

/// A number that identifies an asynchronous write, for `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = RLMAsyncTransactionId

/// The asynchronous writes of an instance, and their commits; accessed only where it is confined.
struct AsyncWrites {
    /// The writes that wait for the write lock, in the order of their requests.
    var queue: [Entry] = []
    /// The request for the write lock, for the first of them.
    var turn: WriteLockRequest?
    /// Whether the write lock was granted to a task that hasn't claimed it yet.
    var isTurnForTask = false
    /// Commits that wait for the disk.
    var inFlight = 0
    /// Those of them that wait for another commit, to become durable together.
    var group: CommitGroup?
    /// Whether the next write of the group has been scheduled.
    var isGroupContinuing = false
    /// The completion handlers of commits that aren't durable yet.
    var completions: [RLMAsyncTransactionId: (Swift.Error?) -> Void] = [:]
    /// The number of commits that have ended, or failed immediately, and whose completion handlers weren't called yet.
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
        /// `onFailure` is called if the write can't begin; without it, the block runs in a failed write.
        case block(() -> Void, onFailure: ((any Swift.Error) -> Void)?)
        /// A task, which claims the write lock itself when it runs.
        case task(ChangeWaiter)
    }

    mutating func makeIdentifier() -> RLMAsyncTransactionId {
        lastIdentifier &+= 1
        return lastIdentifier
    }
}
