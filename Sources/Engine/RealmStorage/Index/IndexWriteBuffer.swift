// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The pending removals and insertions of a write transaction in one search index.
///
/// They're performed together, in the order of the index, when the index is needed (`TableIndexes`) or when there are
/// many. A buffer belongs to one table of one transaction.
final class IndexWriteBuffer {
    private let store: NodeStore
    /// The pending removals. They precede the insertions, so an object in `objects` can't be withdrawn any more.
    @exclusivity(unchecked) private var withdrawn: [IndexedObject] = []
    /// Like all properties here, accessed by one thread, never across a call that could reenter.
    @exclusivity(unchecked) private var objects: [IndexedObject] = []
    @exclusivity(unchecked) private var keys: Set<ObjectKey>?
    @exclusivity(unchecked) private var byteCount = 0
    @exclusivity(unchecked) private var words: PostingLists?
    /// The error because of which the index lacks entries. The index must not be read, and the transaction must not be
    /// committed.
    private var failure: (any Error)?

    init(store: NodeStore) { self.store = store }

    /// Whether the buffer should be flushed. The memory is worth its cost: the more objects are flushed together, the
    /// more of them share the path to a value.
    var areMany: Bool {
        unsafe byteCount >= 16 << 20 || withdrawn.count >= 1 << 17 || words?.count ?? 0 >= 1 << 20
    }

    var isEmpty: Bool { unsafe withdrawn.isEmpty && isComplete }

    /// Whether the index contains all objects. It may also contain removed ones.
    var isComplete: Bool { unsafe failure == nil && objects.isEmpty && words == nil }

    func add(_ object: IndexedObject) {
        unsafe objects.append(object)
        unsafe keys?.insert(object.key)
        unsafe byteCount &+= object.byteCount
    }

    /// Returns false if the object has yet to be inserted, and so can't be withdrawn.
    func withdraw(_ object: IndexedObject) -> Bool {
        if unsafe keys == nil { unsafe keys = Set(objects.lazy.map(\.key)) }
        guard unsafe keys?.contains(object.key) == false else { return false }
        unsafe withdrawn.append(object)
        return true
    }

    func add(tokensOf text: UnsafeRawBufferPointer, _ key: ObjectKey) {
        var words = unsafe words.take() ?? PostingLists()
        unsafe FullTextTokenizer.forEachToken(in: text) { unsafe words.add($0, key) }
        unsafe self.words = words
    }

    /// Performs all removals and insertions. `dataOf` returns the index data of an object of a value index, or nil if
    /// the object doesn't exist.
    func flush(_ root: inout Ref, dataOf: (ObjectKey) throws -> IndexData?) throws {
        if let failure { throw failure }
        do {
            if unsafe !withdrawn.isEmpty {
                let absent = try unsafe SearchIndexEditor(store).erase(&root, withdrawn)
                for key in absent { try SearchIndexEditor(store).erase(&root, anywhere: key) }
                unsafe withdrawn.removeAll(keepingCapacity: true)
            }
            if unsafe !objects.isEmpty {
                try withoutActuallyEscaping(dataOf) { dataOf in
                    try unsafe SearchIndexEditor(store).insert(&root, IndexBatch(objects, dataOf: dataOf))
                }
                unsafe objects.removeAll(keepingCapacity: true)
                unsafe keys = nil
                unsafe byteCount = 0
            }
            if let batch = unsafe words?.batch() {
                try SearchIndexEditor(store).insert(&root, batch)
                unsafe words = nil
            }
        } catch {
            failure = error
            throw error
        }
    }
}
