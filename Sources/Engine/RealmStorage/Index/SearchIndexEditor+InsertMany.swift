// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Insertions of many objects at once into a search index (content 9.4, 9.5). Every node on the path is changed once,
/// and new levels are written bottom-up.
extension SearchIndexEditor {
    package func insert(_ root: inout Ref, _ batch: IndexBatch) throws {
        guard !batch.runs.isEmpty else { return }
        try insert(batch, batch.runs.indices, intoLevel: &root, 0, 0)
    }

    private func insert(
        _ batch: IndexBatch, _ runs: Range<Int>, intoLevel root: inout Ref, _ offset: Int, _ depth: Int
    ) throws {
        root = try level(over: try insert(batch, runs, intoNode: root, offset, depth))
    }

    private func level(over nodes: [Ref]) throws -> Ref {
        var nodes = nodes
        while nodes.count > 1 {
            let keys = try nodes.map { try IndexNode(space, $0).lastKey }
            nodes = try createNodes(keys: keys, elements: nodes.map(\.element), isInner: true)
        }
        return nodes[0]
    }

    /// Returns the nodes that replace the node.
    private func insert(
        _ batch: IndexBatch, _ runs: Range<Int>, intoNode ref: Ref, _ offset: Int, _ depth: Int
    ) throws -> [Ref] {
        try IndexDescent.requireDepth(depth, at: ref)
        return try IndexNode(space, ref).isInner
            ? insert(batch, runs, intoChildrenOf: ref, offset, depth)
            : insert(batch, runs, intoEntriesOf: ref, offset, depth)
    }

    private func insert(
        _ batch: IndexBatch, _ runs: Range<Int>, intoChildrenOf ref: Ref, _ offset: Int, _ depth: Int
    ) throws -> [Ref] {
        var ref = ref
        var splits: [(place: Int, nodes: [Ref])] = []
        var rest = runs
        while !rest.isEmpty {
            let node = try IndexNode(space, ref)
            let last = node.count - 1
            let place = min(node.lowerBound(batch.share(of: rest, at: offset).chunk), last)
            let share = place == last ? rest : batch.share(of: rest, at: offset, through: node.key(place))
            rest = share.upperBound..<rest.upperBound
            let nodes = try insert(batch, share, intoNode: node.child(place), offset, depth + 1)
            try setChild(&ref, at: place, nodes[0])
            if nodes.count > 1 { splits.append((place, Array(nodes.dropFirst()))) }
        }
        guard !splits.isEmpty else { return [ref] }
        let siblings = splits.flatMap(\.nodes)
        return try insertSlots(
            ref, keys: siblings.map { try IndexNode(space, $0).lastKey }, elements: siblings.map(\.element))
    }

    private func insert(
        _ batch: IndexBatch, _ runs: Range<Int>, intoEntriesOf ref: Ref, _ offset: Int, _ depth: Int
    ) throws -> [Ref] {
        var ref = ref
        var keys: [Int32] = []
        var elements: [Int64] = []
        var rest = runs
        while !rest.isEmpty {
            let (chunk, share) = batch.share(of: rest, at: offset)
            rest = share.upperBound..<rest.upperBound
            let node = try IndexNode(space, ref)
            let place = node.lowerBound(chunk)
            if place < node.count, node.key(place) == chunk {
                let entry = try insert(batch, share, intoEntry: node.element(place), offset, depth)
                try setElement(&ref, at: place, entry)
            } else {
                keys.append(chunk)
                elements.append(try createEntry(batch, share, offset, depth))
            }
        }
        return keys.isEmpty ? [ref] : try insertSlots(ref, keys: keys, elements: elements)
    }

    private func insert(
        _ batch: IndexBatch, _ runs: Range<Int>, intoEntry element: Int64, _ offset: Int, _ depth: Int
    ) throws -> Int64 {
        let entry = try IndexEntry(element, in: space)
        var sub: Ref
        if case .subIndex(let ref) = entry {
            sub = ref
        } else if let chunk = try batch.parting(of: runs, from: entry, at: offset, in: space) {
            sub = try createNode(keys: [chunk], elements: [element], isInner: false)
        } else {
            return try runs.reduce(element) {
                offset < FileFormat.lastIndexOffset || batch.dataOf == nil
                    ? try merge(batch.keys(of: $1), into: $0) : try mergeNulls(batch.keys(of: $1), into: $0, batch)
            }
        }
        try IndexDescent.requireNextLevel(offset, at: sub)
        try insert(batch, runs, intoLevel: &sub, offset + 4, depth + 1)
        return sub.element
    }

    private func createEntry(_ batch: IndexBatch, _ runs: Range<Int>, _ offset: Int, _ depth: Int) throws -> Int64 {
        if runs.count == 1, batch.mayStand(runs.lowerBound, at: offset) {
            let keys = batch.keys(of: runs.lowerBound)
            return keys.count == 1
                ? Tagged.encode(UInt64(bitPattern: keys[keys.startIndex].rawValue)) : try createList(keys).element
        }
        var keys: [Int32] = []
        var elements: [Int64] = []
        var rest = runs
        while !rest.isEmpty {
            let (chunk, share) = batch.share(of: rest, at: offset + 4)
            rest = share.upperBound..<rest.upperBound
            keys.append(chunk)
            elements.append(try createEntry(batch, share, offset + 4, depth + 1))
        }
        return try level(over: try createNodes(keys: keys, elements: elements, isInner: false)).element
    }

