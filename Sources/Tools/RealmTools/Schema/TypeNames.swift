// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The names of types in the dump format.
extension ColumnType {
    package var dumpName: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .binary: "data"
        case .mixed: "mixed"
        case .timestamp: "date"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal"
        case .link: "link"
        case .linkList: "linkList"
        case .backlink: "backlink"
        case .objectId: "objectId"
        case .typedLink: "typedLink"
        case .uuid: "uuid"
        case .list: "list"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}

extension StoredValue {
    package var typeName: String {
        switch self {
        case .null: "null"
        case .int: ColumnType.int.dumpName
        case .bool: ColumnType.bool.dumpName
        case .float: ColumnType.float.dumpName
        case .double: ColumnType.double.dumpName
        case .string: ColumnType.string.dumpName
        case .binary: ColumnType.binary.dumpName
        case .timestamp: ColumnType.timestamp.dumpName
        case .decimal: ColumnType.decimal.dumpName
        case .objectId: ColumnType.objectId.dumpName
        case .uuid: ColumnType.uuid.dumpName
        case .link, .typedLink: ColumnType.link.dumpName
        case .list: ColumnType.list.dumpName
        case .dictionary: ColumnType.dictionary.dumpName
        }
    }
}

extension TableKind {
    package var dumpName: String {
        switch self {
        case .topLevel: "topLevel"
        case .embedded: "embedded"
        case .asymmetric: "asymmetric"
        }
    }
}
