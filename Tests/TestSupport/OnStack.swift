// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Runs `body` on a thread with a stack of so many bytes, and returns when it is done.
package func onStack(of byteCount: Int, _ body: @escaping () throws -> Void) throws {
    let finished = DispatchSemaphore(value: 0)
    // Written by the thread before it signals, and read after that.
    nonisolated(unsafe) var failure: (any Error)?
    // The caller waits meanwhile.
    nonisolated(unsafe) let body = body
    let thread = Thread {
        do { try body() } catch { failure = error }
        finished.signal()
    }
    thread.stackSize = byteCount
    thread.start()
    finished.wait()
    if let failure { throw failure }
}

/// Runs `body` on a thread with a stack of half a megabyte, as Apple's systems give it; of more where code is not
/// optimised and needs more.
package func onSmallStack(_ body: @escaping () throws -> Void) throws {
    #if DEBUG
        try onStack(of: 2 << 20, body)
    #else
        try onStack(of: 512 << 10, body)
    #endif
}
