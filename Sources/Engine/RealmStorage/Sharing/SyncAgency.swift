// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Elects one of the processes that have a synchronised file open, the agent, to communicate with the server. The other
/// processes send it requests.
///
/// The agent locks the file `regnum.sync` in the management folder. The file contains two numbers of 8 bytes,
/// little-endian: the number of download requests, and the number of requests that the agent has fulfilled. Two
/// processes that send requests at the same time may write the same number: both requests precede the agent's read.
///
/// All functions, and `isAgent`, are used by one thread at a time.
package final class SyncAgency {
    private let file: DiskFile
    private var signal: ChangeSignal?
    package private(set) var isAgent = false

    private static let byteCount = 16

    init(in folder: OpenFolder) throws {
        file = try DiskFile.open("regnum.sync", in: folder, creation: .createIfMissing)
    }

    /// Returns whether this process is the agent. It becomes the agent unless another process is.
    package func tryToBecomeAgent() throws -> Bool {
        if !isAgent { isAgent = try file.lock(.exclusive, waiting: false) }
        return isAgent
    }

    /// Calls `handler` when another process has sent or fulfilled a request. The handler has its own thread.
    package func watch(_ handler: @escaping @Sendable () -> Void) throws {
        signal = try ChangeSignal(path: file.path, handler: handler)
    }

    /// Requests all of the server's changes from the agent. Returns the number of the request.
    package func request() throws -> UInt64 {
        let number = try numbers().requested + 1
        try write(number, at: 0)
        return number
    }

    package func numbers() throws -> (requested: UInt64, fulfilled: UInt64) {
        guard try file.size() >= Self.byteCount else { return (0, 0) }
        let bytes = try file.bytes(Self.byteCount, at: 0)
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (number(0), number(8))
    }

    /// Marks a request and all earlier ones as fulfilled.
    package func fulfil(_ request: UInt64) throws { try write(request, at: 8) }

    private func write(_ number: UInt64, at offset: Int) throws {
        if try file.size() < Self.byteCount { try file.resize(to: Self.byteCount) }
        try file.write((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }, at: offset)
    }
}
