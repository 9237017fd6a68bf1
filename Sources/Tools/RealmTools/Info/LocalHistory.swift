// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// The changesets of a local history, oldest first (container 7.2).
struct LocalHistory {
    private let tree: BPlusTree
    private let schemaVersion: UInt64

    init?(_ snapshot: Snapshot) throws {
        guard let top = snapshot.top, top.historyType == FileFormat.History.local, try top.history() != 0 else {
            return nil
        }
        tree = try BPlusTree(snapshot.space, try top.history(), .binary)
        schemaVersion = top.historySchemaVersion
    }

    var count: Int { tree.count }

    func forEach(_ budget: ReadBudget, _ body: ([UInt8]) throws -> Void) throws {
        try tree.forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count {
                let changeset = try leaf.leaf.binary(at: row) ?? []
                try budget.spend()
                try budget.spend(byteCount: changeset.count)
                try body(changeset)
            }
            return true
        }
    }
}
