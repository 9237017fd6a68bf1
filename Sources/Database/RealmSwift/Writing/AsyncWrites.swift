// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// A number that identifies an asynchronous write or commit of a Realm.
public typealias RLMAsyncTransactionId = UInt32

/// A number that identifies an asynchronous write or commit, for `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = RLMAsyncTransactionId

/// The asynchronous writes of an instance and their commits. Confined like the instance.
struct AsyncWrites {
    var queue: [Entry] = []
    /// The request for the write lock, for the first entry of `queue`.
    var turn: WriteLockRequest?
    /// Whether the write lock was granted to a task that hasn't claimed it yet.
    var isTurnForTask = false
    var inFlight = 0
    /// The commits that wait for another one, to become durable together.
    var group: CommitGroup?
    var isGroupContinuing = false
    /// The completion handlers of commits that aren't durable yet.
    var completions: [RLMAsyncTransactionId: (Swift.Error?) -> Void] = [:]
    /// The number of commits that have ended, or failed immediately, and whose completion handlers haven't been called
    /// yet.
    var ended = 0
    var isCompleting = false
    var isRunning = false
    private var lastIdentifier: RLMAsyncTransactionId = 0

    struct Entry {
        let identifier: RLMAsyncTransactionId
        let work: Work
    }

    enum Work {
        /// `onFailure` is called if the write can't begin. Without it, the block runs in a failed write.
        case block(() -> Void, onFailure: ((any Swift.Error) -> Void)?)
        case task(ChangeWaiter)
    }

    mutating func makeIdentifier() -> RLMAsyncTransactionId {
        lastIdentifier &+= 1
        return lastIdentifier
    }
}
