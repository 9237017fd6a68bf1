// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension PropertyType {
    /// Defined in content 11.5.
    var columnType: ColumnType {
        switch self {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .data: .binary
        case .date: .timestamp
        case .float: .float
        case .double: .double
        case .object: .link
        case .linkingObjects: .backlink
        case .any: .mixed
        case .objectId: .objectId
        case .decimal128: .decimal
        case .UUID: .uuid
        }
    }
}

extension ClassInfo: DeclaredClass {}

extension PropertyInfo: DeclaredProperty {
    var isOptional: Bool { shape.isOptional }

    var columnType: ColumnType { shape.type.columnType }

    var columnAttributes: ColumnAttributes {
        var attributes: ColumnAttributes =
            switch shape.collection {
            case .none: []
            case .list: .list
            case .set: .set
            case .dictionary: .dictionary
            }
        // A single link is always nullable, and so is one in a dictionary; lists and sets of links can't contain null
        // (content 11.1).
        let isNullableLink = shape.collection == .none || shape.collection == .dictionary
        if shape.type == .object ? isNullableLink : shape.isOptional { attributes.insert(.nullable) }
        return attributes
    }

    /// In the original's words: `int?`, `array<Dog>`.
    var typeName: String {
        let element =
            shape.type == .object ? "<\(objectClassName ?? "")>" : shape.type.name + (shape.isOptional ? "?" : "")
        switch shape.collection {
        case .none: return element
        case .list: return "array<\(objectClassName ?? element)>"
        case .set: return "set<\(objectClassName ?? element)>"
        case .dictionary: return "dictionary<string, \(objectClassName ?? element)>"
        }
    }
}
