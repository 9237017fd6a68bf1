// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Elects one of the processes that have a synchronised file open, the agent, to communicate with the server. The other
/// processes send it requests.
///
/// The agent holds the lock of the management folder, whose descriptor an open database has anyway. The file
/// `regnum.sync` in the folder contains two numbers of 8 bytes, little-endian: the number of download requests, and the
/// number of requests that the agent has fulfilled. It is opened for each request, which is rare, and not for the
/// election, which therefore succeeds with too many open files. Two processes that send requests at the same time may
/// write the same number: both requests precede the agent's read.
///
/// All functions, and `isAgent`, are used by one thread at a time.
package final class SyncAgency {
    private let folder: OpenFolder
    private var signal: ChangeSignal?
    package private(set) var isAgent = false

    private static let fileName = "regnum.sync"
    private static let byteCount = 16

    init(in folder: OpenFolder) { self.folder = folder }

    deinit { if isAgent { folder.releaseLock() } }

    /// Returns whether this process is the agent. It becomes the agent unless another process is.
    package func tryToBecomeAgent() throws -> Bool {
        if !isAgent { isAgent = try folder.acquireLock() }
        return isAgent
    }

    private func opened() throws -> DiskFile {
        try DiskFile.open(Self.fileName, in: folder, creation: .createIfMissing)
    }

    /// Calls `handler` when another process has sent or fulfilled a request. The handler has its own thread. Call it
    /// again after an error, and read the numbers then: requests sent before cause no call.
    package func watch(_ handler: @escaping @Sendable () -> Void) throws {
        _ = try opened()
        signal = try ChangeSignal(path: folder.path + "/" + Self.fileName, handler: handler)
    }

    /// Requests all of the server's changes from the agent. Returns the number of the request.
    package func request() throws -> UInt64 {
        let file = try opened()
        let number = try numbers(in: file).requested &+ 1
        try write(number, at: 0, in: file)
        return number
    }

    package func numbers() throws -> (requested: UInt64, fulfilled: UInt64) { try numbers(in: opened()) }

    private func numbers(in file: DiskFile) throws -> (requested: UInt64, fulfilled: UInt64) {
        guard try file.size() >= Self.byteCount else { return (0, 0) }
        let bytes = try file.bytes(Self.byteCount, at: 0)
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (number(0), number(8))
    }

    /// Marks a request and all earlier ones as fulfilled.
    package func fulfil(_ request: UInt64) throws { try write(request, at: 8, in: opened()) }

    private func write(_ number: UInt64, at offset: Int, in file: DiskFile) throws {
        if try file.size() < Self.byteCount { try file.resize(to: Self.byteCount) }
        try file.write((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }, at: offset)
    }
}
