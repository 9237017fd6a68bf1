// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Writes the properties of some objects.
package struct QueryListing {
    let table: Table
    let keys: [ObjectKey]
    let values: PlainValues
    let output: TextOutput
    var progress: Progress?

    package init(table: Table, keys: [ObjectKey], values: PlainValues, output: TextOutput) {
        self.table = table
        self.keys = keys
        self.values = values
        self.output = output
    }

    /// Writes an array with an object per line.
    package func writeJSON() throws {
        try output.write("[")
        var isFirst = true
        try forEach { position in
            var json = JSONText()
            json.raw(isFirst ? "\n{" : ",\n{")
            isFirst = false
            for column in table.publicColumns {
                json.member(column.name)
                try values.write(column, table, position, &json)
            }
            json.raw("}")
            try output.write(json.bytes)
        }
        try output.write(isFirst ? "]\n" : "\n]\n")
    }

    /// Writes CSV as in RFC 4180, but with LF line ends.
    package func writeCSV() throws {
        try output.writeLine(table.publicColumns.map { QueryListing.field($0.name) }.joined(separator: ","))
        try forEach { position in
            let fields = try table.publicColumns.map { QueryListing.field(try values.text($0, table, position)) }
            try output.writeLine(fields.joined(separator: ","))
        }
    }

    private static func field(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Writes aligned columns; long texts are truncated.
    func writeTable() throws {
        let columns = Array(table.publicColumns)
        var lines = TextTable(columns.map { QueryListing.isNumber($0) ? .right : .left })
        lines.add(columns.map { QueryListing.cell($0.name) })
        try forEach { position in
            lines.add(try columns.map { QueryListing.cell(try values.text($0, table, position)) })
        }
        for line in lines.lines { try output.writeLine(line) }
        try output.writeLine(keys.count.counted("object"))
    }

    private static func isNumber(_ column: Column) -> Bool {
        [.int, .float, .double, .decimal].contains(column.type) && !column.key.isCollection
    }

    private static let widest = 60

    private static func cell(_ text: String) -> String {
        text.count > widest ? String(text.prefix(widest - 1)).printable + "…" : text.printable
    }

    private func forEach(_ body: (ClusterTree.Position) throws -> Void) throws {
        for key in keys {
            guard let position = try table.find(key) else { continue }
            try body(position)
            progress?.advance()
        }
    }
}
