// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The elements of an old sequence that still exist in a new one, as runs with the same order in both.
struct SequenceAlignment {
    struct Run: Equatable {
        var old: Int
        var new: Int
        var count: Int
        var oldEnd: Int { old + count }
        var newEnd: Int { new + count }
    }

    struct Gap {
        let old: Range<Int>
        let new: Range<Int>
    }

    let oldCount: Int
    let newCount: Int
    /// Ascending in both sequences.
    private(set) var runs: [Run] = []

    init(oldCount: Int, newCount: Int) {
        self.oldCount = oldCount
        self.newCount = newCount
    }

    mutating func append(_ old: Int, _ new: Int, _ count: Int) {
        guard count > 0 else { return }
        if let last = runs.last, last.oldEnd == old, last.newEnd == new {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(old: old, new: new, count: count))
        }
    }

    func forEachGap(_ body: (Gap) throws -> Void) rethrows {
        var (old, new) = (0, 0)
        for run in runs + [Run(old: oldCount, new: newCount, count: 0)] {
            if old < run.old || new < run.new { try body(Gap(old: old..<run.old, new: new..<run.new)) }
            (old, new) = (run.oldEnd, run.newEnd)
        }
    }
}
