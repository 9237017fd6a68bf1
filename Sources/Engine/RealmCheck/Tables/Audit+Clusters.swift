// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Cluster trees (content 5).
extension Audit {
    /// Returns all objects below `root` in key order. Each leaf needs a slot for `highestLeafIndex`, -1 for no column.
    func readClusters(_ root: Int64, highestLeafIndex: Int) throws(Damage) -> ObjectRows {
        var rows = ObjectRows()
        _ = try readCluster(root, offset: 0, depth: nil, highestLeafIndex, &rows)
        return rows
    }

    /// Reads a subtree whose keys are relative to `offset`. `depth` is nil for the root. Returns the number of rows and
    /// the largest relative key.
    private func readCluster(
        _ ref: Int64, offset: UInt64, depth: UInt64?, _ highestLeafIndex: Int, _ rows: inout ObjectRows
    ) throws(Damage) -> (count: Int, largest: UInt64?) {
        if try node(ref).isInner {
            return try readClusterBranch(ref, offset: offset, depth: depth, highestLeafIndex, &rows)
        }
        if let depth, depth != 0 {
            throw Damage(ref, "2:5.1 M28", "leaf where a branch of depth \(depth) belongs")
        }
        return try readClusterLeaf(ref, offset: offset, isRoot: depth == nil, highestLeafIndex, &rows)
    }

    private func readClusterBranch(
        _ ref: Int64, offset: UInt64, depth: UInt64?, _ highestLeafIndex: Int, _ rows: inout ObjectRows
    ) throws(Damage) -> (count: Int, largest: UInt64?) {
        let node = try expect(ref, "cluster branch", Node.inner)
        guard (4...3 + FileFormat.clusterCapacity).contains(node.count) else {
            throw Damage(ref, "2:5.1 M28", "cluster branch of \(node.count) slots")
        }
        let elements = try ints(node)
        let ownDepth = try tagged(elements[1], ref, 1, orZero: false)
        let total = try tagged(elements[2], ref, 2, orZero: false)
        guard ownDepth >= 1, ownDepth <= UInt64(Self.treeLevelLimit), depth == nil || depth == ownDepth else {
            throw Damage(ref, "2:5.1 M28", "branch of depth \(ownDepth) where \(depth ?? 1) belongs")
        }
        let offsets = try childOffsets(ref, elements[0], depth: ownDepth, count: node.count - 3)
        var count = 0
        var largest: UInt64?
        for (i, child) in elements[3...].enumerated() {
            guard isRef(child) else { throw Damage(ref, "2:5.1 M28", "cluster branch with \(child) as child") }
            let below = try readCluster(
                child, offset: offset &+ offsets[i], depth: ownDepth - 1, highestLeafIndex, &rows)
            if i + 1 < offsets.count, let last = below.largest, last >= offsets[i + 1] - offsets[i] {
                throw Damage(ref, "2:5.1 M28", "keys of child \(i) reach into child \(i + 1)")
            }
            count += below.count
            largest = try below.largest.map { last throws(Damage) in try keySum(offsets[i], last, ref) }
        }
        if total != UInt64(count) { violation(ref, "2:5.1 M28", "branch says \(total) objects, holds \(count)") }
        return (count, largest)
    }

    private func keySum(_ offset: UInt64, _ key: UInt64, _ ref: Int64) throws(Damage) -> UInt64 {
        let (sum, overflow) = offset.addingReportingOverflow(key)
        if overflow { throw Damage(ref, "2:5 M28", "object key of more than 64 bits") }
        return sum
    }

    private func childOffsets(
        _ ref: Int64, _ first: Int64, depth: UInt64, count: Int
    ) throws(Damage) -> [UInt64] {
        if first == 0 {
            let shift = UInt64(FileFormat.clusterShift) * depth
            if count > 1, shift >= 64 { throw Damage(ref, "2:5.1 M28", "compact branch of depth \(depth)") }
            return (0..<UInt64(count)).map { $0 << shift }
        }
        guard isRef(first) else { throw Damage(ref, "2:5.1 M28", "cluster branch begins with \(first)") }
        let offsets = try unsignedArray(first, "cluster keys", limit: FileFormat.clusterCapacity)
        guard offsets.count == count, offsets[0] == 0, isAscending(offsets) else {
            throw Damage(first, "2:5.1 M28", "offsets are not one per child, strictly ascending from 0")
        }
        return offsets
    }

    private func readClusterLeaf(
        _ ref: Int64, offset: UInt64, isRoot: Bool, _ highestLeafIndex: Int, _ rows: inout ObjectRows
    ) throws(Damage) -> (count: Int, largest: UInt64?) {
        let node = try expect(ref, "cluster leaf", Node.refs)
        guard node.count <= 1 + 65_536, node.count >= max(1, 2 + highestLeafIndex), node.width > 0 else {
            throw Damage(
                ref, "2:5.2 M27",
                "cluster leaf of \(node.count) slots (width \(node.width)), highest leaf index \(highestLeafIndex)")
        }
        let slots = try ints(node)
        let relative = try relativeKeys(ref, slots[0])
        if relative.isEmpty, !isRoot { throw Damage(ref, "2:5.2 M28", "empty cluster leaf below a branch") }
        rows.clusters.append(
            Cluster(ref: ref, firstRow: rows.keys.count, rowCount: relative.count, slots: slots))
        for key in relative { rows.keys.append(try keySum(offset, key, ref)) }
        return (relative.count, relative.last)
    }

    private func relativeKeys(_ ref: Int64, _ first: Int64) throws(Damage) -> [UInt64] {
        if Tagged.isTagged(first) {
            let count = Tagged.decode(first)
            guard count <= UInt64(FileFormat.clusterCapacity) else {
                throw Damage(ref, "2:5.2 M28", "cluster leaf of \(count) rows")
            }
            return Array(0..<count)
        }
        if first == 0 { throw Damage(ref, "2:5.2 M28", "cluster leaf without row count and keys") }
        let keys = try unsignedArray(first, "cluster keys", limit: FileFormat.clusterCapacity)
        guard isAscending(keys) else {
            throw Damage(first, "2:5.2 M28", "keys of a cluster leaf are not strictly ascending")
        }
        return keys
    }
}

extension Audit {
    /// Adds a note that a test build of the original engine may have written a file with many violations (content 5.7).
    func explainTestBuilds() {
        let isSmall = tables.contains { table in
            table.live.clusters.count > 1 && table.live.clusters.allSatisfy { $0.rowCount <= 4 }
        }
        guard era != nil, isSmall else { return }
        let message = "clusters of four objects: the file may be of a test build, and cannot be read then"
        report.violationCount += 1
        report.violations.insert(Violation(offset: Ref(top.ref), rule: "2:5.7", place: "", message: message), at: 0)
        if report.violations.count > options.violationLimit { report.violations.removeLast() }
    }
}

func isAscending<Element: Comparable>(_ elements: [Element]) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy { $0 < $1 }
}
