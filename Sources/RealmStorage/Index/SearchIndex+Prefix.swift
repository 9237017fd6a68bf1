// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension SearchIndex {
    /// Objects among which are all whose string begins with `prefix`, ascending; nil if they are more than `limit`.
    /// The index of a string column, and a prefix that is not empty.
    ///
    /// Chunks are four bytes of the text, so the strings stand side by side; but a literal or list may stand above the
    /// end of its path, so the column has the last word.
    package func candidates(withPrefix prefix: [UInt8], limit: Int) throws -> [ObjectKey]? {
        precondition(!isMixed && !prefix.isEmpty)
        let descent = IndexDescent(space: space, root: root)
        let data = IndexData(stringBytes: prefix)
        var level = root
        var offset = 0
        var steps = 0
        while offset + 4 <= prefix.count {
            guard let entry = try descent.entry(of: data.chunk(at: offset), below: level, &steps) else { return [] }
            guard case .subIndex(let sub) = entry else {
                let keys = try entry.keys(in: space)
                return keys.count > limit ? nil : KeyOrder.ascending(keys)
            }
            try IndexDescent.requireNextLevel(offset, at: sub)
            level = sub
            offset += 4
        }
        return try keys(below: level, WordIndex.chunks(beginningWith: prefix[offset...]), limit: limit)
    }

    private func keys(below level: Ref, _ range: ClosedRange<Int32>, limit: Int) throws -> [ObjectKey]? {
        var keys: [ObjectKey] = []
        var walk = IndexWalk(space)
        let isComplete = try walk.visit(level, within: range) { entry, _ in
            if case .list(let root) = entry, try IndexList(space, root).count > limit - keys.count { return false }
            try keys.append(contentsOf: entry.keys(in: space))
            return keys.count <= limit
        }
        return isComplete ? KeyOrder.ascending(keys) : nil
    }
}

extension Table {
    /// As `SearchIndex.candidates(withPrefix:limit:)`, of an indexed column of strings.
    package func candidates(_ column: Column, withPrefix prefix: [UInt8], limit: Int) throws -> [ObjectKey]? {
        try index(column).candidates(withPrefix: prefix, limit: limit)
    }
}
