// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A live column of a table, as decoded from the table's spec (content 4).
package struct Column: Sendable {
    package let key: ColumnKey
    /// Empty for a backlink column.
    package var name: String
    /// All attribute bits, including those that the key doesn't contain.
    package var attributes: ColumnAttributes
    /// The key type of a dictionary, from the upper bits of the type element; nil for other columns.
    package let dictionaryKeyType: ColumnType?
    /// The element of the type array. Upgraded files keep it in an obsolete form (content 4.1).
    let typeElement: Int64
    /// The list of strings of an enumerated column, or 0 (content 4.5).
    package var enumKeys: Ref
    package var leafKind: LeafKind

    package init(
        key: ColumnKey, name: String, attributes: ColumnAttributes, typeElement: Int64, enumKeys: Ref
    ) throws {
        self.key = key
        self.name = name
        self.attributes = attributes
        self.typeElement = typeElement
        dictionaryKeyType = key.isDictionary ? ColumnType(rawValue: UInt8(truncatingIfNeeded: typeElement >> 16)) : nil
        self.enumKeys = enumKeys
        leafKind = try LeafKind(column: key, enumKeys: enumKeys)
    }

    package var type: ColumnType { key.type ?? .int }
    package var leafIndex: Int { key.leafIndex }
    package var isBacklink: Bool { key.type == .backlink }
    package var isFullTextIndexed: Bool { attributes.contains(.fullTextIndexed) }
    package var holdsLinks: Bool { type == .link || type == .mixed }

    /// For a new object (content 10.2).
    package var defaultValue: StoredValue {
        key.isCollection || isBacklink || key.isNullable ? .null : Column.defaultValue(type)
    }

    static func defaultValue(_ type: ColumnType) -> StoredValue {
        switch type {
        case .int: return .int(0)
        case .bool: return .bool(false)
        case .string: return .string("")
        case .binary: return .binary([])
        case .timestamp: return .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
        case .float: return .float(0)
        case .double: return .double(0)
        case .decimal: return .decimal(.zero)
        case .objectId: return .objectId(ObjectIdBytes(high: 0, low: 0))
        case .uuid: return .uuid(UUIDBytes(high: 0, low: 0))
        default: return .null
        }
    }
}
