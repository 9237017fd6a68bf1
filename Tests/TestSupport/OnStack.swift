// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Runs `body` on a thread with a stack of `byteCount` bytes, and waits for it.
package func onStack(of byteCount: Int, _ body: @escaping () throws -> Void) throws {
    let work = Work(body)
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
        work.run()
        finished.signal()
    }
    thread.stackSize = byteCount
    thread.start()
    finished.wait()
    try work.end()
}

/// The work of a thread for which the caller waits.
///
/// The thread may be released after the caller has continued. The caller releases the body's captures nevertheless,
/// because deep values need a stack that the thread may lack. Unchecked: only the thread uses it until it signals, and
/// only the caller afterwards.
private final class Work: @unchecked Sendable {
    private var body: (() throws -> Void)?
    private var failure: (any Error)?

    init(_ body: @escaping () throws -> Void) { self.body = body }

    func run() {
        do { try body?() } catch { failure = error }
    }

    func end() throws {
        body = nil
        if let failure { throw failure }
    }
}

/// Runs `body` on a thread with a stack of half a megabyte, as on Apple's systems. Unoptimised code gets more.
package func onSmallStack(_ body: @escaping () throws -> Void) throws {
    #if DEBUG
        try onStack(of: 2 << 20, body)
    #else
        try onStack(of: 512 << 10, body)
    #endif
}
