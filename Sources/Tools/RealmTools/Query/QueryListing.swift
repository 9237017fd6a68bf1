// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

package struct QueryListing {
    let table: Table
    let keys: [ObjectKey]
    let output: TextOutput
    var progress: Progress?

    private let reader: ObjectReader
    private let text: ValueText

    package init(
        table: Table, keys: [ObjectKey], source: any TableSource, budget: ReadBudget, output: TextOutput
    ) {
        self.table = table
        self.keys = keys
        self.output = output
        reader = ObjectReader(source, budget: budget)
        text = ValueText(source, isPlain: true)
    }

    package func writeJSON() throws {
        try output.write("[")
        var isFirst = true
        try forEach { values in
            var json = JSONText()
            json.raw(isFirst ? "\n{" : ",\n{")
            isFirst = false
            try text.writeMembers(values, of: table, &json)
            json.raw("}")
            try output.write(json.bytes)
        }
        try output.write(isFirst ? "]\n" : "\n]\n")
    }

    /// Writes CSV as in RFC 4180, but with LF line ends.
    package func writeCSV() throws {
        try output.writeLine(table.publicColumns.map { CSVField.text($0.name) }.joined(separator: ","))
        try forEach { values in
            let fields = try zip(table.publicColumns, values).map {
                CSVField.text(try text.cell($1, of: $0) ?? "")
            }
            try output.writeLine(fields.joined(separator: ","))
        }
    }

    func writeTable() throws {
        let columns = Array(table.publicColumns)
        var lines = TextTable(columns.map { $0.isNumeric ? .right : .left })
        lines.add(columns.map { QueryListing.cell($0.name) })
        try forEach { values in
            lines.add(try zip(columns, values).map { QueryListing.cell(try text.cell($1, of: $0) ?? "") })
        }
        for line in lines.lines { try output.writeLine(line) }
        try output.writeLine(keys.count.counted("object"))
    }

    private static let widest = 60

    private static func cell(_ text: String) -> String {
        text.count > widest ? String(text.prefix(widest - 1)).printable + "…" : text.printable
    }

    private func forEach(_ body: ([DetachedValue]) throws -> Void) throws {
        for key in keys {
            guard let position = try table.find(key) else { continue }
            try body(try reader.values(of: table, at: position))
            progress?.advance()
        }
    }
}
