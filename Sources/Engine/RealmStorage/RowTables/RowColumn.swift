// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A column of a table of formats 2 to 9, as defined by its spec (older 3).
struct RowColumn {
    /// The name in the file. It may be empty, or equal that of another column.
    let name: String
    let type: RowType
    let isIndexed: Bool
    /// Whether the elements of a list of primitives may be null.
    let isNullable: Bool
    /// The index in the array of columns, which also contains search indexes.
    let position: Int
    /// The number of the links' target table.
    let target: Int
    let enumKeys: Ref
    /// The columns of the tables inside the rows.
    let subcolumns: [RowColumn]

    /// The only column of a list of primitives; nil for other columns (older 5.9).
    var elements: RowColumn? {
        guard type == .table, subcolumns.count == 1, let only = subcolumns.first, only.type.valueType != nil else {
            return nil
        }
        return only
    }

    /// Whether the rows contain tables that aren't lists of primitives.
    var holdsRows: Bool { type == .table && elements == nil }

    func leafKind(isNullable: Bool, enumKeys: Ref = 0) -> LeafKind {
        switch type {
        case .int: isNullable ? .optionalInt : .int
        case .bool: .bool
        case .string: .string
        case .enumerated: enumKeys == 0 ? .string : .enumeratedString(keys: enumKeys)
        case .binary: .binary
        case .mixed: .mixed
        case .oldDate, .timestamp: .timestamp
        case .float: .float
        case .double: .double
        case .link: .link
        case .table, .linkList: .collection
        case .backlink: .backlink
        }
    }
}
