// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds the elements of a list, a set, or a dictionary's keys that still exist in another version.
///
/// 1. The common beginning and end are found first, leaf by leaf; equal leaves aren't read.
/// 2. The shortest edit of the rest is searched for (Myers' greedy search), with at most `maximumEdit` insertions and
/// deletions. The limit is `smallEdit` if the two have equal lengths and differ at few positions when matched position
/// by position; that match is then the alternative.
/// 3. A longer edit is composed of short ones: the search advances as far as possible with `partialEdit` edits, and
/// restarts from there, as long as most elements remain.
/// 4. If few elements remain, those that occur exactly once in both are matched, in the longest common order, and the
/// ranges between them are aligned as in 1 and 2 with smaller limits. More than `maximumHashed` elements in total are
/// treated as replaced.
///
/// The result is minimal for the usual edits, and correct, though possibly longer than necessary, for all. The cost is
/// at most about that of hashing all elements.
struct TreeAligner {
    private var pair: TreePair
    private let old: BPlusTree
    private let new: BPlusTree
    private var result: SequenceAlignment

    static let maximumEdit = 512
    static let partialEdit = 128
    static let maximumHashed = 1 << 23
    static let smallEdit = 64

    init(_ old: BPlusTree, _ new: BPlusTree, _ values: ValueComparison) throws {
        pair = try TreePair(old, new, values)
        (self.old, self.new) = (old, new)
        result = SequenceAlignment(oldCount: old.count, newCount: new.count)
    }

    mutating func align() throws -> SequenceAlignment {
        try align(0..<old.count, 0..<new.count) { aligner, old, new in
            let runs = try aligner.runsByPlace(old, new)
            if try aligner.alignByEdit(old, new, maximumEdit: runs == nil ? Self.maximumEdit : Self.smallEdit) {
                return
            }
            if let runs { return aligner.append(runs) }
            try aligner.alignByParts(old, new)
        }
        return result
    }

    /// Matches the common beginning and end, and calls `middle` with the ranges between them, if neither is empty.
    private mutating func align(
        _ old: Range<Int>, _ new: Range<Int>, _ middle: (inout TreeAligner, Range<Int>, Range<Int>) throws -> Void
    ) throws {
        let shorter = min(old.count, new.count)
        let start = try pair.common(old.lowerBound, new.lowerBound, limit: shorter)
        let end = try pair.commonBefore(old.upperBound, new.upperBound, limit: shorter - start)
        result.append(old.lowerBound, new.lowerBound, start)
        if start + end < shorter {
            try middle(
                &self, old.lowerBound + start..<old.upperBound - end, new.lowerBound + start..<new.upperBound - end)
        }
        result.append(old.upperBound - end, new.upperBound - end, end)
    }

    // MARK: Shortest edit

    /// Returns `false`, without a match, if the edit is longer than `maximumEdit`.
    private mutating func alignByEdit(_ old: Range<Int>, _ new: Range<Int>, maximumEdit: Int) throws -> Bool {
        var search = EditSearch(old.count, new.count, maximumEdit: maximumEdit)
        guard try self.search(&search, old, new) else { return false }
        append(search.runs(), old.lowerBound, new.lowerBound)
        return true
    }

    /// Whether the search reached the end, within its maximum length and a cost proportional to the length of the
    /// sequences.
    private mutating func search(_ search: inout EditSearch, _ old: Range<Int>, _ new: Range<Int>) throws -> Bool {
        let limit = pair.work + 4 * (old.count + new.count) + 1 << 16
        while !search.isDone {
            guard search.canGoOn, pair.work < limit else { return false }
            try search.step { try pair.common(old.lowerBound + $0, new.lowerBound + $1, limit: $2) }
        }
        return true
    }

    private mutating func append(_ runs: [SequenceAlignment.Run], _ old: Int = 0, _ new: Int = 0) {
        for run in runs { result.append(old + run.old, new + run.new, run.count) }
    }

    /// Aligns by successive short edits. Continues with anchors if fewer than four elements remain for each edit, or if
    /// the cost is too high.
    private mutating func alignByParts(_ old: Range<Int>, _ new: Range<Int>) throws {
        var (old, new) = (old, new)
        let limit = pair.work + 16 * (old.count + new.count) + 1 << 20
        while !old.isEmpty, !new.isEmpty {
            var search = EditSearch(old.count, new.count, maximumEdit: TreeAligner.partialEdit)
            let isDone = try self.search(&search, old, new)
            let runs = search.runs()
            let stayed = runs.reduce(0) { $0 + $1.count }
            guard isDone || stayed > 4 * TreeAligner.partialEdit && pair.work < limit else {
                return try alignByAnchors(old, new)
            }
            append(runs, old.lowerBound, new.lowerBound)
            let end = search.furthestPoint
            (old, new) = (old.lowerBound + end.old..<old.upperBound, new.lowerBound + end.new..<new.upperBound)
        }
    }

