// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Lists, sets and dictionaries (content 7).
extension Audit {
    /// Reads the collection of a column from the ref in its cluster leaf (content 6.15, 7.1), and returns the number of
    /// elements. Links are added to the book under `owner`, the live object, if there is one.
    func collection(_ column: Column, _ root: Int64, owner: Int64?) throws(Damage) -> Int {
        if root == 0 { return 0 }
        guard isRef(root) else { throw Damage(root, "2:6.15", "collection column holds \(root)") }
        if column.kind == .dictionary {
            if let era, era.hashesDictionaries { return try hashedDictionary(root, column, owner: owner) }
            let count = try dictionary(root, column, level: 1, owner: owner)
            try readNested(of: column)
            return count
        }
        if column.type == .link { return try linkCollection(column, root, owner) }
        var order = column.kind == .set ? SetOrder(type: column.type, isOld: era != nil) : nil
        let count: Int
        if column.type == .mixed {
            count = try mixedTree(root, column, level: 1, owner: owner) { order?.add($0, self) }
            try readNested(of: column)
        } else {
            count = try readTree(root, "collection") { ref throws(Damage) in
                let values = try leaf(column.type, nullable: column.isNullable, ref, .treeLeaf)
                if order != nil { for value in values { order?.add(value, self) } }
                if column.isWordList, owner != nil { column.kept += values }
                return values.count
            }
        }
        order?.finish(root, self)
        return count
    }

    // MARK: Links (content 7.4)

    /// The root's `CTX` flag shows whether the tree contains an unresolved key.
    private func linkCollection(_ column: Column, _ root: Int64, _ owner: Int64?) throws(Damage) -> Int {
        var order = column.kind == .set ? SetOrder(type: .link) : nil
        var hasUnresolved = false
        let isMarked = try node(root).hasContext
        let count = try readTree(root, "collection", markedRoot: true) { ref throws(Damage) in
            let node = try expect(ref, "column leaf", Node.plain, or: Node.context)
            try require(ref, node.count, .treeLeaf)
            let keys = try ints(node)
            if keys.contains(-1) { violation(ref, "2:7.4", "null in a list or set of links") }
            for key in keys {
                if key < -1 { hasUnresolved = true }
                order?.add(.link(key), self)
                if let owner { forward(column, owner, table: column.oppositeTable, target: key) }
            }
            return keys.count
        }
        if hasUnresolved, !isMarked {
            violation(root, "2:7.4 M38", "unresolved link below a root without CTX")
        } else if isMarked, !hasUnresolved {
            remnant(root, "2:7.4 M38", "CTX on a root without unresolved links")
        }
        order?.finish(root, self)
        return count
    }

    // MARK: Mixed (content 7.5-7.7)

    private func checkLevel(_ level: Int, _ ref: Int64) throws(Damage) {
        if level > FileFormat.maximumNestingLevel {
            throw Damage(
                ref, "2:7.7 M40", "collection nested deeper than \(FileFormat.maximumNestingLevel) levels")
        }
    }

    /// Reads a B+tree of Mixed: a list or set, or the values of a dictionary. Calls `each` with the elements in order.
    private func mixedTree(
        _ root: Int64, _ column: Column, level: Int, owner: Int64?, each: (Datum) -> Void
    ) throws(Damage) -> Int {
        try checkLevel(level, root)
        var keys = CollectionKeys(isTree: true)
        let count = try readTree(root, "collection") { ref throws(Damage) in
            let rows = try mixedLeaf(ref, .treeLeaf, &keys)
            for value in rows.values {
                each(value)
                if case .typedLink(let table, let target) = value, let owner {
                    forward(column, owner, table: table, target: target)
                }
            }
            for found in rows.nested {
                nested.append(
                    NestedCollection(ref: found.ref, isList: found.isList, level: level + 1, owner: owner))
            }
            return rows.values.count
        }
        keys.finish(self)
        return count
    }

    /// Reads the nested collections found so far, and those found in them.
    ///
    /// They wait in a queue instead of on the call stack, which hostile nesting would exhaust.
    func readNested(of column: Column) throws(Damage) {
        defer { nested.removeAll(keepingCapacity: true) }
        while let next = nested.popLast() {
            if next.isList {
                _ = try mixedTree(next.ref, column, level: next.level, owner: next.owner) { _ in }
            } else {
                _ = try dictionary(next.ref, column, level: next.level, owner: next.owner)
            }
        }
    }

