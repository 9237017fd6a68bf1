// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTools
import RealmValues

final class OpenedFile {
    private let file: FollowedFile
    var undo = UndoStack()
    private(set) var feed = ChangeFeed()

    init(_ path: String, _ cipher: (any PageCipher)?, canWrite: Bool) throws {
        file = try FollowedFile(path, cipher: cipher, canWrite: canWrite, label: "realm studio")
    }

    var path: String { file.path }
    var database: Database { file.database }
    /// The version that all pages display.
    var snapshot: Snapshot { file.snapshot }
    var byteCount: Int { get throws { try file.byteCount } }
    var budget: ReadBudget { get throws { ReadBudget(byteCount: max(try byteCount, 1 << 20)) } }

    /// Calls `body`, on any thread, after commits of other programs.
    func watch(_ body: @escaping @Sendable () -> Void) throws { try file.onForeignCommit(body) }

    /// Advances to the newest version. Returns the changes; nil if nothing has changed.
    func refresh() throws -> JSONText? {
        guard let diff = try file.advance() else { return nil }
        let change = try FileChange(diff)
        feed.add(change)
        return change.json
    }

    // MARK: Tables

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
