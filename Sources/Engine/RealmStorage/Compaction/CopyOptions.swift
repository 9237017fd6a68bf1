// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a copy of a version is like (container 6.9).
package struct CopyOptions: Sendable {
    /// Whether version number and history come along; without them the copy begins at version 1.
    package var keepsVersion: Bool
    /// The file ends at a multiple of this: of the page size where it is encrypted.
    package var footerAlignment: Int

    package init(keepsVersion: Bool = true, footerAlignment: Int = 8) {
        self.keepsVersion = keepsVersion
        self.footerAlignment = footerAlignment
    }

    /// What fits any file: for one that is encrypted page by page, its end has to be that of a page.
    package static let encrypted = CopyOptions(footerAlignment: 4096)
}
