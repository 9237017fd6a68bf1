// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `realm schema` for reading.
struct SchemaListing {
    private let schema: SchemaDescription

    init(_ schema: SchemaDescription) { self.schema = schema }

    var lines: [String] {
        Array(schema.tables.map(SchemaListing.lines).joined(separator: [""]))
    }

    private static func lines(_ table: TableDescription) -> [String] {
        var properties = TextTable([.left, .left, .left], indent: "    ")
        for property in table.properties {
            properties.add([
                property.name.printable, SwiftTypeName.plain(property)?.printable ?? unnamed(property), notes(property),
            ])
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

    /// A type that Swift models cannot declare.
    private static func unnamed(_ property: PropertyDescription) -> String {
        var text = property.type == .link ? (property.targetTable ?? "link").printable : property.type.dumpName
        if property.isOptional { text += "?" }
        switch property.collection {
        case nil: return text
        case .list: return "List<\(text)>"
        case .set: return "MutableSet<\(text)>"
        case .dictionary: return "Map<\(property.keyType?.dumpName ?? "?"), \(text)>"
        }
    }

    private static func notes(_ property: PropertyDescription) -> String {
        if property.isPrimaryKey { return "primary key" }
        switch property.index {
        case nil: return ""
        case .general: return "indexed"
        case .fullText: return "full-text index"
        }
    }
}
