// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools
import RealmValues

extension FollowedFile {
    var budget: ReadBudget { get throws { ReadBudget(byteCount: max(try byteCount, 1 << 20)) } }

    func table(_ key: TableKey) throws -> Table {
        guard let table = try snapshot.table(key) else { throw StudioError("the class no longer exists") }
        return table
    }

    func table(named name: String) throws -> Table {
        guard let table = try snapshot.table(named: FileFormat.classPrefix + name) else {
            throw StudioError("there is no class '\(name)'")
        }
        return table
    }

    func position(_ key: ObjectKey, in table: Table) throws -> ClusterTree.Position {
        guard let position = try table.find(key) else { throw StudioError("the object no longer exists") }
        return position
    }
}
