// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads a column leaf: the values of one column in one cluster leaf, or one leaf of a collection's B+tree.
///
/// Opening it validates the headers of its nodes. The data after them is validated as it's read, so hostile bytes cause
/// a thrown error. It is a borrowed view like `Node`.
///
/// It is small, and mostly optimised away where a leaf is opened for one value. Nodes below the root are opened by the
/// reads of rows.
@frozen @usableFromInline
package struct ColumnLeaf {
    @usableFromInline package let space: NodeSpace
    /// The leaf's root. For most kinds it has the elements, and scans may read them directly.
    @usableFromInline package let node: Node
    @usableFromInline package let kind: LeafKind
    @usableFromInline package let count: Int

    @inlinable package init(_ space: NodeSpace, _ ref: Ref, _ kind: LeafKind) throws {
        try self.init(space, space.node(ref), kind)
    }

    @inlinable init(_ space: NodeSpace, _ node: Node, _ kind: LeafKind) throws {
        self.space = space
        self.kind = kind
        self.node = node
        switch kind {
        case .int, .bool, .link, .key: count = try node.plain().count
        case .optionalInt: count = try node.plain().count - 1
        case .float: count = try node.fixed(width: 4).count
        case .double: count = try node.fixed(width: 8).count
        default: count = try ColumnLeaf.rows(space, node, kind)
        }
        guard count >= 0 else { throw ColumnLeaf.wrongNode(node.ref) }
    }

    package init(_ mixed: MixedLeaf) {
        (space, node, kind, count) = (mixed.space, mixed.root, .mixed, mixed.count)
    }

    /// Validates the nodes of the kinds that `init` doesn't cover, and returns the number of rows.
    @usableFromInline static func rows(_ space: NodeSpace, _ root: Node, _ kind: LeafKind) throws -> Int {
        switch kind {
        case .string: try BytesLeaf(space, root, .string).count
        case .binary: try BytesLeaf(space, root, .binary).count
        case .enumeratedString: try root.plain().count
        case .timestamp: try TimestampLeaf(space, root).count
        case .decimal: try DecimalLeaf(root).count
        case .objectId: try IdentifierLeaf(root, .objectId).count
        case .uuid: try IdentifierLeaf(root, .uuid).count
        case .mixed: try MixedLeaf(space, root).count
        case .collection, .backlink: try root.packedRefs().count
        case .typedLink: try root.plain().count / 2
        case .int, .bool, .link, .key, .optionalInt, .float, .double: preconditionFailure("a kind of init")
        }
    }

    /// Links keep unresolved keys. A collection of any kind is `.list(root, key: 0)`, or null if it was never changed.
    /// A backlink cell is null, `.link` for a single origin, or `.list(root, key: 0)` for several.
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
        case .string, .binary, .enumeratedString: try storedBytes(at: row).isNull
        case .timestamp: try timestamp(at: row) == nil
        case .decimal: try decimal(at: row) == nil
        case .objectId: try identifiers(.objectId).isNull(at: row)
        case .uuid: try identifiers(.uuid).isNull(at: row)
        case .typedLink: try typedLink(at: row) == nil
        case .mixed: try mixed.isNull(at: row)
        }
    }

    @usableFromInline @inline(never) static func wrongNode(_ ref: Ref) -> any Error {
        StorageError.corrupt("a node of another kind than its column's; the file is damaged", at: ref)
    }

    @usableFromInline @inline(never) static func noRow(_ ref: Ref) -> any Error {
        StorageError.corrupt("a column with fewer values than there are objects; the file is damaged", at: ref)
    }
}

extension Node {
    @inlinable func plain() throws -> Node {
        guard isPlain else { throw ColumnLeaf.wrongNode(ref) }
        return self
    }

    /// Scheme `bits`, neither inner nor with refs.
    @inlinable package var isPlain: Bool { header.isPlain }

    func packedRefs() throws -> Node {
        guard isPackedRefs else { throw ColumnLeaf.wrongNode(ref) }
        return self
    }

    /// Scheme `bits`, with refs, not inner.
    var isPackedRefs: Bool { header.bits & 0xD800_0000 == 0x4000_0000 }

    /// An empty node may have any width.
    @inlinable func fixed(width: Int) throws -> Node {
        let isRight = header.schemeCode == 1 && self.width == width
        guard isRight || count == 0, !header.hasRefs else { throw ColumnLeaf.wrongNode(ref) }
        return self
    }
}
