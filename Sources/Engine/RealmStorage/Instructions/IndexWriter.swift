// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum IndexKind: Sendable {
    case general
    case fullText
}

/// Creates, removes, and updates search indexes (content 9, 12.5).
package struct IndexWriter: TransactionWriter {
    let transaction: WriteTransaction

    // MARK: Creation and removal

    /// Adds a search index to a column and inserts all objects; replaces an index of the other kind.
    ///
    /// Throws `.invalidArgument` for a column that can't have one, and `.limitExceeded` if a list holds a string that
    /// is too long; then nothing has changed.
    package func add(_ column: ColumnKey, _ kind: IndexKind = .general, of key: TableKey) throws {
        let table = try require(key)
        let position = try table.requirePosition(of: column)
        var info = table.columns[position]
        try validate(kind, info.type, isList: column.isList, isSingle: !column.isCollection, info.name)
        guard kind == .general || table.primaryKey != column else {
            throw StorageError(.invalidArgument, "the primary key '\(info.name)' needs a general index")
        }
        let isOfOtherKind = table.hasIndex(column) && info.isFullTextIndexed != (kind == .fullText)
        info.attributes.subtract([.indexed, .fullTextIndexed])
        info.attributes.insert(kind == .fullText ? .fullTextIndexed : .indexed)
        try build(info, of: table, replacing: isOfOtherKind)
        table.columns[position].attributes = info.attributes
        changed(table, [.contents, .schema])
    }

    func validate(_ kind: IndexKind, _ type: ColumnType, isList: Bool, isSingle: Bool, _ name: String) throws {
        let canHaveIt =
            switch kind {
            case .general: isSingle ? type.isIndexable : isList && type == .string
            case .fullText: isSingle && type == .string
            }
        guard canHaveIt else { throw StorageError(.invalidArgument, "'\(name)' cannot be indexed") }
    }

    /// Builds an index of all objects. An existing index is kept unless `replacing` is true. If an object can't be
    /// inserted, nothing changes.
    func build(_ column: Column, of table: Table, replacing: Bool = false) throws {
        guard replacing || !table.hasIndex(column.key) else { return }
        let old = table.replaceIndex(column.leafIndex, by: try SearchIndexEditor(store).create())
        do {
            try table.clusters.forEachLeaf { leaf in
                try insertRows(of: leaf, into: column, of: table)
                return true
            }
            try table.flushIndex(column.leafIndex)
        } catch {
            try SearchIndexEditor(store).free(table.replaceIndex(column.leafIndex, by: old))
            throw error
        }
        if old != 0 { try SearchIndexEditor(store).free(old) }
        changed(table, [.contents, .indexes])
    }

    private func insertRows(of leaf: ClusterLeaf, into column: Column, of table: Table) throws {
        guard !column.key.isCollection else { return try insertLists(of: leaf, into: column, of: table) }
        let values = try leaf.column(column.leafIndex, column.leafKind)
        for row in 0..<leaf.count {
            let key = leaf.key(at: row)
            if column.isFullTextIndexed {
                unsafe try values.withStringBytes(at: row) {
                    try unsafe insert(tokensOf: $0, key, into: column, of: table)
                }
            } else {
                try insert(try values.indexData(at: row), key, into: column, of: table) {
                    try table.value(column, at: ClusterTree.Position(leaf: leaf, row: row))
                }
            }
        }
    }

    private func insertLists(of leaf: ClusterLeaf, into column: Column, of table: Table) throws {
        for row in 0..<leaf.count {
            for value in Set(try table.list(column, at: ClusterTree.Position(leaf: leaf, row: row)).values()) {
                try insert(word: try ListWord.bytes(of: value), leaf.key(at: row), column, of: table)
            }
        }
    }

    /// `text` is UTF-8; nil represents null, which has no words.
    private func insert(
        tokensOf text: UnsafeRawBufferPointer?, _ key: ObjectKey, into column: Column, of table: Table
    ) throws {
        guard let text = unsafe text else { return }
        try table.bufferInsert(column.leafIndex, in: store) { unsafe $0.add(tokensOf: text, key) }
    }

    /// The primary key's index remains while the column is the primary key.
    package func remove(_ column: ColumnKey, of key: TableKey) throws {
        let table = try require(key)
        let position = try table.requirePosition(of: column)
        table.columns[position].attributes.subtract([.indexed, .fullTextIndexed])
        changed(table, [.contents, .schema])
        if table.primaryKey != column { try free(column, of: table) }
    }

    func free(_ column: ColumnKey, of table: Table) throws {
        try SearchIndexEditor(store).free(table.replaceIndex(column.leafIndex, by: 0))
        changed(table, [.contents, .indexes])
    }

    // MARK: Objects

    /// Returns the value that an index stores for `value`: an unresolved link counts as null (content 9.1).
    static func indexed(_ value: StoredValue) -> StoredValue {
        if case .typedLink(let link) = value, link.object.isUnresolved { .null } else { value }
    }

    func insert(_ value: StoredValue, _ key: ObjectKey, into column: Column, of table: Table) throws {
        if column.isFullTextIndexed {
            guard case .string(var text) = value else { return }
            return try text.withUTF8 {
                try unsafe insert(tokensOf: UnsafeRawBufferPointer($0), key, into: column, of: table)
            }
        }
        try insert(IndexData(value), key, into: column, of: table) { value }
    }

    /// Inserts an object into a value index under `data`. `value` is called only if `data` is insufficient.
    private func insert(
        _ data: IndexData, _ key: ObjectKey, into column: Column, of table: Table, value: () throws -> StoredValue
    ) throws {
        let isMixed = column.type == .mixed
        if !isMixed, data.count <= IndexBatch.maximumDataCount {
            return try table.bufferInsert(column.leafIndex, in: store) { $0.add(IndexedObject(key, data)) }
        }
        let value = IndexWriter.indexed(try value())
        try table.changeIndex(column.leafIndex) { root in
            try SearchIndexEditor(store).insert(&root, value, key, isMixed: isMixed) {
                try table.indexedValue(column, of: $0)
            }
        }
    }

    /// `value` must still be stored.
    func erase(_ value: StoredValue, _ key: ObjectKey, from column: Column, of table: Table) throws {
        let index = column.leafIndex
        if column.isFullTextIndexed {
            try table.changeIndex(index) { root in
                for word in tokens(of: value) { try SearchIndexEditor(store).erase(&root, word: word, key) }
            }
        } else {
            let isMixed = column.type == .mixed
            let value = IndexWriter.indexed(value)
            if !isMixed { return try table.bufferRemove(index, in: store, IndexedObject(key, IndexData(value))) }
            try table.changeIndex(index) { root in
                try SearchIndexEditor(store).erase(&root, value, key, isMixed: isMixed) {
                    try table.indexedValue(column, of: $0)
                }
            }
        }
    }

    private func tokens(of value: StoredValue) -> Set<[UInt8]> {
        if case .string(let text) = value { FullTextTokenizer.tokens(of: text.utf8) } else { [] }
    }

    /// The values of the objects must still be stored.
    func erase(_ keys: [ObjectKey], from column: Column, of table: Table) throws {
        if column.key.isCollection || column.isFullTextIndexed {
            for key in keys {
                try erase(key, at: try table.requireObject(key), from: column, of: table)
            }
            return
        }
        var entries: [IndexedObject] = []
        entries.reserveCapacity(keys.count)
        try table.clusters.forEachLeaf(holding: keys) { leaf, rows in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in rows { entries.append(IndexedObject(leaf.key(at: row), try values.indexData(at: row))) }
        }
        for key in try table.changeIndex(column.leafIndex, { try SearchIndexEditor(store).erase(&$0, entries) }) {
            try erase(key, at: try table.requireObject(key), from: column, of: table)
        }
    }

    func erase(_ object: ObjectKey, at position: ClusterTree.Position, of table: Table) throws {
        for leafIndex in unsafe table.indexes.leafIndexes {
            guard let column = table.column(leafIndex: leafIndex) else { continue }
            try erase(object, at: position, from: column, of: table)
        }
    }

    private func erase(
        _ object: ObjectKey, at position: ClusterTree.Position, from column: Column, of table: Table
    ) throws {
        if column.key.isCollection {
            for value in Set(try table.list(column, at: position).values()) {
                try table.changeIndex(column.leafIndex) {
                    try SearchIndexEditor(store).erase(&$0, word: ListWord.storedBytes(of: value), object)
                }
            }
        } else if column.isFullTextIndexed || column.type == .mixed {
            try erase(try table.value(column, at: position), object, from: column, of: table)
        } else {
            let values = try position.leaf.column(column.leafIndex, column.leafKind)
            let filed = IndexedObject(object, try values.indexData(at: position.row))
            try table.bufferRemove(column.leafIndex, in: store, filed)
        }
    }

    // MARK: Words of lists

    /// Call this when `value` was added to an object's list: inserts the word if the list didn't contain it before.
    func wordGained(_ value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        guard table.hasIndex(column.key), try words(key, column, of: table).count(where: { $0 == value }) == 1 else {
            return
        }
        try insert(word: try ListWord.bytes(of: value), key, column, of: table)
    }

    private func insert(word: [UInt8]?, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        try table.changeIndex(column.leafIndex) { try SearchIndexEditor(store).insert(&$0, word: word, key) }
        try partTwins(above: word, column, of: table)
    }

    /// Separates the objects of two words, such as "abc" and "abcX", that share an entry of the index. Inserting a
    /// longer word may have moved the entry to the position of one of them. Only the lists determine which of the words
    /// an object has, not the index (content 9.5).
    private func partTwins(above word: [UInt8]?, _ column: Column, of table: Table) throws {
        guard let word, word.count > 4 else { return }
        let chunks = IndexWord(word)
        let index = column.leafIndex
        for offset in stride(from: 0, to: word.count - 4, by: 4)
        where IndexWord.isAmbiguous(Array(word[..<(offset + 4)])) {
            let twins = chunks.twins(on: chunks, at: offset)
            var keys = Set<ObjectKey>()
            for twin in twins {
                keys.formUnion(try FullTextIndex(space, root: table.indexRoot(index)).keys(containing: twin))
            }
            for key in keys where try table.find(key) != nil {
                let held = Set(try words(key, column, of: table).map(ListWord.storedBytes))
                try table.changeIndex(index) { root in
                    for twin in twins { try SearchIndexEditor(store).erase(&root, word: twin, key) }
                    for twin in twins where held.contains(twin) {
                        try SearchIndexEditor(store).insert(&root, word: twin, key)
                    }
                }
            }
        }
    }

    /// Call this when `value` was removed from an object's list: removes the word with its last occurrence.
    func wordLost(_ value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        guard table.hasIndex(column.key) else { return }
        let left = Set(try words(key, column, of: table).map(ListWord.storedBytes))
        let word = ListWord.storedBytes(of: value)
        guard !left.contains(word) else { return }
        try table.changeIndex(column.leafIndex) { root in
            try SearchIndexEditor(store).erase(&root, word: word, key) { left.contains($0) }
        }
    }

    private func words(_ key: ObjectKey, _ column: Column, of table: Table) throws -> [StoredValue] {
        try table.list(column.key, of: key).values()
    }
}

extension WriteTransaction {
    package var indexes: IndexWriter { @inline(__always) get { IndexWriter(transaction: self) } }
}