    /// Matches equal elements at equal positions. Returns nil if the sequences differ in length, or at more than about
    /// one in eight positions. Most elements of a shifted sequence differ, which is detected early.
    private mutating func runsByPlace(_ old: Range<Int>, _ new: Range<Int>) throws -> [SequenceAlignment.Run]? {
        guard old.count == new.count else { return nil }
        var runs: [SequenceAlignment.Run] = []
        var differences = 0
        var index = 0
        while index < old.count {
            let (a, b) = (old.lowerBound + index, new.lowerBound + index)
            let count = try pair.common(a, b, limit: old.count - index)
            runs.append(SequenceAlignment.Run(old: a, new: b, count: count))
            index += count
            guard index < old.count else { break }
            differences += 1
            if differences > TreeAligner.smallEdit + index / 8 { return nil }
            index += 1
        }
        return runs
    }

    // MARK: Alignment by anchors

    private mutating func alignByAnchors(_ old: Range<Int>, _ new: Range<Int>) throws {
        guard old.count + new.count <= TreeAligner.maximumHashed else { return }
        var (nextOld, nextNew) = (old.lowerBound, new.lowerBound)
        for anchor in try anchors(old, new) + [Anchor(old: old.upperBound, new: new.upperBound)] {
            // The anchor may already be matched, after the one before it.
            guard anchor.old >= nextOld, anchor.new >= nextNew else { continue }
            try align(nextOld..<anchor.old, nextNew..<anchor.new) { aligner, old, new in
                let isSmall = old.count + new.count <= 4 * TreeAligner.smallEdit
                if isSmall, try aligner.alignByEdit(old, new, maximumEdit: TreeAligner.smallEdit) { return }
                if let runs = try aligner.runsByPlace(old, new) { aligner.append(runs) }
            }
            guard anchor.old < old.upperBound, anchor.new < new.upperBound else { break }
            let limit = min(old.upperBound - anchor.old, new.upperBound - anchor.new)
            let count = try pair.common(anchor.old, anchor.new, limit: limit)
            result.append(anchor.old, anchor.new, count)
            (nextOld, nextNew) = (anchor.old + count, anchor.new + count)
        }
    }

    private func anchors(_ old: Range<Int>, _ new: Range<Int>) throws -> [Anchor] {
        switch (self.old.kind, self.new.kind) {
        case (.int, .int), (.bool, .bool), (.key, .key):
            return Anchor.common(
                try elements(self.old, old) { try $0.ref(at: $1) }, try elements(self.new, new) { try $0.ref(at: $1) },
                old.lowerBound, new.lowerBound)
        default:
            return Anchor.common(
                try elements(self.old, old) { ElementIdentity(try $0.value(at: $1)) },
                try elements(self.new, new) { ElementIdentity(try $0.value(at: $1)) }, old.lowerBound, new.lowerBound)
        }
    }

    private func elements<Element>(
        _ tree: BPlusTree, _ range: Range<Int>, _ read: (ColumnLeaf, Int) throws -> Element
    ) throws -> [Element] {
        var cursor = BPlusTreeCursor(tree)
        var result: [Element] = []
        result.reserveCapacity(range.count)
        for index in range {
            let (leaf, row) = try cursor.position(index)
            result.append(try read(leaf, row))
        }
        return result
    }
}

/// An element's identity for hashing: the bits of numbers, and the key of a nested collection instead of its content.
private struct ElementIdentity: Hashable {
    private let value: StoredValue

    init(_ value: StoredValue) {
        self.value =
            switch value {
            case .list(_, let key): .list(0, key: key)
            case .dictionary(_, let key): .dictionary(0, key: key)
            default: value
            }
    }

    static func == (a: ElementIdentity, b: ElementIdentity) -> Bool { a.value.isIdentical(to: b.value) }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

/// The positions of an element; -1 for none yet, -2 for more than one.
private struct Places {
    var old = -1
    var new = -1
}

/// An element that occurs exactly once in both sequences.
struct Anchor {
    let old: Int
    let new: Int

    static func common<Element: Hashable>(
        _ old: [Element], _ new: [Element], _ oldStart: Int, _ newStart: Int
    ) -> [Anchor] {
        var places: [Element: Places] = [:]
        places.reserveCapacity(old.count)
        for (index, element) in old.enumerated() {
            places[element, default: Places()].old = places[element] == nil ? index : -2
        }
        for (index, element) in new.enumerated() {
            guard let place = places[element] else { continue }
            places[element]?.new = place.new == -1 ? index : -2
        }
        let unique = old.compactMap { places[$0] }.filter { $0.old >= 0 && $0.new >= 0 }
            .map { Anchor(old: $0.old + oldStart, new: $0.new + newStart) }
        return longestAscent(unique)
    }

    /// `anchors` ascend in `old`; the result also ascends in `new` (patience sorting).
    static func longestAscent(_ anchors: [Anchor]) -> [Anchor] {
        /// For each length, the index of the anchor with the smallest end of an ascending subsequence of that length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: anchors.count)
        for index in anchors.indices {
            let length = ends.partitioningIndex { anchors[$0].new >= anchors[index].new }
            previous[index] = length == 0 ? -1 : ends[length - 1]
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var result: [Anchor] = []
        var index = ends.last ?? -1
        while index >= 0 {
            result.append(anchors[index])
            index = previous[index]
        }
        return result.reversed()
    }
}
