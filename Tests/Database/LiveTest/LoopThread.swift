// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A thread that runs its run loop until it is ended, and begins with one piece of work in it.
final class LoopThread: @unchecked Sendable {
    private let lock = NSLock()
    private var isEnded = false

    init(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            // Without anything to wait for, a run loop returns at once.
            let keeper = Timer(timeInterval: 1000, repeats: true) { _ in }
            RunLoop.current.add(keeper, forMode: .common)
            RunLoop.current.perform(work)
            while !lock.withLock({ isEnded }) { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.2)) }
            keeper.invalidate()
        }
        thread.start()
    }

    func end() { lock.withLock { isEnded = true } }
}
