// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The text of a property's value in a line of output. Of a collection, it has the first elements and the count.
package enum ValueSummary {
    private static let maxElements = 20

    package static func text(_ column: Column, of table: Table, at position: ClusterTree.Position) throws -> String {
        guard column.key.isCollection, let collection = try table.collection(column, at: position) else {
            return text(try table.value(column, at: position))
        }
        let shown = try collection.prefix(maxElements)
        let elements = shown.map { ($0.key.map { "\($0): " } ?? "") + text($0.value) }.joined(separator: ", ")
        let rest = shown.count < collection.count ? ", … \(collection.count)" : ""
        return "[" + (collection.dictionary != nil && shown.isEmpty ? ":" : elements) + rest + "]"
    }

    private static func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "nil"
        case .string(let text): text.debugDescription
        case .binary(let data): "\(data.count) bytes"
        case .link(let object): "#\(object.rawValue)"
        case .typedLink(let link): "#\(link.object.rawValue)"
        case .list: "a list"
        case .dictionary: "a dictionary"
        default: ValueText.plain(value)
        }
    }
}
