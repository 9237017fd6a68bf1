// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The file below the engine. Every byte is written through it, and tests replace it to inject faults.
///
/// Positions are bytes from the start of the file. Committed data is read through the mapping instead. Implementations
/// are safe to use from several threads as long as no two write the same range.
package protocol DatabaseFile: AnyObject, Sendable {
    var path: String { get }
    /// Nil if the file has no name of its own that could later be another file's.
    var identity: FileIdentity? { get }
    /// The file is written in pieces of this many bytes, at multiples of it. 8, a word, if only changed bytes are
    /// written.
    var writeUnit: Int { get }
    /// In bytes.
    func size() throws -> Int
    /// Fills `buffer` from `offset`. Throws if the range exceeds the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws
    /// Returns the whole content of the file, for an audit. Free parts that a crash has damaged read as zeros.
    func contents() throws -> [UInt8]
    /// Writes all of `bytes` at `offset`, and extends the file if necessary.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Truncates, or extends with zero bytes.
    func resize(to size: Int) throws
    /// Whether a crash has damaged data that has to be restored from a copy or the previous data.
    var needsMending: Bool { get }
    /// Restores such data, durably. The caller holds the write lock.
    func mend() throws
    /// Called when a commit has failed. Drops data that isn't written to the file yet. Returns whether further commits
    /// are allowed: not if a sync has failed, or if bytes that a committed version needs may have changed.
    func giveUp() -> Bool
    /// Called before reading anything that another process may have written since. Drops cached data.
    func refresh() throws
    /// Called with the write lock held, before the writes of a commit. The current content of these parts of the file
    /// isn't needed, even after a crash. Parts may be beyond the end. The `doubtful` parts belong to older versions,
    /// which aren't needed either if one of their parts is damaged. Valid until the next call.
    func discardUnused(_ parts: [Range<Int>], doubtful: [Range<Int>])
    func sync() throws
    /// Makes all earlier writes durable like `sync()`, then writes `bytes` at `offset` and makes them durable too.
    /// After a crash they are in the file only if all earlier writes are. Limited to the size of a disk's atomic write.
    func sync(then bytes: [UInt8], at offset: Int) throws
    /// Maps the file for reading, with addresses for its growth, and a slab of private memory after it.
    func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping
}

extension DatabaseFile {
    package var identity: FileIdentity? { nil }

    package var writeUnit: Int { 8 }

    package func contents() throws -> [UInt8] {
        try bytes(try size(), at: 0)
    }

    package func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe try bytes.withUnsafeMutableBytes { unsafe try read(into: $0, at: offset) }
        return bytes
    }

    package var needsMending: Bool { false }

    package func mend() throws {}

    package func giveUp() -> Bool { false }

    package func refresh() throws {}

    package func discardUnused(_ parts: [Range<Int>], doubtful: [Range<Int>]) {}

    package func sync(then bytes: [UInt8], at offset: Int) throws {
        try sync()
        unsafe try bytes.withUnsafeBytes { unsafe try write($0, at: offset) }
        try sync()
    }
}

package enum FileCreation: Sendable {
    case mustExist
    case createIfMissing
}
