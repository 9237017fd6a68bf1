// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Myers' greedy search for the shortest edit from one sequence to another.
///
/// At a point (x, y), x old and y new elements have been processed. A step right deletes, a step down inserts, and
/// equal elements advance along the diagonal k = x - y at no cost. After step d, the furthest point reachable by d
/// edits is known for each diagonal.
struct EditSearch {
    private let oldCount: Int
    private let newCount: Int
    private let maximumEdit: Int
    /// The furthest x, by diagonal + `middle`; -1 if no edit of the length reaches the diagonal.
    private var furthest: [Int]
    private let middle: Int
    /// The `furthest` of each step, for the diagonals -d, -d + 2 … d.
    private var trace: [[Int]] = []
    private(set) var isDone = false

    init(_ oldCount: Int, _ newCount: Int, maximumEdit: Int) {
        self.oldCount = oldCount
        self.newCount = newCount
        self.maximumEdit = min(maximumEdit, oldCount + newCount)
        middle = self.maximumEdit + 1
        furthest = Array(repeating: -1, count: 2 * middle + 1)
    }

    var canGoOn: Bool { trace.count <= maximumEdit }

    /// Adds one edit. `common` returns the number of equal elements from an old and a new position, up to a limit.
    mutating func step(_ common: (Int, Int, Int) throws -> Int) throws {
        let edit = trace.count
        for diagonal in stride(from: -edit, through: edit, by: 2) {
            var x = edit == 0 ? 0 : origin(diagonal) { furthest[$0 + middle] }.x
            if x >= 0 { x += try common(x, x - diagonal, min(oldCount - x, newCount - (x - diagonal))) }
            furthest[diagonal + middle] = x
            if x == oldCount, x - diagonal == newCount { isDone = true }
        }
        trace.append(stride(from: -edit, through: edit, by: 2).map { furthest[$0 + middle] })
    }

    /// The point at which the best edit enters a diagonal, and whether by a step down. x is -1 if no edit does.
    private func origin(_ diagonal: Int, _ before: (Int) -> Int) -> (x: Int, isDown: Bool) {
        let (left, above) = (before(diagonal - 1), before(diagonal + 1))
        let right = left >= 0 && left < oldCount ? left + 1 : -1
        let down = above >= 0 && above - diagonal <= newCount ? above : -1
        return right > down ? (right, false) : (down, true)
    }

    var furthestPoint: (old: Int, new: Int) {
        if isDone { return (oldCount, newCount) }
        let edit = trace.count - 1
        var best = (old: 0, new: 0)
        for (index, x) in (trace.last ?? []).enumerated() where x >= 0 {
            let y = x - (2 * index - edit)
            if x + y > best.old + best.new { best = (x, y) }
        }
        return best
    }

    /// Ascending.
    func runs() -> [SequenceAlignment.Run] {
        var result: [SequenceAlignment.Run] = []
        var (x, y) = furthestPoint
        for edit in trace.indices.reversed() {
            let diagonal = x - y
            var start = (x: 0, isDown: false)
            if edit > 0 {
                let before = trace[edit - 1]
                start = origin(diagonal) { diagonal in
                    abs(diagonal) < edit ? before[(diagonal + edit - 1) / 2] : -1
                }
            }
            result.append(SequenceAlignment.Run(old: start.x, new: start.x - diagonal, count: x - start.x))
            x = start.isDown ? start.x : start.x - 1
            y = start.isDown ? start.x - diagonal - 1 : start.x - diagonal
        }
        return result.reversed()
    }
}
