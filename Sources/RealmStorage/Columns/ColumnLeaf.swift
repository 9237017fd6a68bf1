// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Read access to a column leaf: the values of one column in one cluster leaf, or one leaf of a collection's B+tree.
///
/// Opening it checks the headers of its nodes; what lies behind them is checked as it is read, so that hostile bytes
/// give a thrown error. It is a borrowed view like `Node`.
@usableFromInline
package struct ColumnLeaf {
    package let space: NodeSpace
    @usableFromInline package let kind: LeafKind
    /// The number of rows.
    @usableFromInline package let count: Int
    /// The leaf's root; for most kinds the node that has the elements, which scans may read directly.
    @usableFromInline package let node: Node
    /// What is behind the root of leaves that consist of several nodes.
    let parts: Parts

    enum Parts {
        case none
        case bytes(BytesLeaf)
        case timestamps(TimestampLeaf)
        case mixed(MixedLeaf)
    }

    package init(_ space: NodeSpace, _ ref: Ref, _ kind: LeafKind) throws {
        let root = try space.node(ref)
        self.space = space
        self.kind = kind
        node = root
        guard !root.header.isInner else { throw ColumnLeaf.wrongNode(ref) }
        var parts = Parts.none
        switch kind {
        case .int, .bool, .link, .key:
            count = try root.plain().count
        case .optionalInt:
            count = try OptionalIntLeaf(root).count
        case .collection, .backlink:
            count = try space.refs(ref).count
        case .typedLink:
            count = try root.plain().count / 2
        case .float:
            count = try root.fixed(width: 4).count
        case .double:
            count = try root.fixed(width: 8).count
        case .decimal:
            count = try DecimalLeaf(root).count
        case .objectId:
            count = try IdentifierLeaf(root, .objectId).count
        case .uuid:
            count = try IdentifierLeaf(root, .uuid).count
        case .enumeratedString(let keys):
            count = try root.plain().count
            parts = .bytes(try BytesLeaf(space, keys, .string))
        case .string, .binary:
            let bytes = try BytesLeaf(space, root, kind == .string ? .string : .binary)
            count = bytes.count
            parts = .bytes(bytes)
        case .timestamp:
            let timestamps = try TimestampLeaf(space, root)
            count = timestamps.count
            parts = .timestamps(timestamps)
        case .mixed:
            let mixed = try MixedLeaf(space, root)
            count = mixed.count
            parts = .mixed(mixed)
        }
        self.parts = parts
    }

    /// The value of any kind of leaf.
    ///
    /// Links keep unresolved keys. A collection is `.list(root, key: 0)` whatever it is, or null where it was never
    /// touched. A backlink cell is null, `.link` for a single origin, or `.list(root, key: 0)` for several.
    package func value(at row: Int) throws -> StoredValue {
        switch kind {
        case .int, .bool, .link, .key, .collection, .backlink: try kind.value(of: element(row), at: node.ref)
        case .optionalInt: try optionalInt(at: row).map { .int($0) } ?? .null
        case .float: try float(at: row).map { .float($0) } ?? .null
        case .double: try double(at: row).map { .double($0) } ?? .null
        case .string, .enumeratedString: try string(at: row).map { .string($0) } ?? .null
        case .binary: try binary(at: row).map { .binary($0) } ?? .null
        case .timestamp: try timestamp(at: row).map { .timestamp($0) } ?? .null
        case .decimal: try decimal(at: row).map { .decimal($0) } ?? .null
        case .objectId: try objectId(at: row).map { .objectId($0) } ?? .null
        case .uuid: try uuid(at: row).map { .uuid($0) } ?? .null
        case .typedLink: try typedLink(at: row).map { .typedLink($0) } ?? .null
        case .mixed: try mixed.value(at: row)
        }
    }

    package func isNull(at row: Int) throws -> Bool {
        switch kind {
        case .int: false
        case .bool: try element(row) == PackedElement.nullBool
        case .optionalInt: try optionalInt(at: row) == nil
        case .float: try float(at: row) == nil
        case .double: try double(at: row) == nil
        case .link, .collection, .backlink: try element(row) == 0
        case .key: try element(row) == -1
        case .string, .binary, .enumeratedString: try bytes.isNull(at: byteRow(row))
        case .timestamp: try timestamp(at: row) == nil
        case .decimal: try decimal(at: row) == nil
        case .objectId: try IdentifierLeaf(node, .objectId).isNull(at: row)
        case .uuid: try IdentifierLeaf(node, .uuid).isNull(at: row)
        case .typedLink: try typedLink(at: row) == nil
        case .mixed: try mixed.value(at: row).isNull
        }
    }

    @usableFromInline @inline(never) static func wrongNode(_ ref: Ref) -> StorageError {
        .corrupt("a node of another kind than its column's; the file is damaged", at: ref)
    }

    @usableFromInline @inline(never) static func noRow(_ ref: Ref) -> StorageError {
        .corrupt("a column with fewer values than there are objects; the file is damaged", at: ref)
    }
}

extension Node {
    /// The node itself, after the check that its elements are packed integers and no refs.
    func plain() throws -> Node {
        guard header.schemeCode == NodeScheme.bits.rawValue, !header.hasRefs, !header.isInner else {
            throw ColumnLeaf.wrongNode(ref)
        }
        return self
    }

    /// The node itself, after the check that its elements have `width` whole bytes. An empty node may have any width.
    func fixed(width: Int) throws -> Node {
        guard count == 0 || header.schemeCode == NodeScheme.bytes.rawValue && self.width == width,
            !header.hasRefs
        else { throw ColumnLeaf.wrongNode(ref) }
        return self
    }
}
