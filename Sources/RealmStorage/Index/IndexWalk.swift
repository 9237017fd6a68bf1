// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Visits all places of a search index, or those of a range of chunks.
struct IndexWalk {
    private let space: NodeSpace
    private var visited = VisitedNodes()
    /// The chunks down to the place that is being visited, from the level where the walk began.
    private var path: [Int32] = []

    init(_ space: NodeSpace) { self.space = space }

    /// Visits the literals and lists at and below the level whose root is `ref`, there only those of `range`, until
    /// `body` returns false; tells whether it never did. `body` gets the place and its path.
    @discardableResult
    mutating func visit(
        _ ref: Ref, within range: ClosedRange<Int32> = .min ... .max, depth: Int = 0,
        _ body: (IndexEntry, [Int32]) throws -> Bool
    ) throws -> Bool {
        try visited.enter(ref)
        try IndexDescent.requireDepth(depth, at: ref)
        let node = try IndexNode(space, ref)
        for place in node.lowerBound(range.lowerBound)..<node.count {
            let key = node.key(place)
            if node.isInner {
                guard try visit(node.child(place), within: range, depth: depth + 1, body) else { return false }
                if key >= range.upperBound { break }
            } else {
                guard key <= range.upperBound else { break }
                guard try visitEntry(IndexEntry(node.element(place), in: space), key, depth, body) else { return false }
            }
        }
        return true
    }

    private mutating func visitEntry(
        _ entry: IndexEntry, _ key: Int32, _ depth: Int, _ body: (IndexEntry, [Int32]) throws -> Bool
    ) throws -> Bool {
        path.append(key)
        defer { path.removeLast() }
        switch entry {
        case .subIndex(let sub):
            try IndexDescent.requireNextLevel((path.count - 1) * 4, at: sub)
            return try visit(sub, depth: depth + 1, body)
        case .list(let ref):
            try visited.enter(ref)
            return try body(entry, path)
        case .literal:
            return try body(entry, path)
        }
    }

    /// Every key at and below the level whose root is `ref`, there only under the chunks of `range`.
    static func keys(
        _ space: NodeSpace, _ ref: Ref, within range: ClosedRange<Int32> = .min ... .max
    ) throws -> [ObjectKey] {
        var walk = IndexWalk(space)
        var result: [ObjectKey] = []
        try walk.visit(ref, within: range) { entry, _ in
            try result.append(contentsOf: entry.keys(in: space))
            return true
        }
        return result
    }
}

extension IndexEntry {
    /// The keys of a literal or list, as stored; a sub-index has none of its own.
    func keys(in space: NodeSpace) throws -> [ObjectKey] {
        switch self {
        case .literal(let key): [key]
        case .list(let root): try IndexList(space, root).keys()
        case .subIndex: []
        }
    }

    /// Visits the keys of a literal or list until `body` returns false.
    func forEachKey(in space: NodeSpace, _ body: (ObjectKey) throws -> Bool) throws {
        switch self {
        case .literal(let key): _ = try body(key)
        case .list(let root): try IndexList(space, root).forEach(body)
        case .subIndex: break
        }
    }
}
