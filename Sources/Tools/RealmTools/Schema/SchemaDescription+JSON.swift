// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

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
            json.member(className == nil ? "table" : "class", className ?? name)
            json.member("kind", kind.dumpName)
            json.member("properties", properties) { json, property in
                json.raw("{")
                property.write(&json)
                json.raw("}")
            }
        }
    }
}

extension PropertyDescription {
    /// Writes the members of the property's JSON object.
    package func write(_ json: inout JSONText) {
        json.member("name", name)
        json.member("type", type.dumpName)
        json.member("optional", isOptional)
        if let collection { json.member("collection", collection.rawValue) }
        if let keyType, keyType != .string { json.member("keyType", keyType.dumpName) }
        if isPrimaryKey { json.member("primaryKey", true) }
        if let index { json.member("index", index.dumpName) }
        if targetTable != nil { json.member("target", targetClass ?? targetTable) }
    }
}
