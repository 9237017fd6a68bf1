// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Elects one of the processes that have a synchronised file open, the agent, to talk to the server; the others send it
/// requests.
///
/// The file `regnum.sync` in the management folder is locked by the agent. It holds two numbers of 8 bytes, the lowest
/// byte first: the number of download requests, and the number of those that the agent has fulfilled. Two processes
/// that send requests at the same time may write the same number: both requests precede the agent's read.
///
/// `isAgent` belongs to one thread at a time, as all functions do.
package final class SyncAgency {
    private let file: DiskFile
    private var signal: ChangeSignal?
    /// Whether this process is the agent.
    package private(set) var isAgent = false

    private static let byteCount = 16

    init(in folder: OpenFolder) throws {
        file = try DiskFile.open("regnum.sync", in: folder, creation: .createIfMissing)
    }

    /// Becomes the agent unless another process is, and returns whether this one is.
    package func tryToBecomeAgent() throws -> Bool {
        if !isAgent { isAgent = try file.lock(.exclusive, waiting: false) }
        return isAgent
    }

    /// Calls `handler`, on a thread of its own, when another process has sent or fulfilled a request.
    package func watch(_ handler: @escaping @Sendable () -> Void) throws {
        signal = try ChangeSignal(path: file.path, handler: handler)
    }

    /// Requests all of the server's changes from the agent, and returns the number of the request.
    package func request() throws -> UInt64 {
        let number = try numbers().requested + 1
        try write(number, at: 0)
        return number
    }

    /// The last request, and the last one that was fulfilled.
    package func numbers() throws -> (requested: UInt64, fulfilled: UInt64) {
        guard try file.size() >= Self.byteCount else { return (0, 0) }
        let bytes = try file.bytes(Self.byteCount, at: 0)
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (number(0), number(8))
    }

    /// Marks a request, and all before it, as fulfilled.
    package func fulfil(_ request: UInt64) throws { try write(request, at: 8) }

    private func write(_ number: UInt64, at offset: Int) throws {
        if try file.size() < Self.byteCount { try file.resize(to: Self.byteCount) }
        try file.write((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }, at: offset)
    }
}
