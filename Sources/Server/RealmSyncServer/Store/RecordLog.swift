// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The durable records of a store, whose state is the result of replaying them in order.
///
/// A log in files belongs to one server. The log of a cluster is shared: each node replays the records that the others
/// have appended, and appends only while it holds the append lock. So two nodes never assign one version.
protocol RecordLog: AnyObject {
    /// Whether other nodes append to the log, too.
    var isShared: Bool { get }
    /// Whether records can be appended.
    var isLocked: Bool { get }
    /// The size of the records after the snapshot, in bytes.
    var size: Int { get }
    var snapshotSize: Int { get }

    /// Passes all records.
    ///
    /// - Throws: `StoreError` if a record can't be applied, any error of `body`, or that of an unavailable log.
    func open(_ body: (StoreRecord) throws -> Void) throws

    /// Acquires the append lock, and passes the records that other nodes have appended.
    ///
    /// - Throws: As `open`. Then the lock isn't held.
    func lock(_ body: (StoreRecord) throws -> Void) throws

    /// Passes the records that other nodes have appended, without the lock.
    ///
    /// - Throws: As `open`.
    func follow(_ body: (StoreRecord) throws -> Void) throws

    /// Appends one frame: after a crash, either all records exist or none. They aren't durable before `sync`.
    ///
    /// - Parameter ingested: The ingested records of the frame. A shared log stores them apart, with the frame.
    func append(_ records: [UInt8], ingesting ingested: [IngestRecord]) throws

    /// Makes the appended frames durable, and releases the append lock.
    func sync() throws

    /// Discards the appended frames, and releases the append lock.
    func abandon()

    /// Begins a snapshot of the state, which `LogSnapshot.fill` writes.
    func beginSnapshot() throws -> any LogSnapshot

    /// Replaces all records, durably. `records` passes the new ones to its argument. Releases the append lock.
    func begin(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws

    /// Returns whether another node has replaced the snapshot since the last call.
    func takeSnapshotChange() -> Bool
}

/// The next snapshot of a log.
protocol LogSnapshot {
    /// Writes all records of the state. Another thread can call this function.
    func fill(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws
    /// Replaces the previous snapshot and the frames before this one.
    func adopt() throws
}

/// A log that only one server uses.
extension RecordLog {
    var isShared: Bool { false }
    var isLocked: Bool { true }
    func lock(_ body: (StoreRecord) throws -> Void) throws {}
    func follow(_ body: (StoreRecord) throws -> Void) throws {}
    func abandon() {}
    func takeSnapshotChange() -> Bool { false }
}

extension RecordLog {
    func append(_ records: [UInt8]) throws { try append(records, ingesting: []) }
}

extension StoreRecord {
    /// Passes the records of a frame.
    ///
    /// - Parameters:
    ///   - path: The location of the frame for errors.
    ///   - offset: The offset of the frame in the file; `nil` if it's its first index.
    /// - Throws: `StoreError`, or any other error of `body`.
    static func replay(
        _ frame: ArraySlice<UInt8>, of path: String, at offset: Int? = nil, _ body: (StoreRecord) throws -> Void
    ) throws {
        var reader = RecordReader(frame, at: offset)
        while !reader.isAtEnd {
            let start = reader.offset
            do { try body(try StoreRecord(&reader)) } catch let error as RecordError {
                throw StoreError(path, error)
            } catch let error as StateError {
                throw StoreError(path, at: start, error)
            } catch let error as ChangesetError {
                throw StoreError(path, at: start, error.description)
            }
        }
    }
}
