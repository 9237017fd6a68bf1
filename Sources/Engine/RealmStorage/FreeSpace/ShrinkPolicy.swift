// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Decides when the file shrinks, and how much of that one commit does (container 6.8).
///
/// A compact file only costs these comparisons. If far more of the file is free than used, a limit is set: new nodes
/// are allocated below it, and each commit moves some of the nodes above it down. Once the end of the file contains no
/// node of a reachable version, the file is truncated. The state is only in memory, and is empty after a restart.
struct ShrinkPolicy {
    /// New nodes are allocated below this offset. Nil if the file needn't shrink.
    private(set) var limit: Ref?
    /// The position of the scan for nodes above the limit: the path of a node by child indexes.
    private(set) var path: [Int] = []
    private var hasMoved = false
    /// The number of commits until the next scan.
    private var pause = 0
    private var nextPause = ShrinkPolicy.shortestPause
    /// The number of bytes allocated above the limit because no block below was large enough.
    private var spilled: Ref = 0
    /// The recent maximum of the bytes that a commit writes.
    private var demand: Ref = 0
    /// The number of commits since the end of the file became free, and the maximum of its starts.
    private var idle = 0
    private var idleFrom: Ref = 0

    /// The excess space, in bytes, that a file may have without shrinking. Tests reduce it.
    var slack: Ref = 1 << 20
    /// The time constant, in commits, with which `demand` decays. Tests reduce it.
    var memory: Ref = 64
    /// A smaller truncation isn't worth the system call, unless it's the last one.
    private var smallestCut: Ref { slack / 4 }

    private static let shortestPause = 16
    private static let longestPause = 1024
    /// The number of successive commits that must not use a free end before it's truncated.
    private static let patience = 32
    private static let page: Ref = 4096

    /// The number of nodes to visit, and of bytes to move, in one commit.
    struct Budget {
        var nodes: Int
        var bytes: Int
    }

    /// Returns the budget for moving nodes; nil if none are to be moved. Call this before a commit is laid out.
    /// `written` is the size of the commit's own nodes.
    mutating func plan(_ space: FreeSpace, logicalSize: Ref, written: Int) -> Budget? {
        demand = max(Ref(written), demand - demand / memory)
        let (reusable, held) = (space.reusableByteCount, space.heldByteCount)
        let used = logicalSize - min(logicalSize, reusable + held)
        let target = used + used / 2 + held + 2 * demand + slack / 2 + 2 * spilled
        if limit == nil {
            guard reusable > used + 2 * demand + slack else { return nil }
            begin(at: target)
        } else if logicalSize <= target || reusable <= used / 2 + 2 * demand + slack {
            end()
            return nil
        }
        follow(target)
        return budget(written)
    }

    /// The limit follows the used space in large steps, because the scan restarts when it decreases.
    private mutating func follow(_ target: Ref) {
        guard let old = limit, target > old || target < old - old / 4 else { return }
        if target < old { begin(at: target) } else { limit = Self.aligned(target) }
    }

    private mutating func begin(at target: Ref) {
        limit = Self.aligned(target)
        path = []
        hasMoved = false
        pause = 0
        nextPause = Self.shortestPause
    }

    private mutating func end() {
        limit = nil
        path = []
        spilled = 0
    }

    private mutating func budget(_ written: Int) -> Budget? {
        guard pause == 0 else {
            pause -= 1
            return nil
        }
        return Budget(nodes: 1024, bytes: min(max(256 << 10, written), 4 << 20))
    }

    /// Call this after nodes were moved. A whole pass that moved nothing isn't repeated for a while, because readers
    /// need the remaining nodes above the limit. Damage in a tree is reported by its readers, not by an unrelated
    /// write.
    mutating func note(_ mover: NodeMover) {
        path = mover.path
        hasMoved = hasMoved || mover.hasMoved
        if mover.isDamaged {
            pause = .max
        } else if mover.isFinished {
            pause = hasMoved ? 0 : nextPause
            nextPause = hasMoved ? Self.shortestPause : min(nextPause * 2, Self.longestPause)
            hasMoved = false
        }
    }

    /// Call this after the layout of a commit, with the number of bytes that didn't fit below the limit.
    mutating func note(spilled byteCount: Ref) { if limit != nil { spilled += byteCount } }

    /// Returns the logical size to which the file should be truncated; nil to leave it unchanged. The bytes from `tail`
    /// on are unused.
    mutating func cut(tail: Ref, logicalSize: Ref) -> Ref? {
        if let limit {
            idle = 0
            let size = max(Self.aligned(tail), limit)
            guard size < logicalSize, logicalSize - size >= smallestCut || size == limit else { return nil }
            return size
        }
        guard logicalSize - min(tail, logicalSize) > slack + 2 * demand else {
            idle = 0
            return nil
        }
        idleFrom = idle == 0 ? tail : max(idleFrom, tail)
        idle += 1
        guard idle >= Self.patience else { return nil }
        idle = 0
        let size = Self.aligned(idleFrom)
        return size < logicalSize ? size : nil
    }

    private static func aligned(_ size: Ref) -> Ref { (size + page - 1) / page * page }
}
