// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The output of `realm schema --swift` and `realm-server schema --swift`: model classes that compile against
/// RealmSwift and match the file (content 11.5).
package struct SwiftModels {
    private let tables: [TableDescription]
    /// The Swift name of each class, by its name in the file.
    private let classNames: [String: String]
    private let typeName: SwiftTypeName

    package init(_ schema: SchemaDescription) {
        tables = schema.tables
        let names = SwiftModels.classNames(schema.tables.compactMap(\.className))
        let hiding = Set(names.values)
        classNames = names
        typeName = SwiftTypeName(
            className: { SwiftIdentifier.spelled(names[$0] ?? $0) },
            qualified: { hiding.contains($1) ? $0 + "." + $1 : $1 })
    }

    package var lines: [String] {
        let needsNothing = tables.allSatisfy { $0.className == nil }
        let parts =
            [needsNothing ? ["// No classes."] : ["import Foundation", "import RealmSwift"]] + tables.map(lines)
        return Array(parts.joined(separator: [""]))
    }

    /// Valid names are unchanged, in any order; the others are replaced.
    private static func classNames(_ names: [String]) -> [String: String] {
        var taken = Set(names).union(SwiftIdentifier.special)
        var result: [String: String] = [:]
        for name in names {
            let others = taken.subtracting(SwiftIdentifier.special.contains(name) ? [] : [name])
            let identifier = SwiftIdentifier.make(name, taken: others)
            taken.insert(identifier)
            result[name] = identifier
        }
        return result
    }

    private func lines(_ table: TableDescription) -> [String] {
        guard let name = table.className, let identifier = classNames[name] else {
            return ["// The table \(SwiftIdentifier.literal(table.name)) isn't a class."]
        }
        let properties = SwiftProperties(table.properties, typeName)
        let head = "class \(SwiftIdentifier.spelled(identifier)): \(baseClass(table.kind)) {"
        let members = [properties.declarations, objectName(name, identifier), properties.mapping].filter { !$0.isEmpty }
        return [head] + members.joined(separator: [""]).map { $0.isEmpty ? "" : "    " + $0 } + ["}"]
    }

    private func baseClass(_ kind: TableKind) -> String {
        let name =
            switch kind {
            case .topLevel: "Object"
            case .embedded: "EmbeddedObject"
            case .asymmetric: "AsymmetricObject"
            }
        return typeName.qualified("RealmSwift", name)
    }

    private func objectName(_ name: String, _ identifier: String) -> [String] {
        guard name != identifier else { return [] }
        let type = typeName.qualified("Swift", "String")
        return ["override class func _realmObjectName() -> \(type)? { \(SwiftIdentifier.literal(name)) }"]
    }
}

private struct SwiftProperties {
    private let properties: [PropertyDescription]
    private let typeName: SwiftTypeName
    private var identifiers: [String] = []

    init(_ properties: [PropertyDescription], _ typeName: SwiftTypeName) {
        self.properties = properties
        self.typeName = typeName
        let forbidden = SwiftIdentifier.special.union(SwiftIdentifier.inherited)
        var taken = Set(properties.map(\.name)).union(forbidden)
        for property in properties {
            let others = forbidden.contains(property.name) ? taken : taken.subtracting([property.name])
            // A property wrapper adds a stored property with a leading underscore.
            let stored = others.filter { $0.hasPrefix("_") }.map { String($0.dropFirst()) }
            let identifier = SwiftIdentifier.make(property.name, taken: others.union(stored))
            taken.formUnion([identifier, "_" + identifier])
            identifiers.append(identifier)
        }
    }

    var declarations: [String] {
        zip(properties, identifiers).flatMap { property, identifier in declaration(property, identifier) }
    }

    private func declaration(_ property: PropertyDescription, _ identifier: String) -> [String] {
        let name = SwiftIdentifier.spelled(identifier)
        guard let type = typeName(property) else {
            return ["// \(SwiftIdentifier.literal(property.name)) is of a type that Swift models cannot declare."]
        }
        let isIndexed = property.index == .general && property.collection == nil && property.type != .mixed
        let isFullText = property.index == .fullText && property.collection == nil
        let attribute =
            property.isPrimaryKey
            ? "(primaryKey: true)" : isFullText ? "(fullText: true)" : isIndexed ? "(indexed: true)" : ""
        let declaration = "@\(typeName.qualified("RealmSwift", "Persisted"))\(attribute) var \(name): \(type)"
        let lost = property.index != nil && !isIndexed && !isFullText && !property.isPrimaryKey
        let comment = ["// The file has an index here, which Swift models cannot declare."]
        return (lost ? comment : []) + [declaration]
    }

    var mapping: [String] {
        let renamed = zip(properties, identifiers).filter { property, identifier in
            typeName(property) != nil && property.name != identifier
        }
        guard !renamed.isEmpty else { return [] }
        let string = typeName.qualified("Swift", "String")
        let entries = renamed.map {
            "        \(SwiftIdentifier.literal($0.1)): \(SwiftIdentifier.literal($0.0.name)),"
        }
        return ["override class func propertiesMapping() -> [\(string): \(string)] {", "    ["] + entries + [
            "    ]", "}",
        ]
    }
}
