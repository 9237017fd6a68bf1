// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The rows of objects that are being added and whose linked objects aren't all written yet.
///
/// An object and everything it links to are added before its siblings. Where that would recurse too deeply, the object
/// only gets its row, so that others can link to it, and its contents are written later.
final class Additions {
    struct Row {
        let key: ObjectKey
        let managed: ManagedClass
        let contents: [(column: ColumnKey, content: _StoredContent)]
        let update: Realm.UpdatePolicy
        let isNew: Bool
    }

    private static let maxDepth = 50
    private var depth = 0
    private var waiting: [Row] = []

    /// Calls `write` with the row and with the rows that were deferred while it was written.
    func add(_ row: Row, _ write: (Row) -> Void) {
        guard depth < Additions.maxDepth else { return waiting.append(row) }
        depth += 1
        write(row)
        if depth == 1 { while let next = waiting.popLast() { write(next) } }
        depth -= 1
    }
}
