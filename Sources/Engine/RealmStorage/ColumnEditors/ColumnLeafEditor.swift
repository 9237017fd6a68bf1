// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes column leaves of any kind (content 6). `LeafKind` defines the encoding of values.
///
/// A value of the wrong type is `invalidArgument`, one that is too large is `limitExceeded`; both leave the leaf
/// unchanged. The caller checks whether null is allowed. A row beyond the leaf's is corruption, because rows follow
/// from the keys of the cluster. The caller stores the new value of `ref`.
package struct ColumnLeafEditor {
    let store: NodeStore
    let kind: LeafKind

    @inline(__always)
    package init(_ store: NodeStore, _ kind: LeafKind) {
        self.store = store
        self.kind = kind
    }

    @inline(__always) var space: NodeSpace { store.space }

    /// A leaf of `count` equal values, with the header that content appendix A requires, even for an empty leaf.
    package func create(count: Int, default value: StoredValue) throws -> Ref {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            // Rows must not share a tree, because each node has one owner.
            precondition(count <= 1 || !kind.holdsRefs || value == .null)
            let elements = count == 0 ? [] : [Int64](repeating: try kind.element(for: value), count: count)
            return try PackedLeafEditor(store, kind).create(elements)
        case .optionalInt:
            return try OptionalIntLeafEditor(store).create(repeatElement(kind.optionalInt(value), count: count))
        case .float, .double:
            return unsafe try kind.withElement(value) {
                try unsafe FixedWidthLeafEditor(store, width: $0.count).create(count: count, element: $0)
            }
        case .string, .binary:
            return try unsafe kind.withBytes(value) {
                try unsafe BytesLeafEditor(store, $0).create(count: count, value: $1)
            }
        case .timestamp: return try TimestampLeafEditor(store).create(count: count, value: kind.timestamp(value))
        case .objectId, .uuid:
            let (type, bytes) = try kind.identifier(value)
            return try IdentifierLeafEditor(store, type).create(Array(repeating: bytes, count: count))
        case .decimal: return try DecimalLeafEditor(store).create(Array(repeating: kind.decimal(value), count: count))
        case .mixed: return try MixedLeafEditor(store).create(count: count, value: value)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    package func insert(_ ref: inout Ref, at row: Int, _ value: StoredValue) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try PackedLeafEditor(store, kind).insert(&ref, at: row, kind.element(for: value))
        case .optionalInt: try OptionalIntLeafEditor(store).insert(&ref, at: row, kind.optionalInt(value))
        case .float, .double:
            unsafe try kind.withElement(value) {
                try unsafe FixedWidthLeafEditor(store, width: $0.count).insert(&ref, at: row, $0)
            }
        case .string, .binary:
            try unsafe kind.withBytes(value) { try unsafe BytesLeafEditor(store, $0).insert(&ref, at: row, $1) }
        case .timestamp: try TimestampLeafEditor(store).insert(&ref, at: row, kind.timestamp(value))
        case .objectId, .uuid:
            let (type, bytes) = try kind.identifier(value)
            try IdentifierLeafEditor(store, type).insert(&ref, at: row, bytes)
        case .decimal: try DecimalLeafEditor(store).insert(&ref, at: row, kind.decimal(value))
        case .mixed: try MixedLeafEditor(store).insert(&ref, at: row, value)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    func insert(_ ref: inout Ref, at row: Int, contentsOf values: ArraySlice<StoredValue>) throws {
        if kind.isPacked {
            try PackedLeafEditor(store, kind).insert(
                &ref, at: row, contentsOf: values.map { try kind.element(for: $0) })
        } else {
            for (offset, value) in values.enumerated() { try insert(&ref, at: row + offset, value) }
        }
    }

    /// Frees the nodes that the old value owned.
    ///
    /// A collection or backlink cell keeps its tree when it's set to the same root. In Mixed, a nested collection with
    /// the same type and key as before is the same collection with a new root, and nothing is freed; a collection that
    /// replaces it must therefore have another key.
    package func set(_ ref: inout Ref, at row: Int, _ value: StoredValue) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try PackedLeafEditor(store, kind).replace(&ref, at: row, kind.element(for: value))
        case .optionalInt: try OptionalIntLeafEditor(store).set(&ref, at: row, kind.optionalInt(value))
        case .float, .double:
            unsafe try kind.withElement(value) {
                try unsafe FixedWidthLeafEditor(store, width: $0.count).set(&ref, at: row, $0)
            }
        case .string, .binary:
            try unsafe kind.withBytes(value) { try unsafe BytesLeafEditor(store, $0).set(&ref, at: row, $1) }
        case .timestamp: try TimestampLeafEditor(store).set(&ref, at: row, kind.timestamp(value))
        case .objectId, .uuid:
            let (type, bytes) = try kind.identifier(value)
            try IdentifierLeafEditor(store, type).set(&ref, at: row, bytes)
        case .decimal: try DecimalLeafEditor(store).set(&ref, at: row, kind.decimal(value))
        case .mixed: try MixedLeafEditor(store).set(&ref, at: row, value)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// Also frees the nodes that the row owns: blobs, payload entries, collections, backlink lists.
    package func erase(_ ref: inout Ref, at row: Int) throws {
        try erase(&ref, range: row..<row + 1)
    }

    package func erase(_ ref: inout Ref, range: Range<Int>) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try PackedLeafEditor(store, kind).erase(&ref, range)
        case .optionalInt: try OptionalIntLeafEditor(store).erase(&ref, range)
        case .float: try FixedWidthLeafEditor(store, width: 4).erase(&ref, range)
        case .double: try FixedWidthLeafEditor(store, width: 8).erase(&ref, range)
        case .string: try BytesLeafEditor(store, .string).erase(&ref, range)
        case .binary: try BytesLeafEditor(store, .binary).erase(&ref, range)
        case .timestamp: try TimestampLeafEditor(store).erase(&ref, range)
        case .objectId: try IdentifierLeafEditor(store, .objectId).erase(&ref, range)
        case .uuid: try IdentifierLeafEditor(store, .uuid).erase(&ref, range)
        case .decimal: try DecimalLeafEditor(store).erase(&ref, range)
        case .mixed: try MixedLeafEditor(store).erase(&ref, range)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// The nodes that the rows own move with them. None is copied or freed.
    package func moveSuffix(_ ref: inout Ref, from row: Int) throws -> Ref {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try PackedLeafEditor(store, kind).moveSuffix(&ref, from: row)
        case .optionalInt: try OptionalIntLeafEditor(store).moveSuffix(&ref, from: row)
        case .float: try FixedWidthLeafEditor(store, width: 4).moveSuffix(&ref, from: row)
        case .double: try FixedWidthLeafEditor(store, width: 8).moveSuffix(&ref, from: row)
        case .string: try BytesLeafEditor(store, .string).moveSuffix(&ref, from: row)
        case .binary: try BytesLeafEditor(store, .binary).moveSuffix(&ref, from: row)
        case .timestamp: try TimestampLeafEditor(store).moveSuffix(&ref, from: row)
        case .objectId: try IdentifierLeafEditor(store, .objectId).moveSuffix(&ref, from: row)
        case .uuid: try IdentifierLeafEditor(store, .uuid).moveSuffix(&ref, from: row)
        case .decimal: try DecimalLeafEditor(store).moveSuffix(&ref, from: row)
        case .mixed: try MixedLeafEditor(store).moveSuffix(&ref, from: row)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// The nodes that the rows own move with them. Frees the nodes of `other` itself.
    package func append(_ ref: inout Ref, contentsOf other: Ref) throws {
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink:
            try PackedLeafEditor(store, kind).append(&ref, contentsOf: other)
        case .optionalInt: try OptionalIntLeafEditor(store).append(&ref, contentsOf: other)
        case .float: try FixedWidthLeafEditor(store, width: 4).append(&ref, contentsOf: other)
        case .double: try FixedWidthLeafEditor(store, width: 8).append(&ref, contentsOf: other)
        case .string: try BytesLeafEditor(store, .string).append(&ref, contentsOf: other)
        case .binary: try BytesLeafEditor(store, .binary).append(&ref, contentsOf: other)
        case .timestamp: try TimestampLeafEditor(store).append(&ref, contentsOf: other)
        case .objectId: try IdentifierLeafEditor(store, .objectId).append(&ref, contentsOf: other)
        case .uuid: try IdentifierLeafEditor(store, .uuid).append(&ref, contentsOf: other)
        case .decimal: try DecimalLeafEditor(store).append(&ref, contentsOf: other)
        case .mixed: try MixedLeafEditor(store).append(&ref, contentsOf: other)
        case .typedLink: throw LeafKind.readOnly
        }
    }

    /// Replaces the element of a leaf of collections or backlinks, or in Mixed the root of a row's nested collection.
    /// Frees nothing: the old tree either became the new one, or the caller frees it.
    package func setRaw(_ ref: inout Ref, at row: Int, _ element: Int64) throws {
        if kind == .mixed { return try MixedLeafEditor(store).setRoot(&ref, at: row, element) }
        precondition(kind.holdsRefs)
        try PackedLeafEditor(store, kind).set(&ref, at: row, element)
    }
}
