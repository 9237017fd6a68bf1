// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The content of a file of formats 2 to 9, as dumped by the original engine, in the form of our format.
///
/// It applies the rules of the specification to the dump (older 9, 10), independently of the code under test.
package struct OlderExpectation {
    private typealias Object = [String: Any]

    private struct Column {
        let name: String
        let type: String
        let isNullable: Bool
        let isIndexed: Bool
        let target: String
        let columns: [Column]

        init(_ object: Object) {
            name = object["name"] as? String ?? ""
            type = object["type"] as? String ?? ""
            isNullable = (object["nullable"] as? Bool) ?? false
            isIndexed = (object["index"] as? Bool) ?? false
            target = object["target"] as? String ?? ""
            columns = (object["columns"] as? [Object] ?? []).map(Column.init)
        }

        var elements: Column? {
            type == "table" && columns.count == 1 && columns[0].type != "table" ? columns[0] : nil
        }
        /// Such a list is dumped as one, if it has the name that the SDKs use.
        var isWrittenAsList: Bool { columns.count == 1 && columns[0].name == "!ARRAY_VALUE" }
    }

    private let tables: [Object]
    private let primaryKeys: [(table: String, property: Any)]

    package static func lines(of file: OlderFile) throws -> [String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file.jsonPath))
        guard let dump = try JSONSerialization.jsonObject(with: data) as? Object,
            let tables = dump["tables"] as? [Object]
        else { throw Failure("\(file.jsonPath) is no dump") }
        return try OlderExpectation(tables).lines()
    }

    private init(_ tables: [Object]) {
        let pk = tables.first { $0["name"] as? String == "pk" }
        let names = (pk?["columns"] as? [Object] ?? []).compactMap { $0["name"] as? String }
        let isList = Set(names) == ["pk_table", "pk_property"]
        self.tables = tables.filter { !isList || $0["name"] as? String != "pk" }
        let rows = isList ? pk?["rows"] as? [[Any]] ?? [] : []
        primaryKeys = rows.compactMap { row in
            guard let table = row[names.firstIndex(of: "pk_table") ?? 0] as? String else { return nil }
            let property = row[names.firstIndex(of: "pk_property") ?? 0]
            return (table.hasPrefix("class_") ? table : "class_" + table, property)
        }
    }

    private func lines() throws -> [String] { try tables.flatMap { try lines(of: $0) } }

    private func lines(of table: Object) throws -> [String] {
        let name = table["name"] as? String ?? ""
        var columns = (table["columns"] as? [Object] ?? []).map(Column.init)
        guard var rows = table["rows"] as? [[Any]] else { throw Failure("the dump of \(name) has no rows") }
        let primary = primaryKeys.last { $0.table == name }.flatMap { key in
            columns.firstIndex { $0.name == key.property as? String } ?? key.property as? Int
        }.map { columns[$0].name }
        if columns.first?.name == "!OID" {
            columns.removeFirst()
            rows = rows.map { Array($0.dropFirst()) }
        }
        let cells = try rows.map { row in try zip(columns, row).map { try text($1, $0) } }
        let place = primary.flatMap { name in columns.firstIndex { $0.name == name } }
        let isKey = place.map { place in Set(cells.map { $0[place] }).count == cells.count } ?? false
        let names = Self.distinct(columns.map(\.name))
        var lines = ["\(name) \(rows.count) \(isKey ? primary ?? "-" : "-")"]
        for (index, column) in columns.enumerated() {
            let isIndexed = column.isIndexed || isKey && index == place
            lines.append("\(names[index]): \(type(of: column))" + (isIndexed ? " indexed" : ""))
        }
        for (index, row) in cells.enumerated() { lines.append("\(index): " + row.joined(separator: " | ")) }
        return lines
    }

    private static func distinct(_ names: [String]) -> [String] {
        var result: [String] = []
        for (index, name) in names.enumerated() {
            let new = name.isEmpty ? "col_\(index)" : name
            result.append(result.contains(new) ? "\(new)_\(index)" : new)
        }
        return result
    }

    private func type(of column: Column) -> String {
        let optional = column.isNullable && column.type != "mixed" ? "?" : ""
        switch column.type {
        case "data": return "binary" + optional
        case "date", "oldDate": return "timestamp" + optional
        case "link": return "link to \(column.target)"
        case "linkList": return "list of link to \(column.target)"
        case "table":
            if let elements = column.elements {
                let type = type(of: elements)
                return "list of " + type + (column.isNullable && !type.hasSuffix("?") ? "?" : "")
            }
            let names = Self.distinct(column.columns.map(\.name))
            return "rows of (" + zip(names, column.columns).map { "\($0): \(type(of: $1))" }.joined(separator: ", ")
                + ")"
        default: return column.type + optional
        }
    }

    // MARK: Values

    private func text(_ value: Any, _ column: Column) throws -> String {
        if column.type == "table" { return "[" + (try elements(value, column)).joined(separator: ", ") + "]" }
        if value is NSNull { return "null" }
        switch column.type {
        case "mixed": return try mixed(value)
        case "linkList": return "[" + (value as? [Int] ?? []).map { "@\($0)" }.joined(separator: ", ") + "]"
        case "float", "double": return try float(value, column)
        default: return try scalar(value, column.type)
        }
    }

    private func elements(_ value: Any, _ column: Column) throws -> [String] {
        let rows = value as? [Any] ?? []
        if let elements = column.elements {
            return try rows.map { row in
                try text(column.isWrittenAsList ? row : (row as? [Any])?.first ?? NSNull(), elements)
            }
        }
        return try rows.map { row in
            "(" + (try zip(column.columns, row as? [Any] ?? []).map { try text($1, $0) }).joined(separator: ", ") + ")"
        }
    }

    private func scalar(_ value: Any, _ type: String) throws -> String {
        switch (type, value) {
        case ("int", let number as NSNumber): return String(number.int64Value)
        case ("bool", let bool as NSNumber): return String(bool.boolValue)
        case ("string", let text as String): return OlderText.string(text.utf8)
        case ("string", let object as Object): return "s" + (object["bytes"] as? String ?? "")
        case ("data", let text as String): return "d" + text
        case ("date", let pair as [NSNumber]), ("oldDate", let pair as [NSNumber]):
            return OlderText.date(pair[0].int64Value, pair[1].int64Value)
        case ("link", let number as NSNumber): return "@\(number.int64Value)"
        default: throw Failure("a \(type) is written down as \(value)")
        }
    }

    /// The null of optional columns is a NaN, like others in required ones, which our format can't represent.
    private func float(_ value: Any, _ column: Column) throws -> String {
        guard let bits = (value as? [Any])?.first as? String else { throw Failure("a number without bits: \(value)") }
        if !column.isNullable, bits == "7fc000aa" { return "f7fc00000" }
        if !column.isNullable, bits == "7ff80000000000aa" { return "f7ff8000000000000" }
        return "f" + bits
    }

    private func mixed(_ value: Any) throws -> String {
        guard let (type, value) = (value as? Object)?.first else { throw Failure("a mixed value of no type") }
        switch type {
        case "float", "double": return "f" + ((value as? [Any])?.first as? String ?? "")
        case "table": return try table(value as? Object ?? [:])
        default: return try scalar(value, type)
        }
    }

    private func table(_ table: Object) throws -> String {
        let columns = (table["columns"] as? [Object] ?? []).map(Column.init)
        let rows = try (table["rows"] as? [[Any]] ?? []).map { row in
            let entries = try zip(columns, row).map { (OlderText.string($0.name.utf8), try text($1, $0)) }
            return "{" + entries.sorted { $0.0 < $1.0 }.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
        }
        return "[" + rows.joined(separator: ", ") + "]"
    }
}
