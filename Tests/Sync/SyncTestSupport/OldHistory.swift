// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync

/// A history as older clients stored it: in schema 11, with uncompressed changesets.
package struct OldHistory: RecordedHistory {
    package let schemaVersions: ClosedRange<UInt64> = 11...12
    private let changesets: [StoredValue]
    private let reciprocals: [StoredValue]

    package init(changesets: [StoredValue], reciprocals: [StoredValue]) {
        (self.changesets, self.reciprocals) = (changesets, reciprocals)
    }

    /// Replaces the changesets of a synchronised file.
    package func write(to path: String) throws {
        var options = OpenOptions()
        options.synchronisedHistory = self
        try Database.open(path, options: options).write { _ in }
    }

    package func recorder(for transaction: WriteTransaction) -> any WriteRecorder { Recorder(self) }

    private final class Recorder: WriteRecorder {
        private let content: OldHistory

        init(_ content: OldHistory) { self.content = content }

        func record(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws {}

        func writeHistory(of transaction: WriteTransaction) throws {
            let store = transaction.store
            let node = try store.space.refs(try transaction.history)
            var slots = try (0..<node.count).map { try node.element($0) }
            let columns = [
                (HistorySlots.changesets, content.changesets), (HistorySlots.reciprocals, content.reciprocals),
            ]
            for (slot, values) in columns where slots[slot] != 0 {
                var root = Ref(element: slots[slot])
                for (index, value) in values.enumerated() {
                    try BPlusTreeEditor(store, .binary).set(&root, at: index, value)
                }
                slots[slot] = root.element
            }
            try store.free(try transaction.history)
            let root = try store.create(slots, flags: NodeHeader.Flags.hasRefs)
            transaction.setHistory(root, FileFormat.History.syncClient, schema: 11)
        }
    }
}
