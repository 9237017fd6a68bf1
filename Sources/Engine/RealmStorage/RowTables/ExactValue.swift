// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An element of a collection that is rewritten, with strings as their stored bytes.
///
/// A `StoredValue` can't hold a string that isn't valid UTF-8, because the conversion changes it.
enum ExactValue {
    case text([UInt8])
    case other(StoredValue)

    /// Reads a row of a leaf of strings, binaries or Mixed. Throws for a nested collection, which is newer than these
    /// formats.
    init(_ leaf: ColumnLeaf, _ row: Int) throws {
        if leaf.kind == .string || leaf.kind == .mixed, let text = try leaf.text(at: row) {
            self = .text(text)
            return
        }
        let value = try leaf.value(at: row)
        switch value {
        case .list, .dictionary:
            throw StorageError.corrupt(
                "a collection in a collection, which this format does not have", at: leaf.node.ref)
        default: self = .other(value)
        }
    }

    /// The number of bytes of variable length, for a budget.
    var byteCount: Int {
        switch self {
        case .text(let bytes), .other(.binary(let bytes)): bytes.count
        case .other: 0
        }
    }

    /// The type's rank of content 8.4 for strings and binaries; nil for other values.
    var rankOfBytes: Int? {
        switch self {
        case .text: 2
        case .other(.binary): 3
        case .other: nil
        }
    }

    /// Whether a string or binary precedes another one: strings precede binaries, then bytes decide (content 8.2).
    static func precedes(_ a: ExactValue, _ b: ExactValue) -> Bool {
        switch (a, b) {
        case (.text(let a), .text(let b)), (.other(.binary(let a)), .other(.binary(let b))):
            ByteOrder.compare(a, b) < 0
        default: (a.rankOfBytes ?? 0) < (b.rankOfBytes ?? 0)
        }
    }
}
