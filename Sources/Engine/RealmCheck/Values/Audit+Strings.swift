// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Leaves of strings and binaries (content 6.6, 6.7), whose values are runs of bytes.
extension Audit {
    struct TextLimits {
        var spanned: Int
        var single: Int
        /// Whether a zero byte ends each value.
        var isTerminated: Bool
        /// Whether values that the format doesn't allow in columns are valid: changesets of any length.
        var isUnlimited = false

        static let string = TextLimits(
            spanned: 63, single: FileFormat.maximumStringByteCount, isTerminated: true)
        static let binary = TextLimits(
            spanned: 64, single: FileFormat.maximumBinaryByteCount, isTerminated: false)
        static let none = TextLimits(spanned: .max, single: .max, isTerminated: false, isUnlimited: true)
    }

    /// The maximum size of a blob node (container 2.8).
    private static let blobByteLimit = 0xFF_FFF0

    func stringData(_ ref: Int64, _ rows: Rows) throws(Damage) -> [Datum] {
        try stringLeaf(ref, rows).map { run in
            if run.isNull { return .null }
            checkText(ref, run)
            return .string(run)
        }
    }

    func checkText(_ ref: Int64, _ run: ByteRun) {
        if !isUTF8(run) { reportText(ref) }
    }

    /// Also in a file of an older format: an upgrade copies texts unchanged.
    func reportText(_ ref: Int64) { remnantOfAnyFormat(ref, "2:6.6", "string that is not valid UTF-8") }

    /// Reads any of the three forms of strings, distinguished by the root of the leaf.
    func stringLeaf(_ ref: Int64, _ rows: Rows) throws(Damage) -> [ByteRun] {
        let flags = try node(ref).flags
        switch flags {
        case Node.bytes: return try shortStrings(ref, rows)
        case Node.refs: return try spans(ref, rows, .string)
        case Node.markedRefs: return try blobs(ref, rows, .string)
        default: throw Damage(ref, "2:6.6 M9", "string leaf with header flags \(hex(flags))")
        }
    }

    func binaryLeaf(_ ref: Int64, _ rows: Rows, limits: TextLimits = .binary) throws(Damage) -> [ByteRun] {
        try node(ref).flags == Node.markedRefs ? blobs(ref, rows, limits) : spans(ref, rows, limits)
    }

    // MARK: Short form (content 6.6.1)

    /// `areNames`: the arrays of table and column names, where null reads as empty and elements may be longer.
    func shortStrings(_ ref: Int64, _ rows: Rows, areNames: Bool = false) throws(Damage) -> [ByteRun] {
        let node = try expect(ref, areNames ? "names" : "column leaf", Node.bytes)
        try require(ref, node.count, rows)
        if node.width == 0 {
            try spend(node)
            return Array(repeating: areNames ? .empty : .null, count: node.count)
        }
        if node.width > 16, !areNames { violation(ref, "2:6.6.1 M30", "short strings of width \(node.width)") }
        var runs: [ByteRun] = []
        runs.reserveCapacity(node.count)
        for i in 0..<node.count { runs.append(try shortString(node, i, areNames)) }
        return runs
    }

    private func shortString(_ node: Node, _ i: Int, _ isName: Bool) throws(Damage) -> ByteRun {
        let width = node.width
        let start = node.payload + i * width
        let padding = Int(bytes.byte(at: start + width - 1))
        guard padding <= width else {
            throw Damage(node.ref, "2:6.6.1 R14", "short string of width \(width) with \(padding) bytes of padding")
        }
        let length = max(0, width - 1 - padding)
        if !bytes.isZero(from: start + length, to: start + width - 1) {
            violation(node.ref, "2:6.6.1 R14", "short string with non-zero padding")
        }
        if padding == width { return isName ? .empty : .null }
        return ByteRun(start: start, count: length)
    }

    // MARK: Medium strings and small binaries (content 6.6.2)

    private func spans(_ ref: Int64, _ rows: Rows, _ limits: TextLimits) throws(Damage) -> [ByteRun] {
        let slots = try refArray(ref, "column leaf", limit: 3)
        if slots.count != 3 { throw Damage(ref, "2:6.6.2", "leaf of \(slots.count) slots where 3 belong") }
        let ends = try intLeaf(slots[0], rows)
        let blob = try blob(slots[1])
        let nulls = try intLeaf(slots[2], .exactly(ends.count))
        var runs: [ByteRun] = []
        runs.reserveCapacity(ends.count)
        var start = 0
        for (end, null) in zip(ends, nulls) {
            guard end >= start, end <= blob.count, null == 0 || null == 1 else {
                throw Damage(slots[0], "2:6.6.2", "span [\(start), \(end)) in a blob of \(blob.count), null \(null)")
            }
            let whole = ByteRun(start: blob.start + start, count: Int(end) - start)
            runs.append(null == 1 ? .null : try unterminated(whole, ref, "2:6.6.2 M30", limits))
            start = Int(end)
        }
        if start != blob.count {
            violation(slots[1], "2:6.6.2", "blob of \(blob.count) bytes, values end at \(start)")
        }
        if runs.contains(where: { $0.count > limits.spanned }) {
            violation(ref, "2:6.6 M30", "value of more than \(limits.spanned) bytes in this form of leaf")
        }
        return runs
    }

    private func unterminated(
        _ run: ByteRun, _ ref: Int64, _ rule: String, _ limits: TextLimits
    ) throws(Damage) -> ByteRun {
        guard limits.isTerminated else { return run }
        guard run.count > 0, byte(run, run.count - 1) == 0 else {
            throw Damage(ref, rule, "string without its terminating zero")
        }
        return ByteRun(start: run.start, count: run.count - 1)
    }

    private func blob(_ ref: Int64) throws(Damage) -> ByteRun {
        let node = try expect(ref, "blob", Node.blob)
        if node.count > Self.blobByteLimit { violation(ref, "1:2.8 W4", "blob of \(node.count) bytes") }
        return ByteRun(start: node.payload, count: node.count)
    }

    // MARK: Big form (content 6.6.3)

    private func blobs(_ ref: Int64, _ rows: Rows, _ limits: TextLimits) throws(Damage) -> [ByteRun] {
        let node = try expect(ref, "column leaf", Node.markedRefs)
        try require(ref, node.count, rows)
        var runs: [ByteRun] = []
        runs.reserveCapacity(node.count)
        for element in try ints(node) { runs.append(try bigValue(element, leaf: ref, limits)) }
        return runs
    }

    private func bigValue(_ element: Int64, leaf: Int64, _ limits: TextLimits) throws(Damage) -> ByteRun {
        if element == 0 { return .null }
        guard isRef(element) else { throw Damage(leaf, "2:6.6.3", "\(element) in a leaf of blobs") }
        if try node(element).flags == Node.markedRefs { return try splitBlob(element, limits) }
        let value = try unterminated(blob(element), element, "2:6.6.3 M30", limits)
        if value.count > limits.single { violation(element, "2:10.3 M40", "value of \(value.count) bytes") }
        return value
    }

    /// Joins the parts (container 2.10). In columns they exist only by the accident of content 13.12.
    private func splitBlob(_ ref: Int64, _ limits: TextLimits) throws(Damage) -> ByteRun {
        if !limits.isUnlimited { remnant(ref, "2:13.12 M40", "oversized value stored as a split blob") }
        let parts = try ints(expect(ref, "split blob", Node.markedRefs))
        let start = joined.count
        for part in parts {
            let run = try blob(part)
            joined += bytes.array(from: run.start, count: run.count)
        }
        return ByteRun(start: bytes.count + start, count: joined.count - start)
    }
}
