// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

struct SchemaListing {
    private let schema: SchemaDescription

    init(_ schema: SchemaDescription) { self.schema = schema }

    var lines: [String] {
        Array(schema.tables.map(SchemaListing.lines).joined(separator: [""]))
    }

    private static func lines(_ table: TableDescription) -> [String] {
        var properties = TextTable([.left, .left, .left], indent: "    ")
        for property in table.properties {
            properties.add([property.name.printable, property.typeText, property.note])
        }
        return [heading(table)] + properties.lines + table.origins.map { "    linked from " + $0.printable }
    }

    private static func heading(_ table: TableDescription) -> String {
        guard let name = table.className else { return "table " + table.name.printable }
        switch table.kind {
        case .topLevel: return "class " + name.printable
        case .embedded, .asymmetric: return "\(table.kind.words) class \(name.printable)"
        }
    }

}

extension PropertyDescription {
    var words: String { [typeText, note].filter { !$0.isEmpty }.joined(separator: ", ") }

    var typeText: String { SwiftTypeName.plain(self)?.printable ?? unnamed }

    private var unnamed: String {
        var text = type == .link ? (targetTable ?? "link").printable : type.dumpName
        if isOptional { text += "?" }
        switch collection {
        case nil: return text
        case .list: return "List<\(text)>"
        case .set: return "MutableSet<\(text)>"
        case .dictionary: return "Map<\(keyType?.dumpName ?? "?"), \(text)>"
        }
    }

    var note: String {
        if isPrimaryKey { return "primary key" }
        switch index {
        case nil: return ""
        case .general: return "indexed"
        case .fullText: return "full-text index"
        }
    }
}
