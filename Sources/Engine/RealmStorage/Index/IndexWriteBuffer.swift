// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a write transaction has still to take out of one search index and to enter into it.
///
/// Objects are collected, and taken out and entered together, in the order of the index, when the index is needed
/// (`TableIndexes`) or when there are many. It belongs to one table of one transaction and goes with it.
final class IndexWriteBuffer {
    private let store: NodeStore
    /// What goes comes before what is new: an object of `objects` is not taken out any more.
    @exclusivity(unchecked) private var withdrawn: [IndexedObject] = []
    /// Touched by one thread, like all properties here, never across a call that could come back here.
    @exclusivity(unchecked) private var objects: [IndexedObject] = []
    /// The keys of `objects`, once they were asked for.
    @exclusivity(unchecked) private var keys: Set<ObjectKey>?
    /// What `objects` take.
    @exclusivity(unchecked) private var byteCount = 0
    @exclusivity(unchecked) private var words: PostingLists?
    /// Why entries could not be made. The index lacks them, so it must not be read, and the transaction not be
    /// committed.
    private var failure: (any Error)?

    init(store: NodeStore) { self.store = store }

    /// So much memory is worth what is saved: the more come together, the more of them share the way to a value.
    var areMany: Bool {
        unsafe byteCount >= 16 << 20 || withdrawn.count >= 1 << 17 || words?.count ?? 0 >= 1 << 20
    }

    var isEmpty: Bool { unsafe withdrawn.isEmpty && isComplete }

    /// Whether the index has everything, and nothing but objects that were withdrawn besides.
    var isComplete: Bool { unsafe failure == nil && objects.isEmpty && words == nil }

    func add(_ object: IndexedObject) {
        unsafe objects.append(object)
        unsafe keys?.insert(object.key)
        unsafe byteCount &+= object.byteCount
    }

    /// Notes that an object which is in the index has to be taken out; false if it has yet to be entered.
    func withdraw(_ object: IndexedObject) -> Bool {
        if unsafe keys == nil { unsafe keys = Set(objects.lazy.map(\.key)) }
        guard unsafe keys?.contains(object.key) == false else { return false }
        unsafe withdrawn.append(object)
        return true
    }

    /// Adds the tokens of a text in UTF-8.
    func add(tokensOf text: UnsafeRawBufferPointer, _ key: ObjectKey) {
        var words = unsafe words.take() ?? PostingLists()
        unsafe FullTextTokenizer.forEachToken(in: text) { unsafe words.add($0, key) }
        unsafe self.words = words
    }

    /// Takes out and enters everything. `dataOf` tells what an object of a value index is filed under; nil if it is
    /// gone.
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
