// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The output of a running program, line by line. A line that doesn't come fails the test instead of blocking the run.
public final class OutputLines {
    private let output: FileHandle
    private let limit: Duration
    private var pending: [UInt8] = []

    public init(_ output: FileHandle, limit: Duration = .seconds(300)) {
        (self.output, self.limit) = (output, limit)
    }

    /// Returns the next line, and nil once the program has closed its output.
    ///
    /// - Throws: A `Failure` if no line was complete within the time limit.
    public func next() throws -> String? {
        let end = ContinuousClock.now + limit
        while true {
            if let newline = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...newline) }
                return String(decoding: pending[..<newline], as: UTF8.self)
            }
            guard ContinuousClock.now < end else {
                throw Failure("no line within \(limit), but \"\(String(decoding: pending, as: UTF8.self))\"")
            }
            guard isReadable() else { continue }
            let bytes = output.availableData
            guard bytes.isEmpty else {
                pending += bytes
                continue
            }
            defer { pending = [] }
            return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
        }
    }

    /// Waits for at most a tenth of a second. The end of the output is readable, too.
    private func isReadable() -> Bool {
        var descriptor = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 100) > 0
    }
}
