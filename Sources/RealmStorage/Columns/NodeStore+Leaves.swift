// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Write access to column leaves, by kind (content 6). `LeafKind` says what each kind of value becomes.
///
/// A wrong type of value is `invalidArgument`, one that is too large `limitExceeded`; both leave the leaf as it was.
/// Whether null is allowed is the caller's to check. A row beyond the leaf's is corruption, because rows follow from
/// the keys of the cluster. As everywhere, `ref` becomes the new ref, for the caller to store.
extension NodeStore {
    /// A leaf of `count` equal values, with the header that content appendix A asks for also when it is empty.
    package func createLeaf(_ kind: LeafKind, count: Int, default value: StoredValue) throws -> Ref {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            // Nothing may be in two places, so rows cannot share a tree.
            precondition(count <= 1 || !kind.holdsRefs || value == .null)
            let elements = count == 0 ? [] : [Int64](repeating: try kind.element(for: value), count: count)
            return try createPacked(kind, elements)
        case .optionalInt: return try createOptionalInts(repeatElement(kind.optionalInt(value), count: count))
        case .float, .double:
            return unsafe try kind.withElement(value) {
                try unsafe createFixed(width: $0.count, count: count, element: $0)
            }
        case .string, .binary:
            return try unsafe kind.withBytes(value) { try unsafe createBytes($0, count: count, value: $1) }
        case .timestamp: return try createTimestamps(count: count, value: kind.timestamp(value))
        case .objectId, .uuid:
            let (type, bytes) = try kind.identifier(value)
            return try createIdentifiers(type, Array(repeating: bytes, count: count))
        case .decimal: return try createDecimals(Array(repeating: kind.decimal(value), count: count))
        case .mixed: return try createMixed(count: count, value: value)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    package func leafInsert(_ ref: inout Ref, _ kind: LeafKind, at row: Int, _ value: StoredValue) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try packedInsert(&ref, kind, at: row, kind.element(for: value))
        case .optionalInt: try optionalIntInsert(&ref, at: row, kind.optionalInt(value))
        case .float, .double:
            unsafe try kind.withElement(value) { try unsafe fixedInsert(&ref, width: $0.count, at: row, $0) }
        case .string, .binary:
            try unsafe kind.withBytes(value) { try unsafe bytesInsert(&ref, $0, at: row, $1) }
        case .timestamp: try timestampInsert(&ref, at: row, kind.timestamp(value))
        case .objectId, .uuid:
            let (type, bytes) = try kind.identifier(value)
            try identifierInsert(&ref, type, at: row, bytes)
        case .decimal: try decimalInsert(&ref, at: row, kind.decimal(value))
        case .mixed: try mixedInsert(&ref, at: row, value)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// Inserts values one behind the other.
    func leafInsert(
        _ ref: inout Ref, _ kind: LeafKind, at row: Int, contentsOf values: ArraySlice<StoredValue>
    ) throws {
        if kind.isPacked {
            try packedInsert(&ref, kind, at: row, contentsOf: values.map { try kind.element(for: $0) })
        } else {
            for (offset, value) in values.enumerated() { try leafInsert(&ref, kind, at: row + offset, value) }
        }
    }

    /// Replaces a value and frees what the old one owned.
    ///
    /// A collection or backlink cell that is set to the root it already has keeps its tree. In Mixed, a nested
    /// collection of the same type and with the same key as before is the same collection with a new root, and nothing
    /// is freed; one that takes its place must therefore have another key.
    package func leafSet(_ ref: inout Ref, _ kind: LeafKind, at row: Int, _ value: StoredValue) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try packedReplace(&ref, kind, at: row, kind.element(for: value))
        case .optionalInt: try optionalIntSet(&ref, at: row, kind.optionalInt(value))
        case .float, .double:
            unsafe try kind.withElement(value) { try unsafe fixedSet(&ref, width: $0.count, at: row, $0) }
        case .string, .binary:
            try unsafe kind.withBytes(value) { try unsafe bytesSet(&ref, $0, at: row, $1) }
        case .timestamp: try timestampSet(&ref, at: row, kind.timestamp(value))
        case .objectId, .uuid:
            let (type, bytes) = try kind.identifier(value)
            try identifierSet(&ref, type, at: row, bytes)
        case .decimal: try decimalSet(&ref, at: row, kind.decimal(value))
        case .mixed: try mixedSet(&ref, at: row, value)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// Erases a row and frees what it owned: blobs, payload entries, collections, backlink lists.
    package func leafErase(_ ref: inout Ref, _ kind: LeafKind, at row: Int) throws {
        try leafErase(&ref, kind, range: row..<row + 1)
    }

    package func leafErase(_ ref: inout Ref, _ kind: LeafKind, range: Range<Int>) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink: try packedErase(&ref, kind, range)
        case .optionalInt: try optionalIntErase(&ref, range)
        case .float: try fixedErase(&ref, width: 4, range)
        case .double: try fixedErase(&ref, width: 8, range)
        case .string: try bytesErase(&ref, .string, range)
        case .binary: try bytesErase(&ref, .binary, range)
        case .timestamp: try timestampErase(&ref, range)
        case .objectId: try identifierErase(&ref, .objectId, range)
        case .uuid: try identifierErase(&ref, .uuid, range)
        case .decimal: try decimalErase(&ref, range)
        case .mixed: try mixedErase(&ref, range)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// Takes the rows from `row` on out of the leaf and returns a new leaf with them.
    ///
    /// What the rows own moves with them; nothing is copied deep or freed.
    package func leafMoveSuffix(_ ref: inout Ref, _ kind: LeafKind, from row: Int) throws -> Ref {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try packedMoveSuffix(&ref, kind, from: row)
        case .optionalInt: try optionalIntMoveSuffix(&ref, from: row)
        case .float: try fixedMoveSuffix(&ref, width: 4, from: row)
        case .double: try fixedMoveSuffix(&ref, width: 8, from: row)
        case .string: try bytesMoveSuffix(&ref, .string, from: row)
        case .binary: try bytesMoveSuffix(&ref, .binary, from: row)
        case .timestamp: try timestampMoveSuffix(&ref, from: row)
        case .objectId: try identifierMoveSuffix(&ref, .objectId, from: row)
        case .uuid: try identifierMoveSuffix(&ref, .uuid, from: row)
        case .decimal: try decimalMoveSuffix(&ref, from: row)
        case .mixed: try mixedMoveSuffix(&ref, from: row)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// Moves all rows of `other` to the end of the leaf. `other` is used up: its own nodes are freed, what its rows
    /// own moves.
    package func leafAppend(_ ref: inout Ref, _ kind: LeafKind, contentsOf other: Ref) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try packedAppend(&ref, kind, contentsOf: other)
        case .optionalInt: try optionalIntAppend(&ref, contentsOf: other)
        case .float: try fixedAppend(&ref, width: 4, contentsOf: other)
        case .double: try fixedAppend(&ref, width: 8, contentsOf: other)
        case .string: try bytesAppend(&ref, .string, contentsOf: other)
        case .binary: try bytesAppend(&ref, .binary, contentsOf: other)
        case .timestamp: try timestampAppend(&ref, contentsOf: other)
        case .objectId: try identifierAppend(&ref, .objectId, contentsOf: other)
        case .uuid: try identifierAppend(&ref, .uuid, contentsOf: other)
        case .decimal: try decimalAppend(&ref, contentsOf: other)
        case .mixed: try mixedAppend(&ref, contentsOf: other)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    // MARK: Raw elements

    /// Replaces the element of a leaf of collections or backlinks, or in Mixed the root of a row's nested collection,
    /// and frees nothing: the tree that was there has become the new one, or is the caller's to free.
    package func leafSetRaw(_ ref: inout Ref, _ kind: LeafKind, at row: Int, _ element: Int64) throws {
        if kind == .mixed { return try mixedSetRoot(&ref, at: row, element) }
        precondition(kind.holdsRefs)
        try packedSet(&ref, kind, at: row, element)
    }
}
