// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// Work scheduled on a serial queue whose blocks may run a run loop, such as those of the main queue.
///
/// The queue runs nothing while one of its blocks runs the loop. So each item is also scheduled on the loop, if that
/// runs, where it waits for a few passes to let the queue run it first if possible. Items stay in order.
package final class NestedQueueWork: Sendable {
    package static let main = NestedQueueWork(.main, .main)

    private struct Pending {
        /// The number of the first of `pieces`.
        var first = 0
        var pieces: [@Sendable () -> Void] = []
    }

    private let queue: DispatchQueue
    private let loop: RunLoopMark
    private let pending = Locked(Pending())
    private let isLoopKept = Locked(false)

    package init(_ queue: DispatchQueue, _ loop: RunLoopMark) { (self.queue, self.loop) = (queue, loop) }

    package func run(_ body: @escaping @Sendable () -> Void) {
        let number = pending.withLock { pending in
            pending.pieces.append(body)
            return pending.first + pending.pieces.count - 1
        }
        queue.async { self.runPieces(upTo: number) }
        if keepLoop() { runInLoop(upTo: number, after: 4) }
    }

    /// Keeps the loop, if it runs, from returning before an item is scheduled or while one is pending: a loop without
    /// sources returns at once on platforms where the queue's own work doesn't count. Returns whether it runs.
    @discardableResult
    package func keepLoop() -> Bool {
        guard loop.isRunning else { return false }
        let isFirst = isLoopKept.withLock { isKept in
            defer { isKept = true }
            return !isKept
        }
        if isFirst { loop.keep() }
        return true
    }

    private func runInLoop(upTo number: Int, after passes: Int) {
        loop.perform {
            guard self.pending.withLock({ $0.first <= number }) else { return }
            if passes == 0 { self.runPieces(upTo: number) } else { self.runInLoop(upTo: number, after: passes - 1) }
        }
    }

    private func runPieces(upTo number: Int) {
        while let piece = next(upTo: number) { piece() }
    }

    private func next(upTo number: Int) -> (@Sendable () -> Void)? {
        pending.withLock { pending in
            guard pending.first <= number, !pending.pieces.isEmpty else { return nil }
            pending.first += 1
            return pending.pieces.removeFirst()
        }
    }
}
