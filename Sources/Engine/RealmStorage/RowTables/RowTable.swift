// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A table of formats 2 to 9 on its way into ours: one of the file, or that of the rows of a column of tables.
final class RowTable {
    let name: String
    let kind: TableKind
    /// The columns that our format has too, as defined in the file.
    let columns: [RowColumn]
    /// The roots of the trees of each column: one for a table of the file, one for each subtable of others.
    var roots: [[Ref]]
    var rowCount: Int
    /// The subtables of the columns of tables, by column.
    var subtables: [Int: RowSubtables] = [:]
    /// The links of the columns of links and of tables, by column.
    var links: [Int: RowLinks] = [:]
    /// Links from other tables and from this one, in the order of their columns.
    var backlinks: [RowLinks] = []
    /// The index of the column in `columns`.
    var primaryKey: Int?
    /// The key in our file.
    var key = TableKey.null
    /// The lists of distinct strings, by column.
    var enumKeys: [Int: RowConverter.EnumKeys] = [:]

    init(name: String, kind: TableKind, columns: [RowColumn], roots: [[Ref]], rowCount: Int) {
        self.name = name
        self.kind = kind
        self.columns = columns
        self.roots = roots
        self.rowCount = rowCount
    }

    /// The column's key in our file. Its place is its leaf index.
    func columnKey(_ index: Int) -> ColumnKey {
        let column = columns[index]
        var type = ColumnType.link
        var attributes: ColumnAttributes = []
        switch column.type {
        case .link: attributes = .nullable
        case .linkList: attributes = .list
        case .table:
            attributes = .list
            if let elements = column.elements {
                type = elements.type.valueType ?? .mixed
                if column.isNullable || elements.isNullable || type == .mixed { attributes.insert(.nullable) }
            }
        default:
            type = column.type.valueType ?? .mixed
            if column.isNullable || type == .mixed { attributes.insert(.nullable) }
        }
        return ColumnKey(leafIndex: index, type: type, attributes: attributes, tag: key.rawValue)
    }

    func backlinkKey(_ index: Int) -> ColumnKey {
        ColumnKey(leafIndex: columns.count + index, type: .backlink, attributes: [], tag: key.rawValue)
    }
}

/// The tables that the rows of one column hold, all of them as one table of embedded objects.
struct RowSubtables {
    let table: RowTable
    /// The rows that have any, and how many. They follow one another in `table`.
    var counts: [(row: Int, count: Int)] = []
    /// Rows of the column, with empty ones.
    var rowCount = 0
}
