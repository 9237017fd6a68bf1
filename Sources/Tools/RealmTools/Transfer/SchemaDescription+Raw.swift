// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// Parses the output of `SchemaDescription.json`.
extension SchemaDescription {
    init(raw: ForeignValue) throws {
        guard case .array(let tables) = raw else { throw TransferError("'$schema' isn't an array of classes") }
        self.init(tables: try tables.map { try TableDescription(raw: $0) })
    }
}

extension TableDescription {
    fileprivate init(raw: ForeignValue) throws {
        guard let className = raw["class"]?.textValue, case .array(let properties)? = raw["properties"] else {
            throw TransferError("'$schema' has a class without a name or properties")
        }
        let kinds: [String: TableKind] = ["topLevel": .topLevel, "embedded": .embedded, "asymmetric": .asymmetric]
        guard let kind = kinds[raw["kind"]?.textValue ?? "topLevel"] else {
            throw TransferError("'$schema': '\(className)' is of an unknown kind")
        }
        self.init(className: className, kind: kind, properties: try properties.map { try PropertyDescription(raw: $0) })
    }
}

extension PropertyDescription {
    fileprivate init(raw: ForeignValue) throws {
        guard let name = raw["name"]?.textValue, let typeName = raw["type"]?.textValue,
            let type = ColumnType.allCases.first(where: { $0.dumpName == typeName })
        else { throw TransferError("'$schema' has a property without a name or a known type") }
        self.init(
            name: name, type: type, isOptional: raw["optional"]?.boolValue ?? false,
            collection: raw["collection"]?.textValue.flatMap(Collection.init),
            isPrimaryKey: raw["primaryKey"]?.boolValue ?? false,
            index: [IndexKind.general, .fullText].first { $0.dumpName == raw["index"]?.textValue },
            targetClass: raw["target"]?.textValue)
    }
}

extension ForeignValue {
    subscript(name: String) -> ForeignValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var textValue: String? { if case .string(let text) = self { text } else { nil } }
    var boolValue: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}
