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
    package var typeName: String { type == .typedLink ? ColumnType.link.dumpName : type?.dumpName ?? "null" }
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

extension IndexKind {
    var dumpName: String {
        switch self {
        case .general: "general"
        case .fullText: "fulltext"
        }
    }
}
