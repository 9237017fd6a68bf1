// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the lists of tables and of their names (container 5.3) in a file in which no top array leads to them any more.
///
/// A list of tables tells itself apart: each table in it has its own place there as a part of its key. A list of names
/// has as many, some of which begin as those of classes do. Two versions with as many tables may have each other's
/// names, if a class was removed and another one made between them.
struct TableListSearch {
    private let space: NodeSpace

    init(_ space: NodeSpace) { self.space = space }

    /// Pairs of lists, those of the newest version first.
    func pairs(in refs: some Sequence<Ref>) -> [(names: Ref, tables: Ref)] {
        var lists: [(ref: Ref, count: Int, changes: UInt64)] = []
        var names: [Int: (ref: Ref, classCount: Int)] = [:]
        for ref in refs {
            guard let node = space.nodeOrNil(ref), 1...FileFormat.maximumTableCount ~= node.count else { continue }
            if node.header.hasRefs {
                if let changes = changeCount(of: node) { lists.append((ref, node.count, changes)) }
            } else if let count = classCount(of: node), count >= names[node.count]?.classCount ?? 1 {
                names[node.count] = (ref, count)
            }
        }
        return lists.sorted { $0.changes > $1.changes }.compactMap { list in
            names[list.count].map { ($0.ref, list.ref) }
        }
    }

    /// How often the tables of a list were changed, which tells the order of versions; nil where it is none.
    private func changeCount(of list: Node) -> UInt64? {
        guard !list.header.isInner, list.header.schemeCode == NodeScheme.bits.rawValue else { return nil }
        var sum: UInt64?
        for slot in 0..<list.count where list[slot] != 0 && !Tagged.isTagged(list[slot]) {
            guard let table = space.nodeOrNil(Ref(element: list[slot])), table.header.hasRefs, !table.header.isInner,
                FileFormat.Table.legalCounts ~= table.count, let key = try? table.tagged(FileFormat.Table.key),
                TableKey(UInt32(truncatingIfNeeded: key)).slot == slot,
                let changes = try? table.tagged(FileFormat.Table.contentVersion)
            else { return nil }
            sum = (sum ?? 0) &+ changes
        }
        return sum
    }

    /// How many names of classes a list has; nil where it is no list of names.
    private func classCount(of node: Node) -> Int? {
        (try? NameList.decode(node))?.count { $0.hasPrefix(FileFormat.classPrefix) }
    }
}
