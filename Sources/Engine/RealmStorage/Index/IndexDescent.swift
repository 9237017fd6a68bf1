// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A descent of a search index along chunks (content 9.4, 9.5).
struct IndexDescent {
    let space: NodeSpace
    let root: Ref

    struct Found {
        /// A literal or a list.
        var entry: IndexEntry
        var offset: Int
    }

    /// Returns the literal or list at the end of the path of `chunks`.
    func find(_ chunks: some IndexChunks) throws -> Found? {
        var level = try IndexNode(space, root)
        var offset = 0
        var steps = 0
        while let element = try element(of: chunks.chunk(at: offset), below: level, &steps) {
            if let key = IndexEntry.literal(element) { return Found(entry: .literal(key), offset: offset) }
            let child = try IndexNode.packed(Ref(element: element), in: space)
            guard child.header.hasContext else { return Found(entry: .list(child.ref), offset: offset) }
            try IndexDescent.requireNextLevel(offset, at: child.ref)
            guard child.header.hasRefs else { throw space.badNode(child.ref) }
            level = try IndexNode(space, child)
            offset += 4
        }
        return nil
    }

    func entry(of chunk: Int32, below root: Ref, _ steps: inout Int) throws -> IndexEntry? {
        try IndexDescent.requireDepth(steps, at: root)
        return try element(of: chunk, below: IndexNode(space, root), &steps).map { try IndexEntry($0, in: space) }
    }

    /// Returns the undecoded element of `chunk`; `entry` decodes it. `root` is the root of the level.
    private func element(of chunk: Int32, below root: IndexNode, _ steps: inout Int) throws -> Int64? {
        var node = root
        var span: ClosedRange<Int32>?
        while true {
            try IndexDescent.requireDepth(steps, at: node.node.ref)
            steps += 1
            let place = node.lowerBound(chunk, in: span)
            guard place < node.count else { return nil }
            if node.isInner {
                span = node.span(ofChild: place)
                let child = try IndexNode.packedRefs(Ref(element: node.element(place)), in: space)
                node = try IndexNode(space, child, for: chunk, in: span)
            } else {
                return node.loadedKey(place) == chunk ? node.element(place) : nil
            }
        }
    }

    static func requireDepth(_ depth: Int, at ref: Ref) throws {
        guard depth < IndexNode.maximumDepth else {
            throw StorageError.corrupt("search index nodes nested without end; the file is damaged", at: ref)
        }
    }

    static func requireNextLevel(_ offset: Int, at ref: Ref) throws {
        guard offset < FileFormat.lastIndexOffset else {
            throw StorageError.corrupt("a search index deeper than its last level; the file is damaged", at: ref)
        }
    }
}
