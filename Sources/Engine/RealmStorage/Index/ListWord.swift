// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The words of a list-of-strings index (content 9.5).
enum ListWord {
    /// Returns the word of a value that is about to be stored. Throws if it's too long for the index.
    static func bytes(of value: StoredValue) throws -> [UInt8]? {
        let word = storedBytes(of: value)
        guard word.map({ $0.count <= FileFormat.maximumWordByteCount }) ?? true else {
            throw StorageError(.limitExceeded, "a string of more than 200 bytes cannot be in an indexed list")
        }
        return word
    }

    /// Nil represents null.
    static func storedBytes(of value: StoredValue) -> [UInt8]? {
        if case .string(let text) = value { Array(text.utf8) } else { nil }
    }
}
