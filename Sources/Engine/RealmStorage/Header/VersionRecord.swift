// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A committed version: the information needed to find its nodes.
package struct VersionRecord: Hashable, Sendable {
    package let version: UInt64
    /// 0 for the version of a database without commits.
    package let topRef: Ref
    package let logicalSize: Int

    var name: CommitRecord.VersionName { CommitRecord.VersionName(version: version, topRef: topRef) }

    package init(version: UInt64, topRef: Ref, logicalSize: Int) {
        self.version = version
        self.topRef = topRef
        self.logicalSize = logicalSize
    }
}
