// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A walk over all entries of a search index, or those of a range of chunks.
struct IndexWalk {
    private let space: NodeSpace
    private var visited = VisitedNodes()
    /// The chunks of the entry at which the walk stopped, the last one first.
    private var trail: [Int32] = []

    init(_ space: NodeSpace) { self.space = space }

    var path: [Int32] { trail.reversed() }

    /// Visits literals and lists until `body` returns false. Returns whether it never did.
    ///
    /// The walk starts at the level for the chunks at `offset`, whose root is `ref`. Only that level is limited to
    /// `range`. `body` receives the entry and the offset of its level.
    @discardableResult
    mutating func visit(
        _ ref: Ref, at offset: Int = 0, within range: ClosedRange<Int32> = .min ... .max, depth: Int = 0,
        _ body: (IndexEntry, Int) throws -> Bool
    ) throws -> Bool {
        try visited.enter(ref)
        try IndexDescent.requireDepth(depth, at: ref)
        let node = try IndexNode(space, ref)
        for place in node.lowerBound(range.lowerBound)..<node.count {
            let key = node.key(place)
            if node.isInner {
                let child = try node.child(place)
                guard try visit(child, at: offset, within: range, depth: depth + 1, body) else { return false }
                if key >= range.upperBound { break }
            } else {
                guard key <= range.upperBound else { break }
                guard try visitEntry(IndexEntry(node.element(place), in: space), offset, depth, body) else {
                    trail.append(key)
                    return false
                }
            }
        }
        return true
    }

    private mutating func visitEntry(
        _ entry: IndexEntry, _ offset: Int, _ depth: Int, _ body: (IndexEntry, Int) throws -> Bool
    ) throws -> Bool {
        switch entry {
        case .subIndex(let sub):
            try IndexDescent.requireNextLevel(offset, at: sub)
            return try visit(sub, at: offset + 4, depth: depth + 1, body)
        case .list(let ref):
            try visited.enter(ref)
            return try body(entry, offset)
        case .literal:
            return try body(entry, offset)
        }
    }

    static func keys(
        _ space: NodeSpace, _ ref: Ref, at offset: Int = 0, within range: ClosedRange<Int32> = .min ... .max
    ) throws -> [ObjectKey] {
        var walk = IndexWalk(space)
        var result: [ObjectKey] = []
        try walk.visit(ref, at: offset, within: range) { entry, _ in
            switch entry {
            case .literal(let key): result.append(key)
            case .list(let root): result += try IndexList(space, root).keys()
            case .subIndex: break
            }
            return true
        }
        return result
    }
}

extension IndexEntry {
    func keys(in space: NodeSpace) throws -> [ObjectKey] {
        switch self {
        case .literal(let key): [key]
        case .list(let root): try IndexList(space, root).keys()
        case .subIndex: []
        }
    }

    /// Returns the number of keys of a literal or list, which may be wrong in a damaged file.
    func count(in space: NodeSpace) throws -> Int {
        switch self {
        case .literal: 1
        case .list(let root): try IndexList(space, root).count
        case .subIndex: 0
        }
    }

    func forEachKey(in space: NodeSpace, _ body: (ObjectKey) throws -> Bool) throws {
        switch self {
        case .literal(let key): _ = try body(key)
        case .list(let root): try IndexList(space, root).forEach(body)
        case .subIndex: break
        }
    }
}
