// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The readers' side of the ingested records of an app. Can be used from any thread.
///
/// Unchecked `Sendable`: `lock` guards the state.
package final class IngestFeed: @unchecked Sendable {
    package struct Page {
        package var records: [IngestRecord] = []
        /// The last record that was examined. The next page follows it.
        package var cursor: UInt64

        package init(cursor: UInt64) { self.cursor = cursor }
    }

    package enum Refusal: Error, Equatable {
        /// The records up to the cursor were removed, and so were later ones.
        case removed(oldest: UInt64)
        /// The cursor is of another stream, or of a newer copy of this one.
        case ahead(newest: UInt64)
        /// Another node may deliver the records to its hook.
        case leaseLost
        /// The database can't be reached.
        case unavailable(String)
    }

    let source: any IngestSource
    private let lock = Lock()
    private var observers: [UInt64: (sequence: UInt64, wake: @Sendable () -> Void)] = [:]
    private var lastObserver: UInt64 = 0

    package init(_ source: any IngestSource) {
        self.source = source
        source.observe { [weak self] in self?.wake() }
    }

    // MARK: Waiting

    private func wake() {
        let due = lock.locked {
            let newest = source.bounds.newest
            let due = observers.filter { $0.value.sequence < newest }
            for number in due.keys { observers[number] = nil }
            return due.values.map(\.wake)
        }
        for wake in due { wake() }
    }

    /// Calls `body` once when a record after `sequence` exists. It can be called before this method returns.
    ///
    /// - Returns: The identifier for `cancel`.
    func observe(after sequence: UInt64, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, isDue) = lock.locked {
            lastObserver += 1
            let isDue = source.bounds.newest > sequence
            if !isDue { observers[lastObserver] = (sequence, body) }
            return (lastObserver, isDue)
        }
        if isDue { body() }
        return number
    }

    /// Calls the observer, unless it was called.
    func cancel(_ observer: UInt64) { lock.locked { observers.removeValue(forKey: observer) }?.wake() }

    // MARK: Reading

    var newestSequence: UInt64 { source.bounds.newest }

    /// The oldest record that wasn't removed, or the next one.
    var oldestSequence: UInt64 { source.bounds.oldest }

    /// The number of records that the hook hasn't processed, or of all records without a hook.
    package var backlog: UInt64 { source.bounds.backlog }

    /// The size in bytes at which a page ends, including the document that exceeds it.
    package static let pageSize = 1 << 20

    /// Reads records, so it can block.
    ///
    /// - Parameters:
    ///   - cursor: 0 for the oldest record.
    ///   - className: The class of the records. Others are examined, and omitted.
    /// - Throws: `Refusal`, or the error of the source.
    func page(after cursor: UInt64, limit: Int, of className: Text? = nil) throws -> Page {
        try source.page(after: cursor, limit: limit, of: className)
    }

    /// Passes all records that weren't removed, in parts.
    func forEachPart(_ body: ([IngestRecord]) throws -> Void) throws {
        var cursor: UInt64 = 0
        while true {
            let page = try page(after: cursor, limit: 10_000)
            guard !page.records.isEmpty else { return }
            try body(page.records)
            cursor = page.cursor
        }
    }

    // MARK: Removal

    /// - Returns: The oldest remaining record, or the next one.
    func remove(through sequence: UInt64) throws -> UInt64 {
        try source.remove(through: sequence)
        return oldestSequence
    }

    /// Removes old records.
    ///
    /// - Parameter now: In seconds since 1970.
    func expire(_ options: IngestLog.Options, now: UInt64) throws {
        try source.expire(before: now - min(now, options.retention), maximumSize: options.maximumSize)
    }
}
