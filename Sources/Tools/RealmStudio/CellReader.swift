// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

/// Formats the properties of objects as cells of a table, truncated to a short length.
///
/// A cell is null, a text, or an object: `s` is its text, `n` its full size, `l` the table and the key of a linked
/// object, `t` the type of a mixed value.
struct CellReader {
    let source: any TableSource

    private static let (maxCharacters, maxDataBytes, maxElements) = (200, 24, 6)

    func write(_ column: Column, _ table: Table, _ position: ClusterTree.Position, _ json: inout JSONText) throws {
        let target = column.type == .link ? table.oppositeTables[column.leafIndex] : TableKey.null
        guard column.key.isCollection else {
            return try write(try table.value(column, at: position), target, isMixed: column.type == .mixed, &json)
        }
        guard let collection = try table.collection(column, at: position) else { return json.null() }
        try write(collection, target, &json)
    }

    // MARK: Collections

    private func write(
        _ collection: StoredCollection, _ target: TableKey, type: String? = nil, _ json: inout JSONText
    ) throws {
        let texts = try collection.prefix(CellReader.maxElements).map { element in
            let value = try text(element.value, target)
            return try element.key.map { "\(try text(.string($0), .null)): \(value)" } ?? value
        }
        let brackets = collection.dictionary == nil ? ("[", "]") : ("{", "}")
        json.raw("{")
        json.member("n", collection.count)
        let rest = collection.count > texts.count ? ", …" : ""
        json.member("s", brackets.0 + texts.joined(separator: ", ") + rest + brackets.1)
        if let type { json.member("t", type) }
        json.raw("}")
    }

    // MARK: Values

    private func write(_ value: StoredValue, _ target: TableKey, isMixed: Bool, _ json: inout JSONText) throws {
        switch value {
        case .null: json.null()
        case .link(let key): try write(ObjectLink(table: target, object: key), isMixed: isMixed, &json)
        case .typedLink(let link): try write(link, isMixed: isMixed, &json)
        case .list, .dictionary:
            guard let collection = try StoredCollection(value: value, in: source.space) else { return json.null() }
            try write(collection, .null, type: value.typeName, &json)
        default:
            let text = CellReader.cut(value)
            guard isMixed || text.rest != nil else { return json.string(text.text) }
            json.raw("{")
            json.member("s", text.text)
            if let rest = text.rest { json.member("n", rest) }
            if isMixed { json.member("t", value.typeName) }
            json.raw("}")
        }
    }

    private func write(_ link: ObjectLink, isMixed: Bool, _ json: inout JSONText) throws {
        guard link.object.rawValue >= 0, let table = try source.table(link.table) else { return json.null() }
        json.raw("{")
        json.member("s", try text(link.object, table))
        if !table.isEmbedded {
            json.member("l", [Int64(table.key.rawValue), link.object.rawValue]) { $0.integer($1) }
        }
        if isMixed { json.member("t", table.className ?? "link") }
        json.raw("}")
    }

    /// An embedded object is described by its values.
    private func text(_ key: ObjectKey, _ table: Table) throws -> String {
        guard table.isEmbedded else { return try ObjectLabel.text(key, table) ?? "#\(key.rawValue)" }
        guard let position = try table.find(key) else { return "?" }
        let parts = try table.publicColumns.prefix(CellReader.maxElements).map { column in
            guard !column.key.isCollection else { return "\(column.name): …" }
            return "\(column.name): \(try shortText(try table.value(column, at: position)))"
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    private func text(_ value: StoredValue, _ target: TableKey) throws -> String {
        switch value {
        case .link(let key): return try source.table(target).map { try text(key, $0) } ?? "?"
        case .typedLink(let link): return try source.table(link.table).map { try text(link.object, $0) } ?? "?"
        default: return try shortText(value)
        }
    }

    private func shortText(_ value: StoredValue) throws -> String {
        switch value {
        case .null: return "null"
        case .link(let key): return "#\(key.rawValue)"
        case .typedLink(let link): return "#\(link.object.rawValue)"
        case .list: return "[…]"
        case .dictionary: return "{…}"
        default:
            let text = CellReader.cut(value).text
            return text.count > 40 ? text.prefix(40) + "…" : text
        }
    }

    private static func cut(_ value: StoredValue) -> (text: String, rest: Int?) {
        if case .binary(let bytes) = value {
            return (ValueText.plain(.binary(Array(bytes.prefix(maxDataBytes)))), bytes.count)
        }
        let text = ValueText.plain(value)
        guard text.utf8.count > maxCharacters, text.count > maxCharacters else { return (text, nil) }
        return (String(text.prefix(maxCharacters)), text.count)
    }
}
