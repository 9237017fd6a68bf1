// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The search indexes of a table, by leaf index: their roots, and a transaction's pending changes.
///
/// Pending changes must be applied before a root is read, so only the functions below access the roots.
struct TableIndexes {
    fileprivate var roots: [Ref] = []
    fileprivate var pending: [IndexWriteBuffer?] = []
    /// Ascending.
    fileprivate(set) var leafIndexes: [Int] = []

    init(roots: [Ref] = []) {
        self.roots = roots
        pending = Array(repeating: nil, count: roots.count)
        findLeafIndexes()
    }

    fileprivate mutating func findLeafIndexes() { leafIndexes = roots.indices.filter { roots[$0] != 0 } }

    var count: Int { roots.count }

    func has(_ leafIndex: Int) -> Bool { leafIndex < roots.count && roots[leafIndex] != 0 }

    mutating func append() {
        roots.append(0)
        pending.append(nil)
    }
}

extension Table {
    package func hasIndex(_ key: ColumnKey) -> Bool { unsafe indexes.has(key.leafIndex) }

    /// Returns the root of a value index that contains all objects. It may also contain objects that were deleted or
    /// have another value by now.
    func indexRoot(forComparing leafIndex: Int) throws -> Ref {
        if unsafe indexes.pending[leafIndex]?.isComplete == false { try flushIndex(leafIndex) }
        return unsafe indexes.roots[leafIndex]
    }

    /// Returns the root of an index without pending changes; 0 if the column has no index.
    package func indexRoot(_ leafIndex: Int) throws -> Ref {
        try flushIndex(leafIndex)
        return unsafe indexes.roots[leafIndex]
    }

    func indexRoots() throws -> [Ref] { unsafe try (0..<indexes.count).map { try indexRoot($0) } }

    @discardableResult
    func changeIndex<Result>(_ leafIndex: Int, _ body: (inout Ref) throws -> Result) throws -> Result {
        var root = try indexRoot(leafIndex)
        defer { unsafe indexes.roots[leafIndex] = root }
        unsafe changes.insert(.indexes)
        return try body(&root)
    }

    /// Replaces an index and returns the old root; a root of 0 means no index. Pending changes of the old index are
    /// dropped.
    func replaceIndex(_ leafIndex: Int, by root: Ref) -> Ref {
        let old = unsafe indexes.roots[leafIndex]
        unsafe indexes.roots[leafIndex] = root
        unsafe indexes.pending[leafIndex] = nil
        if (old == 0) != (root == 0) { unsafe indexes.findLeafIndexes() }
        return old
    }

    func bufferInsert(_ leafIndex: Int, in store: NodeStore, _ body: (IndexWriteBuffer) throws -> Void) throws {
        let pending = unsafe pendingEntries(leafIndex, in: store)
        unsafe try pending._withUnsafeGuaranteedRef { try body($0) }
        if unsafe pending._withUnsafeGuaranteedRef({ $0.areMany }) { try flushIndex(leafIndex) }
    }

    func bufferRemove(_ leafIndex: Int, in store: NodeStore, _ object: IndexedObject) throws {
        let pending = unsafe pendingEntries(leafIndex, in: store)
        if unsafe !pending._withUnsafeGuaranteedRef({ $0.withdraw(object) }) {
            try flushIndex(leafIndex)
            _ = unsafe pending._withUnsafeGuaranteedRef { $0.withdraw(object) }
        }
        if unsafe pending._withUnsafeGuaranteedRef({ $0.areMany }) { try flushIndex(leafIndex) }
    }

    /// The buffer is retained by the table until the index is replaced.
    private func pendingEntries(_ leafIndex: Int, in store: NodeStore) -> Unmanaged<IndexWriteBuffer> {
        unsafe changes.insert(.indexes)
        if let pending = unsafe indexes.pending[leafIndex] { return unsafe .passUnretained(pending) }
        let pending = IndexWriteBuffer(store: store)
        unsafe indexes.pending[leafIndex] = pending
        return unsafe .passUnretained(pending)
    }

    func flushIndex(_ leafIndex: Int) throws {
        guard let pending = unsafe indexes.pending[leafIndex], !pending.isEmpty else { return }
        let column = column(leafIndex: leafIndex)
        var root = unsafe indexes.roots[leafIndex]
        defer { unsafe indexes.roots[leafIndex] = root }
        try pending.flush(&root) { key in
            try column.flatMap { try indexData($0, of: key) }
        }
    }
}
