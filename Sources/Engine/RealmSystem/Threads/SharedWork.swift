// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Work in numbered pieces for several threads, each of which claims the next unclaimed piece.
///
/// The thread that needs the results participates and, when no piece is left, waits for the threads that are still
/// working. It never waits for a helper that hasn't begun, so it makes progress even if no helper starts.
///
/// `monitor` guards everything that changes. It is signalled when the last working thread stops.
package final class SharedWork<Piece: Sendable>: @unchecked Sendable {
    private let monitor = Monitor()
    private var next = 0
    private var busy = 0
    private var results: [Piece?]
    private var failure: (any Error)?

    package init(count: Int) { results = Array(repeating: nil, count: count) }

    /// Processes pieces until none is left or one has failed. `begin` creates the worker of this thread; it isn't
    /// called if no piece is left.
    package func work(_ begin: () throws -> (Int) throws -> Piece) {
        guard var number = take() else { return }
        do {
            let body = try begin()
            while true {
                let piece = try body(number)
                guard let following = put(piece, number) else { return }
                number = following
            }
        } catch {
            fail(error)
        }
    }

    /// Waits for the working threads, and returns all results in the order of their numbers. The caller has called
    /// `work`.
    package func finish() throws -> [Piece] {
        try monitor.locked {
            while busy > 0 { monitor.wait() }
            if let failure { throw failure }
            return results.compactMap { $0 }
        }
    }

    private func take() -> Int? {
        monitor.locked {
            guard next < results.count, failure == nil else { return nil }
            busy += 1
            next += 1
            return next - 1
        }
    }

    /// Stores a result and claims the next piece. Returns nil, and the thread stops working, if no piece is left.
    private func put(_ piece: Piece, _ number: Int) -> Int? {
        monitor.locked {
            results[number] = piece
            guard next < results.count, failure == nil else {
                stop()
                return nil
            }
            next += 1
            return next - 1
        }
    }

    private func fail(_ error: any Error) {
        monitor.locked {
            failure = error
            stop()
        }
    }

    private func stop() {
        busy -= 1
        if busy == 0 { monitor.signal() }
    }
}

package enum Processors {
    package static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
