// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The asynchronous writes of an instance, and their commits; accessed only where it is confined.
package struct AsyncWrites {
    /// The writes that wait for the write lock, in the order of their requests.
    package var queue: [Entry] = []
    /// The request for the write lock, for the first of them.
    package var turn: WriteLockRequest?
    /// Whether the write lock was granted to a task that hasn't claimed it yet.
    package var isTurnForTask = false
    /// Commits that wait for the disk.
    package var inFlight = 0
    /// Those of them that wait for another commit, to become durable together.
    package var group: CommitGroup?
    /// Whether the next write of the group has been scheduled.
    package var isGroupContinuing = false
    /// The completion handlers of commits that aren't durable yet.
    package var completions: [UInt32: (Swift.Error?) -> Void] = [:]
    /// The number of commits that have ended, or failed immediately, and whose completion handlers weren't called yet.
    package var ended = 0
    /// Whether a completion is being called.
    package var isCompleting = false
    /// Whether a block is being run.
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
        /// `onFailure` is called if the write can't begin; without it, the block runs in a failed write.
        case block(() -> Void, onFailure: ((any Swift.Error) -> Void)?)
        /// A task, which claims the write lock itself when it runs.
        case task(ChangeWaiter)
    }

    package mutating func makeIdentifier() -> UInt32 {
        lastIdentifier &+= 1
        return lastIdentifier
    }
}
