// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The run loop of a thread other than the main one, which does the work that other threads send there.
///
/// `loop` is set once, and used only for what other threads may do with a run loop; `work` is guarded by its lock.
final class RunLoopMark: @unchecked Sendable {
    private let loop: RunLoop
    private let work = Locked<[@Sendable () -> Void]>([])

    private init(_ loop: RunLoop) { self.loop = loop }

    /// That of the caller's thread, if it runs.
    static var current: RunLoopMark? {
        let loop = RunLoop.current
        return loop.currentMode == nil ? nil : RunLoopMark(loop)
    }

    /// Runs `body` on the thread, after what was sent there before.
    func run(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        #if canImport(Darwin)
            CFRunLoopPerformBlock(loop.getCFRunLoop(), CFRunLoopMode.commonModes.rawValue) { self.runNext() }
            CFRunLoopWakeUp(loop.getCFRunLoop())
        #else
            // A block that is to be performed would wake nobody here; a timer does. Timers may overtake each other, so
            // what they run is kept in order here.
            loop.add(Timer(timeInterval: 0, repeats: false) { _ in self.runNext() }, forMode: .common)
        #endif
    }

    private func runNext() {
        let body = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        body?()
    }
}
