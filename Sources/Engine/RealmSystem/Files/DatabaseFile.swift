// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The file below the engine: the seam through which every byte is written, and where tests inject faults.
///
/// Positions are bytes from the start of the file. Reads of committed data go through the mapping, not through here.
/// Implementations are safe to use from several threads as long as no two write the same range.
package protocol DatabaseFile: AnyObject, Sendable {
    var path: String { get }
    /// Identifies the file; nil if it has no name of its own that could later name another file.
    var identity: FileIdentity? { get }
    /// The number of bytes of the pieces, at multiples of it, in which the file is written: 8, a word, if only changed
    /// bytes are written.
    var writeUnit: Int { get }
    /// The size in bytes.
    func size() throws -> Int
    /// Fills `buffer` from `offset`; reading past the end is an error.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws
    /// The whole content of the file, for an audit. Free parts that a crash has spoiled read as zeros.
    func contents() throws -> [UInt8]
    /// Writes all of `bytes` at `offset`, growing the file where needed.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Truncates, or extends with zero bytes.
    func resize(to size: Int) throws
    /// Whether a crash has left something that only a copy of it, or the one before it, makes up for.
    var needsMending: Bool { get }
    /// Puts that in order, durably. The caller holds the write lock.
    func mend() throws
    /// Called when a commit has failed: drops the data that has not been written to the file yet. Returns whether
    /// further commits are allowed; they aren't if a sync has failed, or if bytes that a committed version needs may
    /// have changed.
    func giveUp() -> Bool
    /// Called before reading anything that another process may have written since; drops cached data of it.
    func refresh() throws
    /// Called with the write lock held, before the writes of a commit: the current content of these parts of the file
    /// isn't needed, even after a crash. Parts may lie beyond the end. The `doubtful` parts belong to older versions,
    /// which are not needed either if a part of them isn't whole. Valid until the next call.
    func discardUnused(_ parts: [Range<Int>], doubtful: [Range<Int>])
    /// Returns when everything written so far is durable.
    func sync() throws
    /// Makes all earlier writes durable like `sync()`, and then writes `bytes` at `offset` and makes them durable too.
    /// A crash leaves them only if it leaves all earlier writes. They must be no longer than a disk's atomic write.
    func sync(then bytes: [UInt8], at offset: Int) throws
    /// Maps the file for reading, with room to grow and a slab of private memory behind it.
    func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping
}

extension DatabaseFile {
    package var identity: FileIdentity? { nil }

    package var writeUnit: Int { 8 }

    package func contents() throws -> [UInt8] {
        try bytes(try size(), at: 0)
    }

    /// `count` bytes from `offset` on, all of which must be in the file.
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

/// Whether a missing file is created.
package enum FileCreation: Sendable {
    case mustExist
    case createIfMissing
}
