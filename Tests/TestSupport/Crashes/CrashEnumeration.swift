// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension CrashImage {
    /// Whether `everyImage` visited all possible images.
    package enum Completeness: Sendable { case complete, bounded }

    /// Beyond as many pieces not every subset is tried.
    private static let completeCount = 10

    /// Hands every image that a crash can leave now to `body`: every subset of the writes in each tearing (whole, at
    /// 4 KiB, at the smallest piece), with every possible size, and in every order where pieces overlap.
    ///
    /// With more than ten pieces the subsets are bounded: all that lack at most two pieces, all that have at most two,
    /// and all prefixes and suffixes. An image may occur more than once.
    package func everyImage(_ body: ([UInt8]) throws -> Void) rethrows -> Completeness {
        var completeness = Completeness.complete
        var units: [Int?] = [nil]
        for unit in [4096, disk.tear] where !units.contains(unit) { units.append(unit) }
        for unit in units {
            let (old, new) = pieces(of: unit)
            let count = old.count + new.count
            let subsets = Subsets(count: count, isComplete: count <= CrashImage.completeCount)
            if !subsets.isComplete { completeness = .bounded }
            try subsets.forEach { isKept in
                let older = old.indices.filter { isKept[$0] }.map { old[$0] }
                let younger = new.indices.filter { isKept[old.count + $0] }.map { new[$0] }
                for order in disk.reordersOverlaps ? CrashImage.orders(of: younger) : [younger] {
                    for size in possibleSizes { try body(image(with: older + order, size: size)) }
                }
            }
        }
        return completeness
    }

    /// The orders that differ in their outcome: pieces that overlap none come first, those that do in every order; if
    /// they are more than four, as they were written and reversed.
    private static func orders(of pieces: [Write]) -> [[Write]] {
        let overlapping = pieces.indices.filter { index in
            pieces.indices.contains { $0 != index && pieces[$0].overlaps(pieces[index]) }
        }
        guard !overlapping.isEmpty else { return [pieces] }
        let alone = pieces.indices.filter { !overlapping.contains($0) }.map { pieces[$0] }
        let others = overlapping.map { pieces[$0] }
        guard others.count <= 4 else { return [alone + others, alone + others.reversed()] }
        return permutations(others).map { alone + $0 }
    }

    private static func permutations(_ pieces: [Write]) -> [[Write]] {
        guard pieces.count > 1 else { return [pieces] }
        return pieces.indices.flatMap { index in
            var rest = pieces
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    /// Subsets of `count` pieces, each used as the pieces that survive.
    private struct Subsets {
        let count: Int
        let isComplete: Bool

        func forEach(_ body: ([Bool]) throws -> Void) rethrows {
            if isComplete {
                for bits in 0..<1 << count { try body((0..<count).map { bits >> $0 & 1 == 1 }) }
                return
            }
            for end in 0...count {
                try body((0..<count).map { $0 < end })
                try body((0..<count).map { $0 >= end })
            }
            for first in 0..<count {
                for second in first..<count {
                    try body((0..<count).map { $0 == first || $0 == second })
                    try body((0..<count).map { $0 != first && $0 != second })
                }
            }
        }
    }
}