    // MARK: Dictionaries (content 7.6)

    /// A dictionary of level 1 contains values of its column's type. One inside Mixed has String keys and any values.
    private func dictionary(_ ref: Int64, _ column: Column, level: Int, owner: Int64?) throws(Damage) -> Int {
        try checkLevel(level, ref)
        let slots = try refArray(ref, "dictionary", limit: 2)
        guard slots.count == 2, isRef(slots[0]), isRef(slots[1]) else {
            throw Damage(ref, "2:7.6 M23", "dictionary top with \(slots)")
        }
        let isOwn = level == 1 && column.kind == .dictionary
        let keyCount = try dictionaryKeys(slots[0], isOwn ? column.keyType : .string)
        let count = try mixedTree(slots[1], column, level: level, owner: owner) {
            if isOwn { checkDeclared($0, slots[1], column) }
        }
        if keyCount != count { throw Damage(ref, "2:7.6", "dictionary of \(keyCount) keys and \(count) values") }
        return count
    }

    private func dictionaryKeys(_ root: Int64, _ type: ColumnType) throws(Damage) -> Int {
        var last: Datum?
        var isAscending = true
        var isForbidden = false
        let count = try readTree(root, "dictionary keys") { ref throws(Damage) in
            let keys = try leaf(type, nullable: false, ref, .treeLeaf)
            for key in keys where !key.isNull {
                // Format 23 has another order of keys.
                if let last, compare(type, last, key) >= 0 { isAscending = era != nil && type == .string }
                if case .string(let run) = key, isForbiddenKey(run) { isForbidden = true }
                last = key
            }
            return keys.count
        }
        if !isAscending { violation(root, "2:7.6 M39", "dictionary keys are not strictly ascending") }
        if isForbidden { violation(root, "2:7.6 M39", "dictionary key that starts with $ or contains a dot") }
        return count
    }

    /// A dictionary of formats 21 and 22 is a cluster tree by hash, with keys in column 0 and values in column 1
    /// (container 10.2).
    private func hashedDictionary(_ root: Int64, _ column: Column, owner: Int64?) throws(Damage) -> Int {
        let rows = try readClusters(root, highestLeafIndex: 1)
        var keys = SetOrder(type: column.keyType, isOld: true)
        for cluster in rows.clusters {
            let count = Rows.exactly(cluster.rowCount)
            for key in try leaf(column.keyType, nullable: false, cluster.slots[1], count) {
                if case .string(let run) = key, isForbiddenKey(run) {
                    violation(root, "2:7.6 M39", "dictionary key that starts with $ or contains a dot")
                }
                if column.keyType == .string { keys.add(key, self) }
            }
            var collectionKeys = CollectionKeys(isTree: false)
            let found = try mixedLeaf(cluster.slots[2], count, &collectionKeys)
            if !found.nested.isEmpty { violation(root, "1:10.2", "collection in a dictionary of this format") }
            for value in found.values {
                checkDeclared(value, root, column)
                if case .typedLink(let table, let target) = value, let owner {
                    forward(column, owner, table: table, target: target)
                }
            }
            // Lists of keys with the same hash.
            opaqueRoots += cluster.slots.dropFirst(3).filter(isRef)
        }
        keys.finish(root, self)
        return rows.keys.count
    }

    private func isForbiddenKey(_ run: ByteRun) -> Bool {
        for i in 0..<run.count {
            let character = byte(run, i)
            if character == UInt8(ascii: ".") || i == 0 && character == UInt8(ascii: "$") { return true }
        }
        return false
    }

    private func checkDeclared(_ value: Datum, _ ref: Int64, _ column: Column) {
        if column.type == .mixed { return }
        guard let type = value.type else {
            if !column.isNullable { violation(ref, "2:7.6 M41", "null in a dictionary that is not nullable") }
            return
        }
        let wanted = column.type == .link ? ColumnType.typedLink : column.type
        if type != wanted {
            violation(ref, "2:7.6", "\(type) in a dictionary of \(column.type)")
        } else if case .typedLink(let table, _) = value, table != column.oppositeTable {
            violation(ref, "2:7.6", "dictionary links to another table than its column says")
        }
    }
}
