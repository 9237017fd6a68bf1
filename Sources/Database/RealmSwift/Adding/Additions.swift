// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The rows of objects that are being added, as long as what they link to is not written.
///
/// An object is added with all it links to, before the next one of those around it. Where that would lead deeper than
/// the stack should, the object gets its row, so that it can be linked to, and the rest later.
final class Additions {
    struct Row {
        let key: ObjectKey
        let managed: ManagedClass
        let contents: [(column: ColumnKey, content: _StoredContent)]
        let update: Realm.UpdatePolicy
        let isNew: Bool
    }

    private static let greatestDepth = 50
    private var depth = 0
    private var waiting: [Row] = []

    /// Calls `write` with the row, and with those that have to wait for it.
    func add(_ row: Row, _ write: (Row) -> Void) {
        guard depth < Additions.greatestDepth else { return waiting.append(row) }
        depth += 1
        write(row)
        if depth == 1 { while let next = waiting.popLast() { write(next) } }
        depth -= 1
    }
}
