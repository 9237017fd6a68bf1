// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A thread that runs one piece of work and then its run loop until it is ended. `lock` guards `isEnded`.
final class LoopThread: @unchecked Sendable {
    private let lock = NSLock()
    private var isEnded = false

    init(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            // A run loop without sources returns at once.
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
