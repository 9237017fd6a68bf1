// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

enum TypeNames {
    static func name(_ type: ColumnType) -> String {
        switch type {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .binary: "data"
        case .mixed: "mixed"
        case .timestamp: "date"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal128"
        case .link, .linkList, .typedLink: "object"
        case .backlink: "linking objects"
        case .objectId: "object id"
        case .uuid: "uuid"
        case .list, .set, .dictionary: "collection"
        }
    }

    static func name(_ column: Column) -> String {
        let element = name(column.type) + (column.key.isNullable && column.type != .link ? "?" : "")
        if column.key.isList { return "array<\(element)>" }
        if column.key.isSet { return "set<\(element)>" }
        if column.key.isDictionary { return "dictionary<string, \(element)>" }
        return name(column.type)
    }

    static func name(_ value: StoredValue) -> String { value.type.map { name($0) } ?? "null" }

    static func text(_ value: StoredValue) -> String {
        if case .string(let text) = value { text } else { value.literal }
    }
}
