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
            try store.indexInsert(&table.indexRoots[index], value, key) { try filedValue(column, of: $0, in: table) }
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
            try store.indexErase(&table.indexRoots[index], value, key) { try filedValue(column, of: $0, in: table) }
        }
        table.changes.insert(.indexes)
    }

    private func tokens(of value: StoredValue) -> Set<[UInt8]> {
        if case .string(let text) = value { FullTextTokenizer.tokens(of: text.utf8) } else { [] }
    }

    private func filedValue(_ column: Column, of key: ObjectKey, in table: Table) throws -> StoredValue {
        try table.indexedValue(column, of: key) ?? .null
    }

    /// One more object's list holds `value`: enters the word if it was not in that list yet.
    func listGained(_ value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        guard table.hasIndex(column.key) else { return }
        let word = try ListWord.bytes(of: value)
        let occurrences = try occurrences(of: value, key, column, of: table)
        guard occurrences == 1 else { return }
        try store.wordIndexInsert(&table.indexRoots[column.leafIndex], word: word, key)
        table.changes.insert(.indexes)
    }

    /// An object's list lost `value`: withdraws the word with its last occurrence.
    func listLost(_ value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table) throws {
        guard table.hasIndex(column.key), try occurrences(of: value, key, column, of: table) == 0 else { return }
        try store.wordIndexErase(
            &table.indexRoots[column.leafIndex], word: try ListWord.bytes(of: value), key)
        table.changes.insert(.indexes)
    }

    private func occurrences(
        of value: StoredValue, _ key: ObjectKey, _ column: Column, of table: Table
    ) throws -> Int {
        try table.list(column.key, of: key).values().count { $0 == value }
    }
}

/// The words of a list-of-strings index (content 9.5).
enum ListWord {
    /// nil for null; longer words than the index can hold are refused.
    static func bytes(of value: StoredValue) throws -> [UInt8]? {
        guard case .string(let text) = value else { return nil }
        guard text.utf8.count <= FileFormat.maximumWordByteCount else {
            throw StorageError(.limitExceeded, "a string of more than 200 bytes cannot be in an indexed list")
        }
        return Array(text.utf8)
    }
}
