// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The stored records behind a feed: files of this server, or a table that nodes share.
///
/// All functions except `publish` and `observe` can block. Can be used from any thread.
package protocol IngestSource: AnyObject, Sendable {
    /// The bounds as far as this process has read or published them. Doesn't block.
    var bounds: IngestBounds { get }
    /// The right to deliver that nodes share, or `nil` if the records belong to one server.
    var lease: IngestLease? { get }

    /// Publishes the number of the newest durable record.
    func publish(_ newest: UInt64)

    /// Calls a function after each change of the bounds. Only the feed calls this.
    func observe(_ didChange: @escaping @Sendable () -> Void)

    /// - Throws: `IngestFeed.Refusal`, or the error of the files or the database.
    func page(after cursor: UInt64, limit: Int, of className: Text?) throws -> IngestFeed.Page

    /// Removes records up to a sequence number, except for those that the hook hasn't processed.
    func remove(through sequence: UInt64) throws

    /// Removes the records that are older than a time, or exceed a size.
    ///
    /// - Parameters:
    ///   - time: In seconds since 1970.
    ///   - maximumSize: In bytes, or `nil` for no limit.
    func expire(before time: UInt64, maximumSize: Int?) throws

    // MARK: Delivery to the hook

    /// Acquires or renews the right to deliver. Returns the last record that a hook has processed, or `nil` if another
    /// node delivers.
    func beginDelivery() throws -> UInt64?

    /// Records durably that the hook has processed the records up to a sequence number.
    ///
    /// - Throws: `IngestFeed.Refusal.leaseLost` if another node may deliver now.
    func didDeliver(through sequence: UInt64) throws

    /// Releases the right to deliver.
    func endDelivery() throws
}

/// The times of the right to deliver. A node that doesn't renew it loses it.
package struct IngestLease: Sendable {
    /// The end of the lease, according to this node's clock; `nil` if this node doesn't hold it.
    package var end: ContinuousClock.Instant?
    /// The time after which a lease ends.
    package static let duration = Duration.seconds(12)
    /// The time between renewals, and between attempts of other nodes.
    package static let interval = Duration.seconds(3)

    package init(end: ContinuousClock.Instant? = nil) { self.end = end }
}

/// The first and last record of an app, and the progress of its hook.
package struct IngestBounds: Hashable, Sendable {
    /// The oldest record that wasn't removed, or the next one.
    package var oldest: UInt64 = 1
    /// The newest record, or 0.
    package var newest: UInt64 = 0
    /// The last record that a hook has processed, or `nil` without a hook.
    package var delivered: UInt64?

    package init(oldest: UInt64 = 1, newest: UInt64 = 0, delivered: UInt64? = nil) {
        (self.oldest, self.newest, self.delivered) = (oldest, newest, delivered)
    }

    /// The number of records that the hook hasn't processed, or of all records without a hook.
    var backlog: UInt64 { newest - min(newest, delivered ?? oldest - 1) }

    /// Returns the record before the first one of a page.
    ///
    /// - Parameter cursor: 0 for the oldest record.
    package func start(after cursor: UInt64) throws(IngestFeed.Refusal) -> UInt64 {
        guard cursor <= newest else { throw .ahead(newest: newest) }
        guard cursor == 0 || cursor + 1 >= oldest else { throw .removed(oldest: oldest) }
        return max(cursor, oldest - 1)
    }

    /// Returns the last record that can be removed.
    package func removable(through sequence: UInt64) -> UInt64 { min(sequence, newest, delivered ?? sequence) }
}
