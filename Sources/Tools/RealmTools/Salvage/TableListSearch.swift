// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the lists of tables and of their names (container 5.3) in a file whose top arrays are lost.
///
/// A table's key contains its position in the list, so other nodes aren't mistaken for a list. A list of names has as
/// many entries, some of which are names of classes. Two versions with the same number of tables may get each other's
/// names, if one class was removed and another one created between them.
struct TableListSearch {
    private let space: NodeSpace

    init(_ space: NodeSpace) { self.space = space }

    /// A list of tables, and its list of names if that is left.
    struct Pair {
        let names: Ref?
        let tables: Ref
        let count: Int
    }

    /// Returns pairs of lists: those with names first, then by the fewest lost tables, then the newest version first.
    func pairs(in refs: some Sequence<Ref>) -> [Pair] {
        var lists: [(ref: Ref, count: Int, found: Content)] = []
        var names: [Int: (ref: Ref, classCount: Int)] = [:]
        for ref in refs {
            guard let node = space.nodeOrNil(ref), 1...FileFormat.maximumTableCount ~= node.count else { continue }
            if node.header.hasRefs {
                if let found = content(of: node) { lists.append((ref, node.count, found)) }
            } else if let count = classCount(of: node), count >= names[node.count]?.classCount ?? 1 {
                names[node.count] = (ref, count)
            }
        }
        lists.sort { ($0.found.lost, $1.found.changes) < ($1.found.lost, $0.found.changes) }
        let pairs = lists.map { Pair(names: names[$0.count]?.ref, tables: $0.ref, count: $0.count) }
        return pairs.filter { $0.names != nil } + pairs.filter { $0.names == nil }
    }

    /// The tables of a list: the number of their changes, which orders versions, and the numbers of found and lost
    /// ones.
    private struct Content {
        var changes: UInt64 = 0
        var found = 0
        var lost = 0
    }

    /// The maximum number of lost tables beyond the number of found ones.
    private static let maxLostTables = 8

    /// nil if the node isn't a list of tables, or contains no readable table.
    private func content(of list: Node) -> Content? {
        guard !list.header.isInner, list.header.schemeCode == NodeScheme.bits.rawValue else { return nil }
        var content = Content()
        for slot in 0..<list.count where list[slot] != 0 && !Tagged.isTagged(list[slot]) {
            guard let table = space.nodeOrNil(Ref(element: list[slot])), table.header.hasRefs, !table.header.isInner,
                FileFormat.Table.legalCounts ~= table.count, let key = try? table.tagged(FileFormat.Table.key),
                let changes = try? table.tagged(FileFormat.Table.contentVersion)
            else {
                content.lost += 1
                // Most nodes refer to no tables: the search must not read all of each.
                guard content.lost <= content.found + TableListSearch.maxLostTables else { return nil }
                continue
            }
            guard TableKey(UInt32(truncatingIfNeeded: key)).slot == slot else { return nil }
            content.found += 1
            content.changes &+= changes
        }
        return content.found > 0 ? content : nil
    }

    private func classCount(of node: Node) -> Int? {
        (try? NameList.decode(node))?.count { $0.hasPrefix(FileFormat.classPrefix) }
    }
}
