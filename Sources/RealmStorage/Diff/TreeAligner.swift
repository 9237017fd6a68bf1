// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds which elements of a list, set or dictionary's keys are still there in another version.
///
/// 1. What is common at the beginning and at the end is found first, leaf by leaf; equal leaves are not looked into.
/// 2. For what is left the shortest edit is found (Myers' greedy search), as long as it is of at most
///    `maximumEdit` insertions and deletions and within a cost proportional to the length.
/// 3. Beyond that: sequences of equal length of which few places differ are matched place by place. Others hang on
///    the elements that both have exactly once (the longest sequence of those in the same order), and what lies
///    between two of these is matched as in 1 and 2 on a small scale. Sequences of more than `maximumHashed` elements
///    together are taken as replaced.
///
/// So the result is minimal for the usual edits, and right, though perhaps longer than need be, for all.
struct TreeAligner {
    private var pair: TreePair
    private let old: BPlusTree
    private let new: BPlusTree
    private var result: SequenceAlignment

    static let maximumEdit = 512
    static let maximumHashed = 1 << 23
    private static let smallEdit = 48

    init(_ old: BPlusTree, _ new: BPlusTree, _ values: ValueComparison) throws {
        pair = try TreePair(old, new, values)
        (self.old, self.new) = (old, new)
        result = SequenceAlignment(oldCount: old.count, newCount: new.count)
    }

    mutating func align() throws -> SequenceAlignment {
        try align(0..<old.count, 0..<new.count) { aligner, old, new in
            if try aligner.alignByEdit(old, new, maximumEdit: TreeAligner.maximumEdit) { return }
            if try aligner.alignByPlace(old, new) { return }
            try aligner.alignByAnchors(old, new)
        }
        return result
    }

    /// Matches the common beginning and the common end, and gives what is between them, if both have something there,
    /// to `middle`.
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

    /// Returns false, and has matched nothing, if the edit is longer than `maximumEdit` or too costly to find.
    private mutating func alignByEdit(_ old: Range<Int>, _ new: Range<Int>, maximumEdit: Int) throws -> Bool {
        var search = EditSearch(old.count, new.count, maximumEdit: maximumEdit)
        let limit = pair.work + 4 * (old.count + new.count) + 1 << 16
        while !search.isDone {
            guard search.canGoOn, pair.work < limit else { return false }
            try search.step { try pair.common(old.lowerBound + $0, new.lowerBound + $1, limit: $2) }
        }
        for run in search.runs() { result.append(old.lowerBound + run.old, new.lowerBound + run.new, run.count) }
        return true
    }

    // MARK: By place

    /// Matches equal elements at equal places, if at most one place in eight differs.
    private mutating func alignByPlace(_ old: Range<Int>, _ new: Range<Int>) throws -> Bool {
        guard old.count == new.count else { return false }
        var runs: [SequenceAlignment.Run] = []
        var rest = old.count / 8
        var index = 0
        while index < old.count {
            let (a, b) = (old.lowerBound + index, new.lowerBound + index)
            let count = try pair.common(a, b, limit: old.count - index)
            runs.append(SequenceAlignment.Run(old: a, new: b, count: count))
            index += count
            guard index < old.count else { break }
            rest -= 1
            if rest < 0 { return false }
            index += 1
        }
        for run in runs { result.append(run.old, run.new, run.count) }
        return true
    }

    // MARK: By anchors

    private mutating func alignByAnchors(_ old: Range<Int>, _ new: Range<Int>) throws {
        guard old.count + new.count <= TreeAligner.maximumHashed else { return }
        var (nextOld, nextNew) = (old.lowerBound, new.lowerBound)
        for anchor in try anchors(old, new) + [Anchor(old: old.upperBound, new: new.upperBound)] {
            // An anchor may have been matched already, behind the one before it.
            guard anchor.old >= nextOld, anchor.new >= nextNew else { continue }
            try align(nextOld..<anchor.old, nextNew..<anchor.new) { aligner, old, new in
                if old.count == new.count, try aligner.alignByPlace(old, new) { return }
                if old.count + new.count <= 4 * TreeAligner.smallEdit {
                    _ = try aligner.alignByEdit(old, new, maximumEdit: TreeAligner.smallEdit)
                }
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

/// An element as hashing sees it: the bits of numbers, and the name of a nested collection instead of its content.
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

/// Places of an element; -1 for none yet, -2 for more than one.
private struct Places {
    var old = -1
    var new = -1
}

/// An element that is in both sequences exactly once.
struct Anchor {
    let old: Int
    let new: Int

    /// The longest row of anchors that are in the same order in both sequences.
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

    /// The longest subsequence of `anchors`, which ascend in `old`, that ascends in `new` too (patience sorting).
    static func longestAscent(_ anchors: [Anchor]) -> [Anchor] {
        /// For each length the index of the anchor with the smallest end of an ascent of that length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: anchors.count)
        for index in anchors.indices {
            let length = ends.partitionIndex { anchors[$0].new < anchors[index].new }
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
