// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTools
import RealmValues

final class OpenedFile {
    let path: String
    let database: Database
    let canWrite: Bool
    /// The version that all pages display.
    private(set) var snapshot: Snapshot
    let undo = UndoStack()
    private(set) var feed = ChangeFeed()
    private var token: ForeignCommitToken?

    init(_ path: String, _ cipher: (any PageCipher)?, canWrite: Bool) throws {
        self.path = path
        self.canWrite = canWrite
        // The page stays open for a long time, so its version is pinned even while no other program has the file open.
        database =
            canWrite
            ? try WritableFile.openAsIs(path, cipher: cipher)
            : try Database.open(path, readOnly: true, joining: .always, cipher: cipher)
        snapshot = try database.snapshot(label: "realm studio")
    }

    /// Calls `body`, on any thread, after commits of other programs.
    func watch(_ body: @escaping @Sendable () -> Void) throws { token = try database.onForeignCommit(body) }

    var byteCount: Int { get throws { try OpenFile.disk(path).size() } }

    var budget: ReadBudget { get throws { ReadBudget(byteCount: max(try byteCount, 1 << 20)) } }

    /// Advances to the newest version. Returns the changes; nil if nothing has changed.
    func refresh() throws -> JSONText? {
        let newest = try database.snapshot(label: "realm studio")
        guard newest.version != snapshot.version else { return nil }
        let change = try FileChange(from: snapshot, to: newest)
        snapshot = newest
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
