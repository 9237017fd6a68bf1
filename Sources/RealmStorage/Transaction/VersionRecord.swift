// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A committed version and where it begins: what it takes to find its nodes.
package struct VersionRecord: Hashable, Sendable {
    package let version: UInt64
    /// 0 for the version of a database that was never committed to.
    package let topRef: Ref
    package let logicalSize: Int

    /// Whether it stands for any version from `version` on: somebody is about to hold one of them, and it is not known
    /// which.
    package var isOpenEnded: Bool { topRef == 0 && logicalSize == .max }

    package init(version: UInt64, topRef: Ref, logicalSize: Int) {
        self.version = version
        self.topRef = topRef
        self.logicalSize = logicalSize
    }
}
