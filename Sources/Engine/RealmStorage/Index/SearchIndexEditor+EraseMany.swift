// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Removals of many objects at once from a value index (content 9.4). Every node on the path is changed once.
extension SearchIndexEditor {
    /// Removes objects from a value index. Returns those that aren't at the position of their data (content 13.8,
    /// 13.18), or aren't in the index at all. Use `erase` for a single object to remove them.
    package func erase(_ root: inout Ref, _ removals: [IndexedObject]) throws -> [ObjectKey] {
        var absent: [ObjectKey] = []
        let sorted = IndexedObject.sorted(removals)
        guard try eraseMany(sorted[...], fromLevel: &root, 0, 0, &absent) else { return absent }
        if try space.integers(root).header.isInner {
            try freeNode(root)
            root = try create()
        }
        return absent
    }

    /// Removes below the root of a level. A branch with a single child is replaced by the child. Returns whether the
    /// level is empty.
    private func eraseMany(
        _ items: ArraySlice<IndexedObject>, fromLevel root: inout Ref, _ offset: Int, _ depth: Int,
        _ absent: inout [ObjectKey]
    ) throws -> Bool {
        if try eraseMany(items, fromNode: &root, offset, depth, &absent) { return true }
        while true {
            let node = try IndexNode(space, root)
            guard node.isInner, node.count == 1 else { return false }
            let child = try node.child(0)
            try freeNode(root)
            root = child
        }
    }

    private func eraseMany(
        _ items: ArraySlice<IndexedObject>, fromNode ref: inout Ref, _ offset: Int, _ depth: Int,
        _ absent: inout [ObjectKey]
    ) throws -> Bool {
        try IndexDescent.requireDepth(depth, at: ref)
        let node = try IndexNode(space, ref)
        let count = node.count
        let emptied =
            node.isInner
            ? try eraseMany(items, fromChildrenOf: &ref, offset, depth, &absent)
            : try eraseMany(items, fromEntriesOf: &ref, offset, depth, &absent)
        guard !emptied.isEmpty else { return false }
        var keys = try IndexNode(space, ref).keysRef
        try store.remove(&keys, emptied)
        try store.remove(&ref, emptied.map { $0 + 1 })
        try store.set(&ref, 0, keys.element)
        return emptied.count == count
    }

    /// Returns the indexes of the children that are now empty and were freed.
    private func eraseMany(
        _ items: ArraySlice<IndexedObject>, fromChildrenOf ref: inout Ref, _ offset: Int, _ depth: Int,
        _ absent: inout [ObjectKey]
    ) throws -> [Int] {
        var emptied: [Int] = []
        var rest = items
        while let first = rest.first {
            let node = try IndexNode(space, ref)
            let place = node.lowerBound(first.data.chunk(at: offset))
            guard place < node.count, place > emptied.last ?? -1 else {
                absent += rest.map(\.key)
                break
            }
            let last = node.key(place)
            let share = rest.prefix { $0.data.chunk(at: offset) <= last }
            rest = rest[share.endIndex...]
            var child = try node.child(place)
            if try eraseMany(share, fromNode: &child, offset, depth + 1, &absent) {
                try freeNode(child)
                emptied.append(place)
            } else if try IndexNode(space, child).count > 0 {
                try setChild(&ref, at: place, child)
            }
        }
        return emptied
    }

    /// Returns the indexes of the entries that are now empty.
    private func eraseMany(
        _ items: ArraySlice<IndexedObject>, fromEntriesOf ref: inout Ref, _ offset: Int, _ depth: Int,
        _ absent: inout [ObjectKey]
    ) throws -> [Int] {
        var emptied: [Int] = []
        var rest = items
        while let first = rest.first {
            let node = try IndexNode(space, ref)
            let chunk = first.data.chunk(at: offset)
            let share = rest.prefix { $0.data.chunk(at: offset) == chunk }
            rest = rest[share.endIndex...]
            let place = node.lowerBound(chunk)
            guard place < node.count, node.key(place) == chunk, place > emptied.last ?? -1 else {
                absent += share.map(\.key)
                continue
            }
            if let element = try eraseMany(share, fromEntry: node.element(place), offset, depth, &absent) {
                try setElement(&ref, at: place, element)
            } else {
                emptied.append(place)
            }
        }
        return emptied
    }

    /// Returns the remaining entry; nil if it's empty.
    private func eraseMany(
        _ items: ArraySlice<IndexedObject>, fromEntry element: Int64, _ offset: Int, _ depth: Int,
        _ absent: inout [ObjectKey]
    ) throws -> Int64? {
        switch try IndexEntry(element, in: space) {
        case .literal(let key):
            absent += items.lazy.map(\.key).filter { $0 != key }
            return items.contains { $0.key == key } ? nil : element
        case .list(var list):
            try eraseMany(items, fromList: &list, &absent)
            return list == 0 ? nil : list.element
        case .subIndex(var sub):
            try IndexDescent.requireNextLevel(offset, at: sub)
            guard try eraseMany(items, fromLevel: &sub, offset + 4, depth + 1, &absent) else { return sub.element }
            try freeNode(sub)
            return nil
        }
    }

    /// An emptied list is freed, and `list` becomes 0.
    private func eraseMany(
        _ items: ArraySlice<IndexedObject>, fromList list: inout Ref, _ absent: inout [ObjectKey]
    ) throws {
        var places: [Int] = []
        let keys = try IndexList(space, list)
        if items.count == 1, let item = items.first {
            // Most lists are in the order of their keys.
            let place = try keys.partition { $0 < item.key }
            let isThere = try place < keys.count && keys.key(at: place) == item.key
            if let place = isThere ? place : try keys.index(of: item.key) { places.append(place) }
            if places.isEmpty { absent.append(item.key) }
        } else {
            places = try placesInOrder(of: items, in: keys)
            if places.count < items.count { places = try placesAnywhere(of: items, in: keys, &absent) }
        }
        if places.count == keys.count {
            try free(list)
            list = 0
        } else if try space.integers(list).header.isInner {
            for place in places.reversed() { try BPlusTreeEditor(store, .key).erase(&list, at: place) }
        } else {
            try store.remove(&list, places)
        }
    }

    /// Searches in one pass over both, which finds all keys if both ascend.
    private func placesInOrder(of items: ArraySlice<IndexedObject>, in keys: IndexList) throws -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(items.count)
        var next = items.startIndex
        var place = 0
        try keys.forEach { key in
            while next < items.endIndex, items[next].key < key { next += 1 }
            if next < items.endIndex, items[next].key == key {
                places.append(place)
                next += 1
            }
            place += 1
            return next < items.endIndex
        }
        return places
    }

    /// Finds the keys in a list that may be out of order (content 13.5).
    private func placesAnywhere(
        of items: ArraySlice<IndexedObject>, in keys: IndexList, _ absent: inout [ObjectKey]
    ) throws -> [Int] {
        var wanted = Set(items.lazy.map(\.key))
        var places: [Int] = []
        var place = 0
        try keys.forEach { key in
            if wanted.remove(key) != nil { places.append(place) }
            place += 1
            return !wanted.isEmpty
        }
        absent += wanted
        return places
    }
}
