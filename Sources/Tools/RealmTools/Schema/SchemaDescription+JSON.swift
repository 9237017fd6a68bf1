// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The output of `realm schema` as JSON, and the classes in the output of `realm export`.
extension SchemaDescription {
    var json: JSONText {
        var json = JSONText()
        json.array(tables) { $0.raw($1.json) }
        return json
    }
}

extension TableDescription {
    var json: JSONText {
        JSONText.object { json in
            json.member(className == nil ? "table" : "class")
            json.string(className ?? name)
            json.member("kind", kind.dumpName)
            json.member("properties", properties) { $0.raw($1.json) }
        }
    }
}

extension PropertyDescription {
    var json: JSONText {
        JSONText.object { json in
            json.member("name", name)
            json.member("type", type.dumpName)
            json.member("optional", isOptional)
            if let collection { json.member("collection"); json.string(collection.name) }
            if let keyType, keyType != .string { json.member("keyType"); json.string(keyType.dumpName) }
            if isPrimaryKey { json.member("primaryKey", true) }
            if let index { json.member("index"); json.string(index.name) }
            if targetTable != nil { json.member("target"); json.string(targetClass ?? targetTable) }
        }
    }
}

extension PropertyDescription.Collection {
    var name: String {
        switch self {
        case .list: "list"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}

extension PropertyDescription.Index {
    var name: String {
        switch self {
        case .general: "general"
        case .fullText: "fulltext"
        }
    }
}
