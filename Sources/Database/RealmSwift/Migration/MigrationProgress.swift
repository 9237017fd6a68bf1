// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// How far `Migration.enumerateObjects(ofType:_:)`, or the upgrade of a file from before format 10, has come with one
/// class. An addition to Realm's API.
public struct MigrationProgress: Sendable, Hashable, CustomStringConvertible {
    /// The class whose objects are gone through.
    public let className: String
    /// The number of objects that the block has seen, or that were upgraded.
    public let objectsDone: Int
    /// The number of objects that the class has in the version before.
    public let objectCount: Int

    /// The share that is done, from 0 to 1.
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
