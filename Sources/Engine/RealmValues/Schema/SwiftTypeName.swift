// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The Swift type of a property (content 11.5).
package struct SwiftTypeName: Sendable {
    package let className: @Sendable (String) -> String
    /// Adds the module to names that the schema's own classes hide.
    package let qualified: @Sendable (_ module: String, _ name: String) -> String

    package static let plain = SwiftTypeName(className: { $0 }, qualified: { $1 })

    /// Returns nil for a property that RealmSwift can't declare.
    package func callAsFunction(_ property: PropertyDescription) -> String? {
        guard let element = element(property) else { return nil }
        switch property.collection {
        case nil: return element
        case .list: return qualified("RealmSwift", "List") + "<\(element)>"
        case .set: return qualified("RealmSwift", "MutableSet") + "<\(element)>"
        case .dictionary:
            guard property.keyType == .string else { return nil }
            return qualified("RealmSwift", "Map") + "<\(qualified("Swift", "String")), \(element)>"
        }
    }

    private func element(_ property: PropertyDescription) -> String? {
        if property.type == .link {
            guard let target = property.targetClass else { return nil }
            let isOptional = property.collection == nil || property.collection == .dictionary
            return className(target) + (isOptional ? "?" : "")
        }
        guard let name = value(property.type) else { return nil }
        return name + (property.isOptional && property.type != .mixed ? "?" : "")
    }

    private func value(_ type: ColumnType) -> String? {
        switch type {
        case .int: qualified("Swift", "Int")
        case .bool: qualified("Swift", "Bool")
        case .string: qualified("Swift", "String")
        case .float: qualified("Swift", "Float")
        case .double: qualified("Swift", "Double")
        case .binary: qualified("Foundation", "Data")
        case .timestamp: qualified("Foundation", "Date")
        case .uuid: qualified("Foundation", "UUID")
        case .mixed: qualified("RealmSwift", "AnyRealmValue")
        case .decimal: qualified("RealmSwift", "Decimal128")
        case .objectId: qualified("RealmSwift", "ObjectId")
        case .link, .linkList, .backlink, .typedLink, .list, .set, .dictionary: nil
        }
    }
}
