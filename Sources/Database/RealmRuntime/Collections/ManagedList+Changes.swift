// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Changes. The caller has verified the positions, that a write is in progress, and that the owner exists.
extension ManagedList {
    /// Inserts a value at a position of the tree.
    package func insert(_ value: StoredValue, at position: Int) {
        changeFollowed { try $0.list(at: $1).insert(value, at: position) }
    }

    /// Inserts values at a position of the tree, which is then the one after them.
    package func insert(_ values: [StoredValue], at position: inout Int) {
        guard !values.isEmpty else { return }
        let start = position
        change { try $0.list(at: path).insert(contentsOf: values, at: start) }
        position += values.count
    }

    package func remove(at index: Int) {
        let position = treePosition(index)
        changeFollowed { try $0.list(at: $1).erase(at: position) }
    }

    package func remove(_ bounds: Range<Int>) {
        if bounds.count == foundCount { return removeAll() }
        for index in bounds.reversed() {
            if hidesElements { update() }
            remove(at: index)
        }
    }

    package func removeAll() {
        change { try $0.list(at: path).clear() }
    }

    package func move(from source: Int, to target: Int) {
        guard source != target else { return }
        let (source, target) = (treePosition(source), treePosition(target))
        change { try $0.list(at: path).move(from: source, to: target) }
    }

    package func swap(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let (first, second) = (treePosition(first), treePosition(second))
        change { try $0.list(at: path).swap(first, second) }
    }
}
