// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Type codes of columns and of values in Mixed (content 4.2).
@frozen @usableFromInline
package enum ColumnType: UInt8, Sendable, CaseIterable {
    case int = 0
    case bool = 1
    case string = 2
    case binary = 4
    case mixed = 6
    case timestamp = 8
    case float = 9
    case double = 10
    case decimal = 11
    case link = 12
    /// The obsolete code of a list of links. Upgraded files keep it in the spec's type array (content 4.1).
    case linkList = 13
    case backlink = 14
    case objectId = 15
    case typedLink = 16
    case uuid = 17
    case list = 19
    case set = 20
    case dictionary = 21

    /// Whether a single column of this type can have a search index (content 9).
    package var isIndexable: Bool {
        switch self {
        case .int, .bool, .string, .timestamp, .objectId, .uuid, .mixed: true
        default: false
        }
    }

    /// Whether a column of this type can be the primary key (content 11.1).
    package var canBePrimaryKey: Bool {
        switch self {
        case .int, .string, .objectId, .uuid: true
        default: false
        }
    }
}

/// Attribute bits of a column (content 4.3).
@frozen @usableFromInline
package struct ColumnAttributes: OptionSet, Hashable, Sendable {
    @usableFromInline package let rawValue: Int
    @inlinable package init(rawValue: Int) { self.rawValue = rawValue }

    package static let indexed = ColumnAttributes(rawValue: 1)
    package static let unique = ColumnAttributes(rawValue: 2)
    @inlinable package static var nullable: ColumnAttributes { ColumnAttributes(rawValue: 16) }
    @inlinable package static var list: ColumnAttributes { ColumnAttributes(rawValue: 32) }
    @inlinable package static var dictionary: ColumnAttributes { ColumnAttributes(rawValue: 64) }
    @inlinable package static var set: ColumnAttributes { ColumnAttributes(rawValue: 128) }
    package static let fullTextIndexed = ColumnAttributes(rawValue: 256)
    /// The bits that aren't part of a column key.
    package static let notInKey: ColumnAttributes = [.indexed, .unique, .fullTextIndexed]
}

/// The kind of a table's objects (content 3, slot 12).
package enum TableKind: Int, Sendable {
    case topLevel = 0
    case embedded = 1
    case asymmetric = 2
}
