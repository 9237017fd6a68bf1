// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ValueComparison {
    func commonBytes(
        _ style: BytesStyle, _ a: ColumnLeaf, _ row: Int, _ b: ColumnLeaf, _ otherRow: Int, _ limit: Int
    ) throws -> Int {
        let (leafA, leafB) = (try BytesLeaf(a.space, a.node, style), try BytesLeaf(b.space, b.node, style))
        var index = 0
        while index < limit {
            index += quick(leafA, row + index, leafB, otherRow + index, limit - index)
            guard index < limit, try isSame(leafA, row + index, leafB, otherRow + index) else { break }
            index += 1
        }
        return index
    }

    /// A lower bound of the number of equal values. Leaves of one width have the same bytes for the same strings,
    /// except for the padding, in which a foreign writer may have left other bytes.
    private func quick(_ a: BytesLeaf, _ row: Int, _ b: BytesLeaf, _ otherRow: Int, _ limit: Int) -> Int {
        switch (a.form, b.form) {
        case (.short, .short) where a.root.width == b.root.width:
            return a.root.commonFixed(row, b.root, otherRow, limit: limit, width: a.root.width)
        case (.blobs, .blobs):
            var index = 0
            while index < limit {
                let (refA, refB) = (a.root[row + index], b.root[otherRow + index])
                guard refA == refB, nodes.areSame(Ref(element: refA), Ref(element: refB)) else { break }
                index += 1
            }
            return index
        case (.spans, .spans): return commonSpans(a, row, b, otherRow, limit)
        default: return 0
        }
    }

    /// Values of equal lengths are at a constant distance, so their bytes are compared in one call.
    private func commonSpans(_ a: BytesLeaf, _ row: Int, _ b: BytesLeaf, _ otherRow: Int, _ limit: Int) -> Int {
        let (startA, startB) = (row == 0 ? 0 : a.ends[row - 1], otherRow == 0 ? 0 : b.ends[otherRow - 1])
        var count = a.nulls.common(row, b.nulls, otherRow, limit: limit)
        let distance = startB &- startA
        if distance == 0 {
            count = a.ends.common(row, b.ends, otherRow, limit: count)
        } else {
            var same = 0
            while same < count, b.ends[otherRow + same] &- a.ends[row + same] == distance { same += 1 }
            count = same
        }
        guard count > 0 else { return 0 }
        let (endA, endB) = (a.ends[row + count - 1], b.ends[otherRow + count - 1])
        guard 0 <= startA, startA <= endA, endA <= a.blob.count, 0 <= startB, startB <= endB, endB <= b.blob.count
        else { return 0 }
        let length = Int(endA - startA)
        let bytes = unsafe Node.commonBytes(
            a.blob.payload + Int(startA), b.blob.payload + Int(startB), limit: length)
        if bytes == length { return count }
        var same = 0
        while same < count, a.ends[row + same] - startA <= bytes { same += 1 }
        return same
    }

    private func isSame(_ a: BytesLeaf, _ row: Int, _ b: BytesLeaf, _ otherRow: Int) throws -> Bool {
        if a.form == .spans, b.form == .spans {
            let (isNullA, isNullB) = (a.nulls[row] != 0, b.nulls[otherRow] != 0)
            if isNullA || isNullB { return isNullA == isNullB }
            let (spanA, spanB) = (try a.span(of: row), try b.span(of: otherRow))
            guard spanA.count == spanB.count else { return false }
            let (bytesA, bytesB) = unsafe (a.blob.payload + spanA.lowerBound, b.blob.payload + spanB.lowerBound)
            return unsafe Node.commonBytes(bytesA, bytesB, limit: spanA.count) == spanA.count
        }
        let (valueA, valueB) = (try a.value(at: row), try b.value(at: otherRow))
        if valueA.isNull || valueB.isNull { return valueA.isNull == valueB.isNull }
        if let joined = valueA.joined { return isSame(joined, valueB) }
        if let joined = valueB.joined { return isSame(joined, valueA) }
        return unsafe ByteOrder.isEqual(valueA.span, valueB.span)
    }

    private func isSame(_ a: [UInt8], _ b: StoredBytes) -> Bool {
        if let joined = b.joined { return a == joined }
        return unsafe a.withUnsafeBytes { unsafe ByteOrder.isEqual($0, b.span) }
    }
}
