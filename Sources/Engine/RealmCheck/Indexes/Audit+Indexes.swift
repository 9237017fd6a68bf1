// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The nodes of search indexes (content 9.3).
extension Audit {
    struct IndexEntries {
        struct Entry {
            /// The end of its path in `steps`.
            let path: Int
            let levels: Int
            /// The list, or the leaf with the literal.
            let ref: Int64
            let isList: Bool
            let keys: Range<Int>
        }

        /// The paths of all entries. Each step is a chunk and the index of the step before, -1 at the root.
        var steps: [(chunk: Int32, before: Int)] = []
        var entries: [Entry] = []
        var keys: [Int64] = []

        func chunks(_ path: Int) -> [Int32] {
            var result: [Int32] = []
            var at = path
            while at >= 0 {
                result.append(steps[at].chunk)
                at = steps[at].before
            }
            return result.reversed()
        }

        func matches(_ entry: Entry, _ data: AuditedIndexData, _ audit: Audit) -> Bool {
            var at = entry.path
            var level = entry.levels - 1
            while at >= 0 {
                if steps[at].chunk != data.chunk(at: 4 * level, audit) { return false }
                at = steps[at].before
                level -= 1
            }
            return true
        }
    }

    /// One level of an index, for one chunk path: a small B+tree over the next chunk.
    private struct IndexLevel {
        let root: Int64
        let path: Int
        let levels: Int
    }

    /// Exceeds the height of any valid index.
    private static let indexHeightLimit = 16
    /// The level at offset 200 is the last (content 9.4).
    static let lastIndexLevel = FileFormat.lastIndexOffset / 4

    func readIndex(_ root: Int64) throws(Damage) -> IndexEntries {
        var result = IndexEntries()
        var pending = [IndexLevel(root: root, path: -1, levels: 0)]
        while let level = pending.popLast() {
            _ = try readIndexNode(level.root, level, height: 0, &result, &pending)
        }
        return result
    }

    private func readIndexNode(
        _ ref: Int64, _ level: IndexLevel, height: Int, _ result: inout IndexEntries, _ pending: inout [IndexLevel]
    ) throws(Damage) -> Int64? {
        if height > Self.indexHeightLimit { throw Damage(ref, "2:9.3 R23", "search index too deep") }
        let node = try expect(ref, "index node", Node.markedRefs, or: Node.markedInner)
        guard (1...FileFormat.treeNodeCapacity + 1).contains(node.count), node.width > 0 else {
            throw Damage(ref, "2:9.3 M33", "index node of \(node.count) slots")
        }
        let slots = try ints(node)
        let keys = try indexKeys(ref, slots[0], count: node.count - 1)
        if keys.isEmpty, ref != root(of: level, height) {
            throw Damage(ref, "2:9.3 M33", "empty index node below the root")
        }
        for (key, entry) in zip(keys, slots.dropFirst()) {
            if node.isInner {
                guard isRef(entry), try readIndexNode(entry, level, height: height + 1, &result, &pending) == key else {
                    throw Damage(ref, "2:9.3 M33", "key of an index branch is not the largest of its child")
                }
            } else {
                try readIndexEntry(ref, entry, Int32(truncatingIfNeeded: key), level, &result, &pending)
            }
        }
        return keys.last
    }

    /// The only node of an index that may be empty.
    private func root(of level: IndexLevel, _ height: Int) -> Int64? {
        height == 0 && level.levels == 0 ? level.root : nil
    }

    private func indexKeys(_ ref: Int64, _ keysRef: Int64, count: Int) throws(Damage) -> [Int64] {
        guard isRef(keysRef) else { throw Damage(ref, "2:9.3 M33", "index node with keys at \(keysRef)") }
        let node = try expect(keysRef, "index keys", Node.plain)
        if node.width != 32 { throw Damage(keysRef, "2:9.3 M31", "index keys of width \(node.width)") }
        let keys = try ints(node)
        guard keys.count == count, isAscending(keys) else {
            throw Damage(keysRef, "2:9.3 M33", "\(keys.count) index keys for \(count) entries, or not ascending")
        }
        return keys
    }

    private func readIndexEntry(
        _ ref: Int64, _ entry: Int64, _ chunk: Int32, _ level: IndexLevel, _ result: inout IndexEntries,
        _ pending: inout [IndexLevel]
    ) throws(Damage) {
        let path = result.steps.count
        result.steps.append((chunk, level.path))
        let start = result.keys.count
        if Tagged.isTagged(entry) {
            result.keys.append(Int64(Tagged.decode(entry)))
        } else if entry == 0 {
            throw Damage(ref, "2:9.3 M33", "empty entry in an index node")
        } else if try node(entry).hasContext {
            if level.levels + 1 > Self.lastIndexLevel {
                throw Damage(entry, "2:9.4 M33", "sub-index below the last level")
            }
            return pending.append(IndexLevel(root: entry, path: path, levels: level.levels + 1))
        } else {
            try readTree(entry, "index list") { leaf throws(Damage) in
                let keys = try intLeaf(leaf, .treeLeaf)
                result.keys += keys
                return keys.count
            }
            if result.keys.count == start { violation(entry, "2:9.4 M33", "empty list in an index") }
        }
        let isList = !Tagged.isTagged(entry)
        result.entries.append(
            IndexEntries.Entry(
                path: path, levels: level.levels + 1, ref: isList ? entry : ref, isList: isList,
                keys: start..<result.keys.count))
    }

    func checkIndex(_ column: Column, of table: Table) {
        guarded(column.label + " index") { () throws(Damage) in
            let entries = try readIndex(column.indexRoot)
            if column.isBroken { return }
            switch column.indexKind {
            case .value: checkValueIndex(column, table, entries)
            case .words, .fullText:
                var words = FullTextIndexAudit(self, column, table, entries)
                words.run()
            case nil: return
            }
        }
    }
}