    // MARK: Nodes

    /// Adds keys with their children or entries. Returns the nodes that replace the node. The keys must ascend and must
    /// be new to the node.
    private func insertSlots(_ ref: Ref, keys: [Int32], elements: [Int64]) throws -> [Ref] {
        let node = try IndexNode(space, ref)
        let count = node.count
        // Rewriting a node costs about as much as this many insertions in the middle.
        if keys.count <= 1 + count >> 5, count + keys.count <= store.treeCapacity {
            var ref = ref
            for (key, element) in zip(keys, elements) {
                let place = try IndexNode(space, ref).lowerBound(key)
                _ = try insertInNode(&ref, at: place, key: key, element: element)
            }
            return [ref]
        }
        var allKeys: [Int32] = []
        var allElements: [Int64] = []
        allKeys.reserveCapacity(count + keys.count)
        allElements.reserveCapacity(count + keys.count)
        var place = 0
        for (key, element) in zip(keys, elements) {
            while place < count, node.key(place) < key {
                allKeys.append(node.key(place))
                allElements.append(node.element(place))
                place += 1
            }
            allKeys.append(key)
            allElements.append(element)
        }
        let arrivesInOrder = place == count
        while place < count {
            allKeys.append(node.key(place))
            allElements.append(node.element(place))
            place += 1
        }
        let isInner = node.isInner
        try freeNode(ref)
        return try createNodes(
            keys: allKeys, elements: allElements, isInner: isInner, leavesFullNodes: arrivesInOrder && count > 0)
    }

    /// Creates as few nodes as can hold the keys. All are equally full or, for keys that arrive in ascending order, all
    /// but the last one are full.
    private func createNodes(
        keys: [Int32], elements: [Int64], isInner: Bool, leavesFullNodes: Bool = false
    ) throws -> [Ref] {
        let count = (keys.count + store.treeCapacity - 1) / store.treeCapacity
        return try (0..<count).map { index in
            let range =
                leavesFullNodes
                ? index * store.treeCapacity..<min((index + 1) * store.treeCapacity, keys.count)
                : keys.count * index / count..<keys.count * (index + 1) / count
            return try createNode(keys: Array(keys[range]), elements: Array(elements[range]), isInner: isInner)
        }
    }

    // MARK: Lists

    private func createList(_ keys: some RandomAccessCollection<ObjectKey>) throws -> Ref {
        var leaves: [Ref] = []
        var rest = keys[...]
        while !rest.isEmpty {
            leaves.append(try store.create(rest.prefix(store.treeCapacity).map(\.rawValue)))
            rest = rest.dropFirst(store.treeCapacity)
        }
        return try BPlusTreeEditor(store, .key).join(leaves, count: keys.count)
    }

    private func merge(_ keys: ArraySlice<ObjectKey>, into element: Int64) throws -> Int64 {
        switch try IndexEntry(element, in: space) {
        case .subIndex: return element
        case .literal(let key):
            let union = SearchIndexEditor.union([key], keys)
            return union.count == 1 ? element : try createList(union).element
        case .list(var root):
            let list = try IndexList(space, root)
            if try keys.count <= 1 + list.count >> 5 && !space.integers(root).header.isInner
                || keys.count <= list.count >> 8
            {
                for key in keys { try insert(key, intoList: &root) }
            } else {
                let union = SearchIndexEditor.union(try list.keys(), keys)
                try free(root)
                root = try createList(union)
            }
            return root.element
        }
    }

    /// Adds the keys of nulls to an entry of the last level. The only other strings there consist of NULs and extend
    /// beyond that level; nulls precede them (content 9.4).
    private func mergeNulls(
        _ keys: ArraySlice<ObjectKey>, into element: Int64, _ batch: IndexBatch
    ) throws -> Int64 {
        var root: Ref
        switch try IndexEntry(element, in: space) {
        case .subIndex: return element
        case .literal(let key):
            guard keys.contains(where: { $0 != key }) else { return element }
            root = try store.create([key.rawValue])
        case .list(let list): root = list
        }
        for key in keys {
            let list = try IndexList(space, root)
            let place = try list.partition { try $0 < key && batch.dataOf?($0) == IndexData.none }
            if try place < list.count && list.key(at: place) == key { continue }
            try BPlusTreeEditor(store, .key).insert(&root, at: place, .link(key))
        }
        return root.element
    }

    private func insert(_ key: ObjectKey, intoList root: inout Ref) throws {
        let list = try IndexList(space, root)
        let place = try list.partition { $0 < key }
        if try place < list.count && list.key(at: place) == key { return }
        try BPlusTreeEditor(store, .key).insert(&root, at: place, .link(key))
    }

    /// Sorts, because lists of upgraded files may be out of order (content 13.5).
    private static func union(_ a: [ObjectKey], _ b: ArraySlice<ObjectKey>) -> [ObjectKey] {
        let all = a + b
        if zip(all, all.dropFirst()).allSatisfy({ $0 < $1 }) { return all }
        var result: [ObjectKey] = []
        result.reserveCapacity(all.count)
        for key in all.sorted() where result.last != key { result.append(key) }
        return result
    }
}
