// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// The server's stores and the files of a simulation, the changes that clients write, and the expected end.
package protocol SimulatedWorld: AnyObject {
    var mode: SyncMode { get }
    var directory: any PartitionDirectory { get }
    /// The errors of the server's stores.
    var faults: [String] { get }
    var newestVersion: UInt64 { get }

    /// The path of a session.
    func path(_ purpose: SessionPurpose) -> String

    // MARK: The server

    func sync() throws
    /// Discards the state that isn't durable, and opens the rest again.
    func crash() throws
    /// Prepares a connection. That of a hostile client, which is nil, has stores of its own.
    func admit(_ connection: UInt64, of client: Int?)
    func expire(_ file: SaltedIdent)
    /// Makes the store of a connection changeable, before a message. Returns the connections whose messages since the
    /// last `sync` mustn't be sent.
    func prepare(_ connection: UInt64, _ server: inout SyncServer) throws -> Set<UInt64>
    /// Applies the changes of other nodes to stores. Returns connections as `prepare`.
    func follow(_ server: inout SyncServer) throws -> Set<UInt64>
    /// Lets a part of the time pass after which silent files expire.
    func passTime()

    // MARK: The clients

    func makeFile(of client: Int) throws -> any SimulatedFile
    /// Makes a file for the download of the state to which a file is reset.
    func makeCopy(for file: any SimulatedFile) throws -> any SimulatedFile
    /// Whether such a file has the state, after a mark.
    func isComplete(_ copy: any SimulatedFile) -> Bool
    func begin(_ client: Int, _ file: any SimulatedFile, timestamp: UInt64) throws
    /// - Returns: Whether the change has the mark.
    func write(
        mark: UInt64, _ client: Int, _ file: any SimulatedFile, timestamp: UInt64, _ generator: inout SeededGenerator
    ) throws -> Bool
    /// Lets the user of a client send requests to the server that don't concern its file. Returns connections as
    /// `prepare`.
    func request(_ client: Int, _ server: inout SyncServer) throws -> Set<UInt64>
    /// Notes a change that a reset has recovered on the state of the server.
    func noteRecovered(_ changeset: Changeset, mark: UInt64, on state: SyncModel) -> Bool
    func didReset(_ client: Int, _ file: any SimulatedFile) throws
    /// Whether nothing but downloads is outstanding.
    func isSettled(_ file: any SimulatedFile) -> Bool

    /// Makes another fault. Returns the numbers of the clients that have to connect again.
    func disturb(_ client: Int, _ generator: inout SeededGenerator) throws -> Set<Int>

    /// - Parameter acknowledged: The marks of the changes that must have arrived.
    func verify(
        _ files: [any SimulatedFile], acknowledged: Set<UInt64>, _ report: inout SimulationReport
    ) throws
}

extension SimulatedWorld {
    package func prepare(_ connection: UInt64, _ server: inout SyncServer) -> Set<UInt64> { [] }

    package func follow(_ server: inout SyncServer) -> Set<UInt64> { [] }

    package func request(_ client: Int, _ server: inout SyncServer) -> Set<UInt64> { [] }
}
