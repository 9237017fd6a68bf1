// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Writes to a file on its own thread, one piece after the other, while the caller prepares the next.
///
/// Confined to one thread at a time. Nothing else may write to the file meanwhile.
package final class BackgroundWriter {
    private let queue: Queue
    private let thread: SystemThread

    package init(_ file: any DatabaseFile) throws {
        let queue = Queue(file)
        self.queue = queue
        thread = try SystemThread(path: file.path) { queue.run() }
    }

    /// Waits until all scheduled pieces are written or have failed.
    deinit {
        queue.end()
        thread.join()
    }

    /// Schedules a write of `bytes` at `offset`, after the previous piece. Replaces `bytes` with an empty array, which
    /// reuses the memory of an earlier piece if possible. Throws the error of an earlier piece.
    package func write(_ bytes: inout [UInt8], at offset: Int) throws {
        try queue.put(&bytes, offset)
    }

    /// Waits until all pieces are written. Throws if one failed.
    package func finish() throws { try queue.wait() }

    /// The state shared by the two threads. All mutable state is guarded by `monitor`.
    private final class Queue: @unchecked Sendable {
        private let file: any DatabaseFile
        private let monitor = Monitor()
        private var piece: (bytes: [UInt8], offset: Int)?
        /// The memory of the previous piece.
        private var spare: [UInt8] = []
        private var failure: (any Error)?
        private var isEnded = false

        init(_ file: any DatabaseFile) { self.file = file }

        func put(_ bytes: inout [UInt8], _ offset: Int) throws {
            try monitor.locked {
                try waitForPiece()
                piece = (bytes, offset)
                bytes = spare
                spare = []
                monitor.signal()
            }
        }

        func wait() throws { try monitor.locked { try waitForPiece() } }

        private func waitForPiece() throws {
            while piece != nil { monitor.wait() }
            if let failure { throw failure }
        }

        func end() {
            monitor.locked {
                isEnded = true
                monitor.signal()
            }
        }

        func run() {
            while let piece = next() {
                var failure: (any Error)?
                do {
                    unsafe try piece.bytes.withUnsafeBytes { unsafe try file.write($0, at: piece.offset) }
                } catch let error {
                    failure = error
                }
                done(failure)
            }
        }

        private func next() -> (bytes: [UInt8], offset: Int)? {
            monitor.locked {
                while piece == nil, !isEnded { monitor.wait() }
                return piece
            }
        }

        private func done(_ failure: (any Error)?) {
            monitor.locked {
                self.failure = self.failure ?? failure
                spare = piece?.bytes ?? []
                piece = nil
                spare.removeAll(keepingCapacity: true)
                monitor.signal()
            }
        }
    }
}
