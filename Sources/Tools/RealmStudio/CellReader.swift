// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

/// Formats the properties of objects as cells of a table, truncated to a short length.
///
/// A cell is null, a text, or an object: `s` is its text, `n` its full size, `l` the table and the key of the object
/// that it links to, `t` the type of a mixed value.
struct CellReader {
    let source: any TableSource

    private static let (longestText, longestData, maxElements) = (200, 24, 6)

    func write(_ column: Column, _ table: Table, _ position: ClusterTree.Position, _ json: inout JSONText) throws {
        let target = column.type == .link ? table.oppositeTables[column.leafIndex] : TableKey.null
        guard column.key.isCollection else {
            return try write(try table.value(column, at: position), target, isMixed: column.type == .mixed, &json)
        }
        let (count, texts) = try elements(column, table, position, target)
        CellReader.write(count, texts, column.key.isDictionary ? ("{", "}") : ("[", "]"), &json)
    }

    // MARK: Collections

    private func elements(
        _ column: Column, _ table: Table, _ position: ClusterTree.Position, _ target: TableKey
    ) throws -> (Int, [String]) {
        if column.key.isDictionary {
            let tree = try DictionaryTree(
                source.space, try table.collectionRoot(column, at: position),
                keyType: column.dictionaryKeyType ?? .string)
            return (tree.count, try entries(tree, target))
        }
        let tree = try column.key.isSet ? table.set(column, at: position).tree : table.list(column, at: position)
        let count = min(tree.count, CellReader.maxElements)
        return (tree.count, try (0..<count).map { try text(try tree.value(at: $0), target) })
    }

    private func entries(_ tree: DictionaryTree, _ target: TableKey) throws -> [String] {
        guard let keys = tree.keys else { return [] }
        return try (0..<min(tree.count, CellReader.maxElements)).map {
            let key = try keys.value(at: $0)
            return "\(try text(key, .null)): \(try text(try tree.value(at: $0), target))"
        }
    }

    private static func write(
        _ count: Int, _ texts: [String], _ brackets: (String, String), type: String? = nil, _ json: inout JSONText
    ) {
        json.raw("{")
        json.member("n")
        json.integer(count)
        json.member("s")
        let rest = count > texts.count ? ", …" : ""
        json.string(brackets.0 + texts.joined(separator: ", ") + rest + brackets.1)
        if let type { json.member("t"); json.string(type) }
        json.raw("}")
    }

    // MARK: Values

    private func write(_ value: StoredValue, _ target: TableKey, isMixed: Bool, _ json: inout JSONText) throws {
        switch value {
        case .null: json.null()
        case .link(let key): try write(ObjectLink(table: target, object: key), isMixed: isMixed, &json)
        case .typedLink(let link): try write(link, isMixed: isMixed, &json)
        case .list(let root, _):
            let tree = try BPlusTree(source.space, root, .mixed)
            let count = min(tree.count, CellReader.maxElements)
            let texts = try (0..<count).map { try text(try tree.value(at: $0), .null) }
            CellReader.write(tree.count, texts, ("[", "]"), type: "list", &json)
        case .dictionary(let root, _):
            let tree = try DictionaryTree(source.space, root)
            CellReader.write(tree.count, try entries(tree, .null), ("{", "}"), type: "dictionary", &json)
        default:
            let text = CellReader.cut(value)
            guard isMixed || text.rest != nil else { return json.string(text.text) }
            json.raw("{")
            json.member("s")
            json.string(text.text)
            if let rest = text.rest { json.member("n"); json.integer(rest) }
            if isMixed { json.member("t"); json.string(value.typeName) }
            json.raw("}")
        }
    }

    private func write(_ link: ObjectLink, isMixed: Bool, _ json: inout JSONText) throws {
        guard link.object.rawValue >= 0, let table = try source.table(link.table) else { return json.null() }
        json.raw("{")
        json.member("s")
        json.string(try text(link.object, table))
        if !table.isEmbedded {
            json.member("l")
            json.array([Int64(table.key.rawValue), link.object.rawValue]) { $0.integer($1) }
        }
        if isMixed { json.member("t"); json.string(table.className ?? "link") }
        json.raw("}")
    }

    /// Returns a short text for an object; an embedded one is described by its values.
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

    /// Returns the text of a value, and its full length if the text was truncated.
    private static func cut(_ value: StoredValue) -> (text: String, rest: Int?) {
        if case .binary(let bytes) = value {
            return (PlainValues.text(.binary(Array(bytes.prefix(longestData)))), bytes.count)
        }
        let text = PlainValues.text(value)
        guard text.utf8.count > longestText, text.count > longestText else { return (text, nil) }
        return (String(text.prefix(longestText)), text.count)
    }
}
