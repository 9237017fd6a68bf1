// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// Writes an export as one JSON object, with an array for each class and one object per line.
final class JSONExport: ExportWriter {
    private let output: TextOutput
    private let text: ValueText
    private let isLines: Bool
    private var json = JSONText()
    private var isFirst = true

    init(_ output: TextOutput, _ snapshot: Snapshot, isLines: Bool) {
        self.output = output
        text = ValueText(snapshot)
        self.isLines = isLines
    }

    func begin(_ schema: SchemaDescription) throws {
        try output.write("{\"$schema\":")
        try output.write(schema.json.bytes)
        if isLines { try output.write("}\n") }
    }

    func begin(_ table: Table) throws {
        isFirst = true
        guard !isLines else { return }
        var name = JSONText()
        name.string(table.className)
        try output.write(",\n")
        try output.write(name.bytes)
        try output.write(":[")
    }

    func write(_ key: ObjectKey, _ values: [DetachedValue], of table: Table) throws {
        json.clear()
        json.raw(isLines ? "{" : isFirst ? "\n{" : ",\n{")
        isFirst = false
        if isLines {
            json.member("$class", table.className)
        }
        if table.primaryKey == nil {
            json.member("$key", key.rawValue)
        }
        try text.writeMembers(values, of: table, &json)
        json.raw(isLines ? "}\n" : "}")
        try output.write(json.bytes)
    }

    func end(_ table: Table) throws {
        if !isLines { try output.write("]") }
    }

    func end() throws {
        if !isLines { try output.write("\n}\n") }
    }
}
