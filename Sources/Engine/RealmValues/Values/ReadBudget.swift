// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The amount of data that a command may read from a file of a given size.
///
/// The nodes of a valid file form a tree, so the readable data is a multiple of its size: at most 1000 values of a list
/// in a node of 8 bytes. In a hostile file nodes are shared many times, and their contents are unbounded.
package final class ReadBudget {
    private var rest: Int

    package init(byteCount: Int) { rest = 128 * byteCount + 1 << 20 }

    package var isSpent: Bool { rest < 0 }

    package func spend(_ count: Int = 1) throws {
        rest -= count
        guard rest >= 0 else {
            throw StorageError(.invalidDatabase, "more values than a file of this size can hold; the file is damaged")
        }
    }

    /// Spends text or data, at less than a value per byte because enumerated strings share it.
    package func spend(byteCount: Int) throws { try spend(byteCount >> 4) }
}
