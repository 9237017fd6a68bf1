// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Table {
    package func indexKind(_ column: Column) -> IndexKind? {
        guard hasIndex(column.key) else { return nil }
        return column.isFullTextIndexed ? .fullText : .general
    }

    package func typeName(_ column: Column, _ source: any TableSource) -> String {
        let names: [ColumnType: String] = [
            .int: "int", .bool: "bool", .string: "string", .binary: "data", .timestamp: "date", .float: "float",
            .double: "double", .mixed: "mixed", .objectId: "object id", .decimal: "decimal128", .uuid: "uuid",
        ]
        var name = names[column.type] ?? "object"
        if column.type == .link {
            let target = try? source.table(oppositeTables[column.leafIndex])
            name = target?.className ?? ""
        } else if column.key.isNullable {
            name += "?"
        }
        if column.key.isList { return "array<\(name)>" }
        if column.key.isSet { return "set<\(name)>" }
        if column.key.isDictionary { return "dictionary<string, \(name)>" }
        return column.type == .link ? "<\(name)>" : name
    }
}
