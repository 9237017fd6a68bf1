// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A table of formats 2 to 9 during its conversion: one of the file, or the subtables of a column of tables.
final class RowTable {
    let name: String
    let kind: TableKind
    /// The columns that are converted, as defined in the file.
    let columns: [RowColumn]
    /// The roots of the trees of each column: one for a table of the file, otherwise one for each subtable.
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
    /// The key in the converted file.
    var key = TableKey.null
    var enumKeys: [Int: RowConverter.EnumKeys] = [:]

    init(name: String, kind: TableKind, columns: [RowColumn], roots: [[Ref]], rowCount: Int) {
        self.name = name
        self.kind = kind
        self.columns = columns
        self.roots = roots
        self.rowCount = rowCount
    }

    /// The column's key in the converted file. Its index is its leaf index.
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

/// The tables in the rows of one column, combined into one table of embedded objects.
struct RowSubtables {
    let table: RowTable
    /// The rows that have subtables, and the number of their rows, in the order of `table`.
    var counts: [(row: Int, count: Int)] = []
    /// The number of rows of the column, including empty ones.
    var rowCount = 0
}
