// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The asynchronous writes of an instance and their commits. Confined like the instance.
package struct AsyncWrites {
    package var queue: [Entry] = []
    /// The request for the write lock, for the first entry of `queue`.
    package var turn: WriteLockRequest?
    /// Whether the write lock was granted to a task that hasn't claimed it yet.
    package var isTurnForTask = false
    package var inFlight = 0
    /// The commits that wait for another one, to become durable together.
    package var group: CommitGroup?
    package var isGroupContinuing = false
    /// The completion handlers of commits that aren't durable yet.
    package var completions: [UInt32: (Swift.Error?) -> Void] = [:]
    /// The number of commits that have ended, or failed immediately, and whose completion handlers haven't been called
    /// yet.
    package var ended = 0
    package var isCompleting = false
    package var isRunning = false
    private var lastIdentifier: UInt32 = 0

    package struct Entry {
        package let identifier: UInt32
        package let work: Work

        package init(identifier: UInt32, work: Work) {
            self.identifier = identifier
            self.work = work
        }
    }

    package enum Work {
        /// `onFailure` is called if the write can't begin. Without it, the block runs in a failed write.
        case block(() -> Void, onFailure: ((any Swift.Error) -> Void)?)
        case task(ChangeWaiter)
    }

    package mutating func makeIdentifier() -> UInt32 {
        lastIdentifier &+= 1
        return lastIdentifier
    }
}
