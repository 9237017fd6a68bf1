// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// How much a command may read out of a file of a given size.
///
/// The nodes of a sound file form a tree, so what can be read is a multiple of its size: at most 1000 values of a list
/// in a node of 8 bytes. In a hostile file nodes are used many times over, and their contents are without end.
package final class ReadBudget {
    private var rest: Int

    package init(byteCount: Int) { rest = 128 * byteCount + 1 << 20 }

    /// Whether more was asked for than there was.
    var isSpent: Bool { rest < 0 }

    /// Accounts for `count` values.
    func spend(_ count: Int = 1) throws {
        rest -= count
        guard rest >= 0 else {
            throw StorageError(.invalidDatabase, "more values than a file of this size can hold; the file is damaged")
        }
    }

    /// Accounts for text or data, which enumerated strings share.
    func spend(byteCount: Int) throws { try spend(byteCount >> 4) }
}
