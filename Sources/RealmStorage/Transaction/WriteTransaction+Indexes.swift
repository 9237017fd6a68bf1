// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Keeping search indexes in step with the values (content 12.5).
extension WriteTransaction {
    /// Enters an object that has `value` in `column`.
    func enter(_ value: StoredValue, _ key: ObjectKey, into column: Column, of table: Table) throws {
        let index = column.leafIndex
        if column.isFullTextIndexed {
            for word in tokens(of: value) {
                try store.wordIndexInsert(&table.indexRoots[index], word: word, key)
            }
        } else {
            let isMixed = column.type == .mixed
            try store.indexInsert(&table.indexRoots[index], value, key, isMixed: isMixed) {
                try table.indexedValue(column, of: $0)
            }
        }
        table.changes.insert(.indexes)
    }

    /// Takes out an object that has `value` in `column`; the value must still be stored.
    func withdraw(_ value: StoredValue, _ key: ObjectKey, from column: Column, of table: Table) throws {
        let index = column.leafIndex
        if column.isFullTextIndexed {
            for word in tokens(of: value) {
                try store.wordIndexErase(&table.indexRoots[index], word: word, key)
            }
        } else {
            let isMixed = column.type == .mixed
            try store.indexErase(&table.indexRoots[index], value, key, isMixed: isMixed) {
                try table.indexedValue(column, of: $0)
            }
        }
        table.changes.insert(.indexes)
    }

    private func tokens(of value: StoredValue) -> Set<[UInt8]> {
        if case .string(let text) = value { FullTextTokenizer.tokens(of: text.utf8) } else { [] }
    }

    /// One more object's list holds `value`: enters the word if it was not in that list yet.
    func listGained(_ value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        guard table.hasIndex(column.key), try words(key, column, of: table).count(where: { $0 == value }) == 1 else {
            return
        }
        try store.wordIndexInsert(&table.indexRoots[column.leafIndex], word: try ListWord.bytes(of: value), key)
        table.changes.insert(.indexes)
    }

    /// An object's list lost `value`: withdraws the word with its last occurrence.
    func listLost(_ value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        guard table.hasIndex(column.key) else { return }
        let left = Set(try words(key, column, of: table).map(ListWord.storedBytes))
        let word = ListWord.storedBytes(of: value)
        guard !left.contains(word) else { return }
        try store.wordIndexErase(&table.indexRoots[column.leafIndex], word: word, key) { left.contains($0) }
        table.changes.insert(.indexes)
    }

    private func words(_ key: ObjectKey, _ column: Column, of table: Table) throws -> [StoredValue] {
        try table.list(column.key, of: key).values()
    }
}

/// The words of a list-of-strings index (content 9.5).
enum ListWord {
    /// The word of a value that is about to be stored; longer ones than the index can hold are refused.
    static func bytes(of value: StoredValue) throws -> [UInt8]? {
        let word = storedBytes(of: value)
        guard word.map({ $0.count <= FileFormat.maximumWordByteCount }) ?? true else {
            throw StorageError(.limitExceeded, "a string of more than 200 bytes cannot be in an indexed list")
        }
        return word
    }

    /// The word of a value that is stored; nil for null.
    static func storedBytes(of value: StoredValue) -> [UInt8]? {
        if case .string(let text) = value { Array(text.utf8) } else { nil }
    }
}
