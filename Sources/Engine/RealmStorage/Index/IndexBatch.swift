// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Objects to insert into a search index together: sorted by their index data, in the order of the index.
package struct IndexBatch {
    /// The objects with one value or word. No two runs have the same data.
    struct Run {
        let data: IndexData
        /// The indexes of the objects' keys, which ascend.
        let keys: Range<Int>
    }

    let runs: [Run]
    private let keys: [ObjectKey]
    let dataOf: ((ObjectKey) throws -> IndexData?)?

    /// Longer data would share lists with other data on the last level, in the order of the values.
    static let maximumDataCount = FileFormat.lastIndexOffset - 8

    init(runs: [Run], keys: [ObjectKey], dataOf: ((ObjectKey) throws -> IndexData?)?) {
        self.runs = runs
        self.keys = keys
        self.dataOf = dataOf
    }

    /// `objects` must have data of at most `maximumDataCount` bytes. `dataOf` returns nil for objects that don't exist.
    package init(_ objects: [IndexedObject], dataOf: @escaping (ObjectKey) throws -> IndexData?) {
        let order = IndexedObject.order(of: objects)
        var runs: [Run] = []
        runs.reserveCapacity(order.count)
        var start = 0
        for index in order.indices {
            let data = objects[Int(order[index])].data
            assert(data.count <= IndexBatch.maximumDataCount)
            if index + 1 < order.count, objects[Int(order[index + 1])].data == data { continue }
            runs.append(Run(data: data, keys: start..<index + 1))
            start = index + 1
        }
        self.init(runs: runs, keys: order.map { objects[Int($0)].key }, dataOf: dataOf)
    }

    func keys(of run: Int) -> ArraySlice<ObjectKey> { keys[runs[run].keys] }

    /// Returns the longest prefix of `runs` whose runs have the same chunk.
    func share(of runs: Range<Int>, at offset: Int) -> (chunk: Int32, runs: Range<Int>) {
        let chunk = self.runs[runs.lowerBound].data.chunk(at: offset)
        return (chunk, share(of: runs, at: offset, through: chunk))
    }

    func share(of runs: Range<Int>, at offset: Int, through last: Int32) -> Range<Int> {
        var end = runs.lowerBound
        while end < runs.upperBound, self.runs[end].data.chunk(at: offset) <= last { end += 1 }
        return runs.lowerBound..<end
    }

    func mayStand(_ run: Int, at offset: Int) -> Bool { dataOf != nil || ends(run, at: offset) }

    /// Returns the chunk under which the entry moves to the next level, separate from the runs; nil if the runs share
    /// the entry. `entry` is a literal or list at `offset` of the path of the runs.
    func parting(of runs: Range<Int>, from entry: IndexEntry, at offset: Int, in space: NodeSpace) throws -> Int32? {
        if offset == FileFormat.lastIndexOffset { return nil }
        let run = self.runs[runs.lowerBound]
        guard let dataOf else {
            // Words of full text don't contain the letter X, so the entry is for a word that ends here.
            return runs.count == 1 && ends(runs.lowerBound, at: offset) ? nil : IndexChunk.end
        }
        let theirs = try entry.data(on: run.data, through: offset, in: space) { try dataOf($0) ?? .none }
        return runs.count == 1 && theirs ?? run.data == run.data ? nil : (theirs ?? .none).chunk(at: offset + 4)
    }

    private func ends(_ run: Int, at offset: Int) -> Bool { offset + 4 >= runs[run].data.count }
}
