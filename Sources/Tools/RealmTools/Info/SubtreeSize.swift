// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct SubtreeSize {
    let space: NodeSpace
    let budget: ByteBudget

    /// Limits the bytes of visited nodes. In a valid file nodes don't overlap; in a hostile file they're shared many
    /// times.
    final class ByteBudget {
        private var rest: Int
        private let spent: (Int) -> Void

        init(_ snapshot: Snapshot, byteCount: Int, spent: @escaping (Int) -> Void = { _ in }) {
            rest = 16 * max(byteCount, Int(snapshot.space.fileEnd)) + 1 << 20
            self.spent = spent
        }

        func spend(_ count: Int) throws {
            rest -= count
            spent(count)
            guard rest >= 0 else {
                throw StorageError(.invalidDatabase, "nodes that are used many times; the file is damaged")
            }
        }
    }

    func callAsFunction(_ root: Ref) throws -> Int {
        guard root != 0 else { return 0 }
        var total = 0
        var rest = [root]
        while let ref = rest.popLast() {
            let node = try space.node(ref)
            total += node.header.byteCount
            try budget.spend(node.header.byteCount)
            guard node.header.hasRefs, node.header.schemeCode == NodeScheme.bits.rawValue else { continue }
            for index in 0..<node.count where node[index] != 0 && node[index] & 1 == 0 {
                rest.append(Ref(element: node[index]))
            }
        }
        return total
    }
}
