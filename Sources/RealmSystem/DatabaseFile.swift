// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The file below the engine: the seam through which every byte is written, and where tests inject faults.
///
/// Positions are bytes from the start of the file. Reads of committed data go through the mapping, not through here.
/// Implementations are safe to use from several threads as long as no two write the same range.
package protocol DatabaseFile: AnyObject, Sendable {
    var path: String { get }
    /// The size in bytes.
    func size() throws -> Int
    /// Fills `buffer` from `offset`; reading past the end is an error.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws
    /// Writes all of `bytes` at `offset`, growing the file where needed.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws
    /// Truncates, or extends with zero bytes.
    func resize(to size: Int) throws
    /// Called before anything is read that another process may have written since; forgets what was kept of it.
    func refresh() throws
    /// Returns when everything written so far is durable.
    func sync() throws
    /// Maps the file for reading, with room to grow and a slab of private memory behind it.
    func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping
}

extension DatabaseFile {
    package func refresh() throws {}
}

/// What a new file needs in order to survive a crash right after its creation.
package enum FileCreation: Sendable {
    case mustExist
    case createIfMissing
}
