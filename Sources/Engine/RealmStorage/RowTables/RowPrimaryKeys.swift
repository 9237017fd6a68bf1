// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The primary key of each class, as stored by the SDKs in a separate table (older 9).
struct RowPrimaryKeys {
    private enum Property {
        case name(String)
        case column(Int)
    }

    private let properties: [(table: String, property: Property)]

    /// Returns nil if the table isn't one of the SDKs' lists of primary keys.
    init?(_ table: RowTable, _ converter: RowConverter) throws {
        guard table.name == RowFormat.Name.primaryKeys,
            let tables = table.columns.firstIndex(where: { $0.name == RowFormat.Name.primaryKeyTable }),
            let keys = table.columns.firstIndex(where: { $0.name == RowFormat.Name.primaryKeyProperty }),
            table.columns.count == 2, table.columns[tables].type == .string,
            table.rowCount <= FileFormat.maximumTableCount
        else { return nil }
        let names = try RowPrimaryKeys.strings(table, tables, converter)
        let found: [Property]
        switch table.columns[keys].type {
        case .string: found = try RowPrimaryKeys.strings(table, keys, converter).map { .name($0) }
        case .int:
            var numbers = RowInts(
                converter.reader, table.roots[keys][0], hasMarker: table.columns[keys].isNullable)
            var columns: [Property] = []
            while let number = try numbers.next() { columns.append(.column(Int(number.value))) }
            found = columns
        default: return nil
        }
        properties = zip(names, found).map {
            (($0.hasPrefix(FileFormat.classPrefix) ? "" : FileFormat.classPrefix) + $0, $1)
        }
    }

    private static func strings(_ table: RowTable, _ column: Int, _ converter: RowConverter) throws -> [String] {
        unsafe try converter.strings(below: table.roots[column][0], isNullable: false).map { bytes in
            unsafe String(decoding: bytes ?? RowConverter.empty, as: UTF8.self)
        }
    }

    /// Sets the primary keys of `tables`. Ignores rows without a matching table or column. `hidden` returns the number
    /// of omitted columns before a table's first one.
    func enter(into tables: [RowTable], hidden: (RowTable) -> Int) {
        let byName = Dictionary(tables.map { (ByteText($0.name), $0) }) { first, _ in first }
        for (name, property) in properties {
            guard let table = byName[ByteText(name)] else { continue }
            let index: Int? =
                switch property {
                case .name(let name): table.columns.firstIndex { $0.name.isIdentical(to: name) }
                case .column(let number): number - hidden(table)
                }
            guard let index, table.columns.indices.contains(index),
                table.columns[index].type.valueType?.canBePrimaryKey == true
            else { continue }
            table.primaryKey = index
        }
    }
}
