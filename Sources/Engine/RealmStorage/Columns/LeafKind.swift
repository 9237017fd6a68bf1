// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The layout of a column leaf, or of one leaf of a collection's B+tree (content 6, 7.2).
@frozen @usableFromInline
package enum LeafKind: Equatable, Sendable {
    case int
    case optionalInt
    case bool
    case float
    case double
    case string
    /// Indices into the column's list of distinct strings, the string leaf at `keys` (content 4.5).
    case enumeratedString(keys: Ref)
    case binary
    case timestamp
    case decimal
    case objectId
    case uuid
    /// A column of single links: object key + 1 (content 6.12).
    case link
    /// The elements of lists and sets of links and of backlink lists: plain object keys (content 7.4).
    case key
    case mixed
    /// A List, Set, or Dictionary column: one ref per row (content 6.15).
    case collection
    /// One ref or tagged object key per row (content 6.16).
    case backlink
    /// Two numbers per row. Read-only, because no release creates such columns (content 6.13).
    case typedLink

    /// `enumKeys` is 0 unless the column is enumerated. Throws if `column` isn't a possible column.
    package init(column: ColumnKey, enumKeys: Ref) throws {
        guard let type = column.type, let kind = LeafKind(type: type, isNullable: column.isNullable) else {
            throw LeafKind.impossible(column)
        }
        if column.isCollection {
            guard type != .backlink else { throw LeafKind.impossible(column) }
            self = .collection
        } else if enumKeys != 0 {
            guard type == .string else { throw LeafKind.impossible(column) }
            self = .enumeratedString(keys: enumKeys)
        } else {
            self = kind
        }
    }

    /// The kind of the B+tree leaves of a list or set column, or of the values of a dictionary column.
    ///
    /// Impossible columns are rejected by `init(column:enumKeys:)`; here they are read as Mixed.
    package init(elementsOf column: ColumnKey) {
        guard let type = column.type, !column.isDictionary else {
            self = .mixed
            return
        }
        self = type == .link ? .key : LeafKind(type: type, isNullable: column.isNullable) ?? .mixed
    }

    private init?(type: ColumnType, isNullable: Bool) {
        switch type {
        case .int: self = isNullable ? .optionalInt : .int
        case .bool: self = .bool
        case .string: self = .string
        case .binary: self = .binary
        case .mixed: self = .mixed
        case .timestamp: self = .timestamp
        case .float: self = .float
        case .double: self = .double
        case .decimal: self = .decimal
        case .link: self = .link
        case .backlink: self = .backlink
        case .objectId: self = .objectId
        case .typedLink: self = .typedLink
        case .uuid: self = .uuid
        case .linkList, .list, .set, .dictionary: return nil
        }
    }

    @inline(never) private static func impossible(_ column: ColumnKey) -> any Error {
        StorageError(.invalidDatabase, "the \(column) has an impossible type; the file is damaged")
    }

    /// Whether the leaf is one node, with a packed integer for each row.
    @inlinable var isPacked: Bool {
        switch self {
        case .int, .bool, .link, .key, .enumeratedString, .collection, .backlink: true
        default: false
        }
    }

    /// Whether a row is a ref, 0, or possibly a tagged integer.
    var holdsRefs: Bool {
        switch self {
        case .collection, .backlink: true
        default: false
        }
    }
}
