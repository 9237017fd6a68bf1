// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

enum QueryTarget {
    /// Returns the class and the rest of the query. Without `className` the query begins with a class, unless the file
    /// has only one.
    static func find(_ query: String, className: String?, in snapshot: any TableSource) throws -> (Table, String) {
        let tables = try snapshot.allTables().filter { $0.className != nil }
        if let className {
            guard let table = tables.first(where: { $0.className == className }) else {
                throw NoClassError(message: "there is no class '\(className)'; \(choice(tables))")
            }
            return (table, query)
        }
        let text = query.drop(while: \.isWhitespace)
        // Use the longest name, because a class's name may begin with another one's.
        let named = tables.filter { text.hasPrefix($0.className ?? "") }
            .sorted { ($0.className?.count ?? 0) > ($1.className?.count ?? 0) }
        for table in named {
            let rest = text.dropFirst(table.className?.count ?? 0)
            if let condition = condition(rest) { return (table, condition) }
        }
        guard tables.count == 1 else {
            throw NoClassError(message: "the query must begin with a class; \(choice(tables))")
        }
        return (tables[0], query)
    }

    /// Returns the text after the name of a class: nothing, WHERE and a condition, or suffixes. Returns nil for any
    /// other text.
    private static func condition(_ rest: Substring) -> String? {
        guard rest.first?.isWhitespace ?? true else { return nil }
        let text = rest.drop(while: \.isWhitespace)
        if text.isEmpty { return "" }
        let word = text.prefix { $0.isLetter }.lowercased()
        let behind = text.dropFirst(word.count)
        if word == "where", behind.first?.isWhitespace ?? true || behind.first == "(" { return String(behind) }
        let next = behind.first { !$0.isWhitespace }
        return ["sort", "distinct", "limit"].contains(word) && next == "(" ? String(text) : nil
    }

    private static func choice(_ tables: [Table]) -> String {
        let names = tables.compactMap(\.className)
        if names.isEmpty { return "the file has no classes" }
        return "the file has " + names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    }
}

struct NoClassError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
