// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension PositionChange {
    /// Creates the change between sequences of unique elements in ascending order.
    package init<Element: Comparable>(ascending old: [Element], _ new: [Element], isModified: (Element) -> Bool) {
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if after == new.count || before < old.count && old[before] < new[after] {
                deletions.append(before)
                before += 1
            } else if before == old.count || new[after] < old[before] {
                insertions.append(after)
                after += 1
            } else {
                if isModified(old[before]) { modifications.append(before) }
                before += 1
                after += 1
            }
        }
    }

    /// Creates the change between sequences in any order. As many elements as possible stay, preferably unmodified
    /// ones; others that occur in both have moved, which is a deletion and an insertion.
    package init<Element: Hashable>(from old: [Element], to new: [Element], isModified: (Element) -> Bool) {
        let limit = min(old.count, new.count)
        var start = 0
        while start < limit, old[start] == new[start] { start += 1 }
        var end = 0
        while end < limit - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let pairs = PositionChange.pairs(old, start..<old.count - end, new, start..<new.count - end)
        let staying = PositionChange.staying(pairs.map(\.old)) { isModified(old[pairs[$0].old]) }
        for position in 0..<start where isModified(old[position]) { modifications.append(position) }
        var (before, after) = (start, start)
        for pair in staying.map({ pairs[$0] }) {
            deletions.append(contentsOf: before..<pair.old)
            insertions.append(contentsOf: after..<pair.new)
            if isModified(old[pair.old]) { modifications.append(pair.old) }
            (before, after) = (pair.old + 1, pair.new + 1)
        }
        deletions.append(contentsOf: before..<old.count - end)
        insertions.append(contentsOf: after..<new.count - end)
        for position in old.count - end..<old.count where isModified(old[position]) { modifications.append(position) }
    }

    /// Returns the positions of the elements that occur in both; equal elements are paired in order of occurrence. In
    /// the order of the new positions.
    private static func pairs<Element: Hashable>(
        _ old: [Element], _ oldRange: Range<Int>, _ new: [Element], _ newRange: Range<Int>
    ) -> [(old: Int, new: Int)] {
        guard !oldRange.isEmpty, !newRange.isEmpty else { return [] }
        var first: [Element: Int] = [:]
        var following = [Int](repeating: -1, count: oldRange.count)
        for position in oldRange.reversed() {
            following[position - oldRange.lowerBound] = first[old[position]] ?? -1
            first[old[position]] = position
        }
        var pairs: [(old: Int, new: Int)] = []
        for position in newRange {
            guard let found = first[new[position]] else { continue }
            pairs.append((found, position))
            let next = following[found - oldRange.lowerBound]
            first[new[position]] = next < 0 ? nil : next
        }
        return pairs
    }

    /// Returns the indexes of the heaviest ascending subsequence of `positions`, which are unique. Modified elements
    /// have almost no weight.
    private static func staying(_ positions: [Int], isModified: (Int) -> Bool) -> [Int] {
        let count = positions.count
        if zip(positions, positions.dropFirst()).allSatisfy(<) { return Array(0..<count) }
        var ranks = [Int](repeating: 0, count: count)
        for (rank, place) in (0..<count).sorted(by: { positions[$0] < positions[$1] }).enumerated() {
            ranks[place] = rank
        }
        // A tree of prefix maxima by rank: the heaviest subsequence that ends at or below a rank.
        var tree = [(weight: Int, place: Int)](repeating: (0, -1), count: count + 1)
        var before = [Int](repeating: -1, count: count)
        for place in 0..<count {
            var best = (weight: 0, place: -1)
            var node = ranks[place]
            while node > 0 {
                if tree[node].weight > best.weight { best = tree[node] }
                node &= node - 1
            }
            before[place] = best.place
            let weight = best.weight + (isModified(place) ? 1 : count + 1)
            node = ranks[place] + 1
            while node <= count {
                if tree[node].weight < weight { tree[node] = (weight, place) }
                node += node & -node
            }
        }
        var best = (weight: 0, place: -1)
        var node = count
        while node > 0 {
            if tree[node].weight > best.weight { best = tree[node] }
            node &= node - 1
        }
        var staying: [Int] = []
        var place = best.place
        while place >= 0 {
            staying.append(place)
            place = before[place]
        }
        return staying.reversed()
    }
}
