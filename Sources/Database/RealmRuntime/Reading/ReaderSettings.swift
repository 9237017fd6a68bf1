// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The settings of a configuration that reads and writes of an open database depend on.
package struct ReaderSettings: Sendable {
    /// The path of the file; nil for a database in memory.
    private let path: String?
    private let memoryIdentifier: String?
    package let isReadOnly: Bool
    /// Whether the version never changes: read-only, and without a session that writes to the file.
    package let isImmutable: Bool
    /// The time to wait for the write lock, in nanoseconds; nil without a limit.
    package let writeLimit: Int64?
    /// The number of versions that may be in use; nil without a limit.
    package let maxVersionCount: UInt?
    /// Whether reads of deleted objects trap.
    package let trapsInvalidated: Bool

    package init(
        path: String?, memoryIdentifier: String?, isReadOnly: Bool, isImmutable: Bool, writeLimit: Int64?,
        maxVersionCount: UInt?, trapsInvalidated: Bool = false
    ) {
        self.path = path
        self.memoryIdentifier = memoryIdentifier
        self.isReadOnly = isReadOnly
        self.isImmutable = isImmutable
        self.writeLimit = writeLimit
        self.maxVersionCount = maxVersionCount
        self.trapsInvalidated = trapsInvalidated
    }

    /// The database's name in messages.
    package var place: String { path.map { "'\($0)'" } ?? "in-memory Realm '\(memoryIdentifier ?? "")'" }
}
