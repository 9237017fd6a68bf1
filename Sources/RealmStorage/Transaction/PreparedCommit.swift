// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A commit whose version is in the file, and not yet durable nor known to anybody but its maker.
///
/// It holds the right to write until it is finished or let go; the latter gives the version up.
///
/// Unchecked: immutable but for the transaction, which is confined to one thread at a time: whoever made this hands it
/// to whoever finishes it.
package final class PreparedCommit: @unchecked Sendable {
    private let transaction: WriteTransaction
    private let state: Database.Committed
    private let file: any DatabaseFile
    /// Of the file, before it is cut.
    private let size: Int
    /// The versions that anyone may read.
    private let reachable: [VersionRecord]

    init(
        _ transaction: WriteTransaction, _ state: Database.Committed, _ file: any DatabaseFile, size: Int,
        _ reachable: [VersionRecord]
    ) {
        self.transaction = transaction
        self.state = state
        self.file = file
        self.size = size
        self.reachable = reachable
    }

    package var version: UInt64 { state.version }

    /// The version that is to be, for its maker alone. If `finish()` throws it is void, and must not be read any more.
    package func snapshot(label: String) throws -> Snapshot {
        let pin = try transaction.database.pin(state, label)
        do {
            return try Snapshot(database: transaction.database, state: state, pin: pin)
        } catch {
            transaction.database.unpin(pin)
            throw error
        }
    }

    /// The syncs and the flip of container 6.7. Returns the number of the version, which is durable and the newest.
    @discardableResult
    package func finish() throws -> UInt64 {
        precondition(transaction.isOpen, "the write transaction has ended")
        defer { transaction.end() }
        var state = state
        do {
            try file.sync()
            // 5. The flip.
            try state.header.flip(in: file)
            try file.sync()
        } catch {
            transaction.database.refuseWrites(because: error)
            throw (error as? SystemError).map(StorageError.init) ?? error
        }
        transaction.database.publish(state)
        truncate()
        return state.version
    }

    /// Gives the end of the file back to the system, as far as no version that anyone may read extends over it.
    ///
    /// The commit is durable already. A crash leaves the file as long as before or as short as now, and both hold the
    /// committed version; a failure leaves it for the next commit.
    private func truncate() {
        let needed = reachable.reduce(state.logicalSize) { max($0, $1.logicalSize) }
        let page = Database.pageByteCount
        let target = (needed + page - 1) / page * page
        if target < size { try? file.resize(to: target) }
    }
}
