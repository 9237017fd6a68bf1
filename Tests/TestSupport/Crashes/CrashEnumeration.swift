// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension CrashImage {
    package enum Completeness: Sendable { case complete, bounded }

    /// With more pieces, not every subset is tried.
    private static let completeCount = 10

    /// Passes every possible image of a crash at this moment to `body`: every subset of the writes in each tearing
    /// (whole, at 4 KiB, at the smallest piece), with every possible size, and in every order of overlapping pieces.
    ///
    /// With more than ten pieces the subsets are bounded: those that lack at most two pieces, those with at most two,
    /// and all prefixes and suffixes. An image may be repeated.
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

    /// The orders with different results: pieces without overlaps first, then overlapping ones in every order. More
    /// than four overlapping ones are only tried as written and reversed.
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
