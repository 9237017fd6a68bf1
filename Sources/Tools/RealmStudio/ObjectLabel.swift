// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

/// The text of an object in a link: its primary key, and its name if it has one.
enum ObjectLabel {
    private static let names = ["name", "title", "label", "firstname", "text"]
    private static let maxCharacters = 60

    static func text(_ key: ObjectKey, _ table: Table) throws -> String? {
        guard let position = try table.find(key) else { return nil }
        var parts: [String] = []
        let primary = table.primaryKey.flatMap { key in table.publicColumns.first { $0.key == key } }
        if let primary { parts.append(ValueText.plain(try table.value(primary, at: position))) }
        if let column = nameColumn(table), column.key != primary?.key,
            case .string(let name) = try table.value(column, at: position), !name.isEmpty
        {
            parts.append(name)
        }
        let text = parts.joined(separator: " · ")
        return text.isEmpty ? "#\(key.rawValue)" : String(text.prefix(maxCharacters))
    }

    static func nameColumn(_ table: Table) -> Column? {
        let texts = table.publicColumns.filter { $0.type == .string && !$0.key.isCollection }
        return names.lazy.compactMap { name in texts.first { $0.name.lowercased() == name } }.first ?? texts.first
    }
}
