// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The progress of a migration in one class: of `Migration.enumerateObjects(ofType:_:)`, or of the upgrade of a file
/// from before format 10. An addition to Realm's API.
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
    /// The name of the class that is being processed.
    public let className: String
    /// The number of objects that the block has processed, or that were upgraded.
    public let objectsDone: Int
    /// The number of the class's objects in the old version.
    public let objectCount: Int

    /// The completed fraction, from 0 to 1.
    public var fraction: Double { objectCount == 0 ? 1 : Double(objectsDone) / Double(objectCount) }

    public var description: String { "\(className): \(objectsDone) of \(objectCount) objects" }
}

extension MigrationProgress {
    init(_ progress: UpgradeProgress) {
        let isClass = progress.table.hasPrefix(FileFormat.classPrefix)
        className = String(progress.table.dropFirst(isClass ? FileFormat.classPrefix.count : 0))
        (objectsDone, objectCount) = (progress.rowsDone, progress.rowCount)
    }
}
