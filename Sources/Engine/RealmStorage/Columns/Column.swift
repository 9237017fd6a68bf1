// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A live column of a table, as its spec describes it (content 4).
package struct Column: Sendable {
    package let key: ColumnKey
    /// Empty for a backlink column.
    package var name: String
    /// All attribute bits, including those that the key leaves out.
    package var attributes: ColumnAttributes
    /// The type element's upper bits: the key type of a dictionary; nil for other columns.
    package let dictionaryKeyType: ColumnType?
    /// The element of the type array, which upgraded files keep in an obsolete form (content 4.1).
    let typeElement: Int64
    /// The key list of an enumerated string column, or 0 (content 4.5).
    package var enumKeys: Ref
    /// The layout of its column leaves.
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
    /// Whether single values of this column can be links: to-one links and Mixed.
    package var holdsLinks: Bool { type == .link || type == .mixed }

    /// The value of a new object in this column (content 10.2).
    package var defaultValue: StoredValue {
        key.isCollection || isBacklink || key.isNullable ? .null : Column.defaultValue(type)
    }

    /// The initial value of a required property of this type.
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
