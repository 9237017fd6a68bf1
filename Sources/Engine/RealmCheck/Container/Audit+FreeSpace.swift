// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Nodes and free blocks tile the file (container 0.3, 6.1).
extension Audit {
    func auditSpace() {
        reachNodes()
        guarded { () throws(Damage) in try readFreeBlocks() }
        checkCoverage()
        checkStreamingForm()
        guarded { () throws(Damage) in try checkEvacuation() }
    }

    /// Fills `reached` with every node below the top array, by the rule of container 2.6 alone.
    private func reachNodes() {
        var pending = [top.ref]
        var total: Int64 = 0
        // A larger total means that nodes overlap, which the coverage reports.
        while let ref = pending.popLast(), total <= end {
            guarded { () throws(Damage) in
                let node = try node(ref)
                guard reached.insert(ref) else { throw Damage(ref, "1:2.7 W6", "node has a second parent") }
                total += Int64(node.byteCount)
                reportProgress()
                try reachChildren(of: node, &pending)
            }
        }
    }

    private func reachChildren(of node: Node, _ pending: inout [Int64]) throws(Damage) {
        report.statistics.nodeCount += 1
        report.statistics.nodeByteCount += node.byteCount
        let section = Int64(FileFormat.sectionByteCount)
        if node.ref / section != (node.ref + Int64(node.byteCount) - 1) / section {
            remnant(node.ref, "1:6.4 W3", "node crosses a multiple of 64 MiB")
        }
        if node.hasRefs, node.header.schemeCode != 0 {
            throw Damage(node.ref, "1:2.2 W5", "hasRefs on a node that is not bit-packed")
        }
        forEachChild(of: node) { ref in
            if isPlace(ref) {
                pending.append(ref)
            } else {
                violation(node.ref, "1:2.1 R23", "\(ref) is not a place of a node in [24, \(end))")
            }
        }
    }

    private func readFreeBlocks() throws(Damage) {
        let refs = top.free
        if refs == [0, 0, 0] { return }
        guard isRef(refs[0]), isRef(refs[1]), refs[2] & 1 == 0 else {
            throw Damage(top.ref, "1:5.1 C6", "free-space slots 3-5 hold \(refs)")
        }
        let positions = try expect(refs[0], "free list", Node.plain)
        let lengths = try expect(refs[1], "free list", Node.plain)
        let versions = refs[2] == 0 ? nil : try expect(refs[2], "free list", Node.plain)
        let counts = [positions.count, lengths.count, versions?.count ?? positions.count]
        guard Set(counts).count == 1 else {
            throw Damage(refs[0], "1:6.1 C6", "free lists of \(counts) elements")
        }
        // Each block has at least eight bytes. This also bounds the memory for hostile lists.
        if positions.count > end / 8 { throw Damage(refs[0], "1:6.1 C6", "\(positions.count) free blocks") }
        try collectBlocks(positions, lengths, versions)
    }

    private func collectBlocks(_ positions: Node, _ lengths: Node, _ versions: Node?) throws(Damage) {
        let versions = try versions.map { (node) throws(Damage) in try ints(node) }
        var blocks: [(position: Int64, count: Int64)] = []
        var lastEnd: Int64 = 24
        for (i, (position, count)) in zip(try ints(positions), try ints(lengths)).enumerated() {
            let (blockEnd, overflow) = position.addingReportingOverflow(count)
            guard position & 7 == 0, count & 7 == 0, count > 0, !overflow else {
                throw Damage(positions.ref, "1:6.1 C6", "free block \(i) is (\(position), \(count))")
            }
            guard position >= lastEnd else {
                throw Damage(positions.ref, "1:6.1 C6", "free block \(i) at \(position) begins before \(lastEnd)")
            }
            let version = versions?[i] ?? 0
            // Before format 10 the version numbers could start over.
            guard version >= 0, UInt64(version) <= top.version || era?.hasRowTables == true else {
                throw Damage(
                    positions.ref, "1:6.1 C5 C6", "free block \(i) of version \(version) in snapshot \(top.version)")
            }
            lastEnd = blockEnd
            blocks.append((position, count))
        }
        guard lastEnd <= top.byteCount else {
            throw Damage(positions.ref, "1:6.1 C6", "free blocks end at \(lastEnd), after \(top.byteCount)")
        }
        freeBlocks = blocks
    }

    private func checkCoverage() {
        var next = 0
        var covered: Int64 = 24
        func cover(_ position: Int64, _ count: Int64) {
            if position > covered {
                violation(covered, "1:0.3 C5 C6 M44", "\(position - covered) bytes neither reachable nor free")
            } else if position < covered {
                violation(position, "1:6.1 W1 C6 M44", "overlaps what ends at \(covered)")
            }
            covered = max(covered, position + count)
        }
        reached.forEach { ref in
            while next < freeBlocks.count, freeBlocks[next].position < ref {
                cover(freeBlocks[next].position, freeBlocks[next].count)
                next += 1
            }
            cover(ref, Int64(rawNode(ref).byteCount))
        }
        for block in freeBlocks[next...] { cover(block.position, block.count) }
        if covered < end {
            violation(covered, "1:0.3 C5 C6 M44", "\(end - covered) bytes neither reachable nor free")
        }
        report.statistics.freeBlockCount = freeBlocks.count
        report.statistics.freeByteCount = freeBlocks.reduce(0) { $0 + Int($1.count) }
    }

    /// The logical size excludes the footer, which directly follows it in an unencrypted file (container 1.2).
    private func checkStreamingForm() {
        guard header.isStreaming else { return }
        let footer = bytes.count - FileFormat.footerByteCount
        if bytes.load(UInt64.self, at: 8) != 0 || bytes.byte(at: FileFormat.Header.flags) != 0 {
            violation(8, "1:1.2", "streaming form with a second top ref or header flags")
        }
        if Int(end) > footer || !bytes.isZero(from: Int(end), to: footer) {
            violation(end, "1:1.2 R4", "bytes between the logical end and the footer")
        } else if footer != Int(end), !options.isDecrypted {
            violation(end, "1:1.2 R4", "logical size \(end), footer at \(footer)")
        }
    }

    /// Slot 11: raw 0, a tagged limit, or [limit, backoff, progress…] (container 6.8).
    private func checkEvacuation() throws(Damage) {
        guard isRef(top.evacuation) else { return }
        let state = try intArray(top.evacuation, "evacuation state", limit: 1 << 16)
        if state.count < 2 || state.contains(where: { $0 < 0 }) {
            throw Damage(top.evacuation, "1:6.8", "evacuation state with elements \(state.prefix(4))")
        }
    }
}
