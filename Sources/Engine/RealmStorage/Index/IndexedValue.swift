// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value in an index: its index data, and its order within a list.
///
/// A string that isn't valid UTF-8 can't be a `StoredValue` without changing its bytes, which determine its position in
/// the index. Such a string is represented here by its bytes.
package struct IndexedValue {
    package let data: IndexData
    private let content: Content

    private enum Content {
        case value(StoredValue)
        case string([UInt8])
    }

    package init(_ value: StoredValue) {
        data = IndexData(value)
        content = .value(value)
    }

    package init(stringBytes: [UInt8]) {
        data = IndexData(stringBytes: stringBytes)
        content = .string(stringBytes)
    }

    /// Returns −1, 0 or 1 if `a` is below, equal to or above `b` (content 8.4).
    static func compare(_ a: IndexedValue, _ b: IndexedValue) -> Int {
        switch (a.content, b.content) {
        case (.value(let a), .value(let b)): StoredValue.compare(a, b)
        case (.string(let a), .string(let b)): ByteOrder.compare(a, b)
        case (.string(let a), .value(let b)): compare(a, b)
        case (.value(let a), .string(let b)): -compare(b, a)
        }
    }

    private static func compare(_ bytes: [UInt8], _ value: StoredValue) -> Int {
        if case .string(let text) = value { return ByteOrder.compare(bytes, Array(text.utf8)) }
        return StoredValue.compare(.string(""), value)
    }
}
