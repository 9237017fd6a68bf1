// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmValues

/// The argument of `--map` for a field: `FIELD[=PROPERTY][:TYPE[?]]`.
struct FieldMapping: ExpressibleByArgument, Sendable {
    let field: String
    /// Empty if the field is omitted.
    let property: String
    /// nil if it's inferred. `target` is the class of a link.
    let type: ColumnType?
    let target: String?
    let isOptional: Bool

    init?(argument: String) {
        var names = argument[...]
        var typeText: Substring?
        if let colon = argument.lastIndex(of: ":") {
            names = argument[..<colon]
            typeText = argument[argument.index(after: colon)...]
        }
        let parts = names.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        field = String(parts[0])
        property = String(parts.count > 1 ? parts[1] : parts[0])
        isOptional = typeText?.hasSuffix("?") ?? false
        guard let text = typeText?.prefix(while: { $0 != "?" }) else {
            (type, target) = (nil, nil)
            return
        }
        if text.first?.isUppercase == true {
            (type, target) = (.link, String(text))
        } else {
            guard let type = FieldMapping.types.first(where: { $0.dumpName == text }) else { return nil }
            (self.type, target) = (type, nil)
        }
    }

    private static let types: [ColumnType] = [
        .int, .bool, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .objectId, .uuid,
    ]
}

extension SchemaDescription {
    func mapped(_ mappings: [FieldMapping]) -> SchemaDescription {
        guard !mappings.isEmpty else { return self }
        let byField = Dictionary(mappings.map { (ByteText($0.field), $0) }) { first, _ in first }
        return SchemaDescription(
            tables: tables.map { table in
                guard table.kind != .embedded else { return table }
                return TableDescription(
                    className: table.className ?? table.name, kind: table.kind,
                    properties: table.properties.compactMap { property in
                        let mapping = byField[ByteText(ValueText.escaped(property.name))]
                        return mapping.map { $0.property.isEmpty ? nil : property.mapped($0) } ?? property
                    })
            }, notes: notes)
    }
}

extension PropertyDescription {
    fileprivate func mapped(_ mapping: FieldMapping) -> PropertyDescription {
        guard let type = mapping.type else {
            return PropertyDescription(
                name: mapping.property, type: self.type, isOptional: isOptional, collection: collection,
                isPrimaryKey: isPrimaryKey, index: index, targetClass: targetClass)
        }
        return PropertyDescription(
            name: mapping.property, type: type,
            isOptional: mapping.isOptional || type == .link || type == .mixed,
            isPrimaryKey: isPrimaryKey && type.canBePrimaryKey, targetClass: mapping.target)
    }
}
