// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Options for a copy of a version (container 6.9).
package struct CopyOptions: Sendable {
    /// Otherwise the copy begins at version 1, without a history.
    package var keepsVersion: Bool
    /// Whether the copy has free space for removals on a full disk (`SpaceReserve`). Without it, the copy of a file
    /// created by realm-core equals the one that realm-core writes.
    package var hasReserve: Bool

    package init(keepsVersion: Bool = true, hasReserve: Bool = false) {
        self.keepsVersion = keepsVersion
        self.hasReserve = hasReserve
    }
}
