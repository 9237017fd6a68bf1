// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Walking down a search index along chunks (content 9.4, 9.5).
struct IndexDescent {
    let space: NodeSpace
    let root: Ref

    /// A place that holds keys, and the offset of the chunk it stands at.
    struct Found {
        /// A literal or a list.
        var entry: IndexEntry
        var offset: Int
    }

    /// The literal or list at which the path of `chunks` ends.
    func find(_ chunks: some IndexChunks) throws -> Found? {
        var ref = root
        var offset = 0
        var steps = 0
        while let entry = try entry(of: chunks.chunk(at: offset), below: ref, &steps) {
            guard case .subIndex(let sub) = entry else { return Found(entry: entry, offset: offset) }
            try IndexDescent.requireNextLevel(offset, at: sub)
            ref = sub
            offset += 4
        }
        return nil
    }

    /// The entry of `chunk` in the level whose root is `ref`. `steps` counts the nodes on the whole path.
    func entry(of chunk: Int32, below root: Ref, _ steps: inout Int) throws -> IndexEntry? {
        var ref = root
        var span: ClosedRange<Int32>?
        while true {
            try IndexDescent.requireDepth(steps, at: ref)
            steps += 1
            let node = try IndexNode(space, ref, for: chunk, in: span)
            let place = node.lowerBound(chunk, in: span)
            guard place < node.count else { return nil }
            if node.isInner {
                ref = try node.child(place)
                span = node.span(ofChild: place)
            } else {
                return node.key(place) == chunk ? try IndexEntry(node.element(place), in: space) : nil
            }
        }
    }

    static func requireDepth(_ depth: Int, at ref: Ref) throws {
        guard depth < IndexNode.maximumDepth else {
            throw StorageError.corrupt("search index nodes nested without end; the file is damaged", at: ref)
        }
    }

    /// No sub-index stands below the last level.
    static func requireNextLevel(_ offset: Int, at ref: Ref) throws {
        guard offset < FileFormat.lastIndexOffset else {
            throw StorageError.corrupt("a search index deeper than its last level; the file is damaged", at: ref)
        }
    }
}
