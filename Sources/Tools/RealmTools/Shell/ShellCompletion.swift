// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Completes words in the shell: commands, classes, properties of the class that a line is about, and words of queries.
struct ShellCompletion {
    struct Choice: Equatable {
        /// What is the same for all candidates and missing yet; with a space behind it if there is only one.
        var insertion: String
        var candidates: [String]
    }

    /// The properties by class, each with the class that it links to.
    private let classes: [String: [(name: String, target: String?)]]

    static let words = [
        "WHERE", "SORT(", "DISTINCT(", "LIMIT(", "ASC", "DESC", "AND", "OR", "NOT", "IN", "ANY", "ALL", "NONE",
        "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "TEXT", "TRUE", "FALSE", "NULL", "CREATE", "UPDATE",
        "DELETE", "SET",
    ]

    init(_ source: any TableSource) {
        let tables = (try? source.tableKeys().compactMap { try source.table($0) }) ?? []
        classes = Dictionary(
            tables.compactMap { table in
                table.className.map { name in
                    (name, table.publicColumns.map { ($0.name, ShellCompletion.target(of: $0, table, source)) })
                }
            }
        ) { first, _ in first }
    }

    private static func target(of column: Column, _ table: Table, _ source: any TableSource) -> String? {
        guard column.type == .link else { return nil }
        return (try? source.table(table.oppositeTables[column.leafIndex]))?.className
    }

    /// `text` is what stands before the cursor.
    func choice(for text: String) -> Choice {
        let word = String(text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.reversed())
        if text == word, word.hasPrefix(".") { return choice(word, ShellSession.dotCommands) }
        let names = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) }
        let mentioned = names.filter { classes[$0] != nil }
        if let dot = word.lastIndex(of: ".") {
            let path = word[...dot]
            return choice(word, properties(behind: path.split(separator: "."), of: mentioned).map { path + $0 })
        }
        return choice(word, properties(behind: [], of: mentioned) + classes.keys + ShellCompletion.words)
    }

    /// The properties of the classes that a path of links leads to.
    private func properties(behind path: [Substring], of names: [String]) -> [String] {
        let found = path.reduce(Set(names)) { names, step in
            Set(names.flatMap { classes[$0] ?? [] }.filter { $0.name == step }.compactMap(\.target))
        }
        return found.flatMap { classes[$0] ?? [] }.map(\.name)
    }

    private func choice(_ word: String, _ all: [String]) -> Choice {
        var candidates = Set(all.filter { $0.hasPrefix(word) })
        // Words of queries may be typed in lower case, and stay so.
        let isLowercase = candidates.isEmpty && !word.isEmpty
        if isLowercase { candidates = Set(all.filter { $0.hasPrefix(word.uppercased()) }.map { $0.lowercased() }) }
        guard let first = candidates.min(), let last = candidates.max() else {
            return Choice(insertion: "", candidates: [])
        }
        // What the first and the last one have in common, all have.
        let common = first.commonPrefix(with: last)
        var insertion = String(common.dropFirst(word.count))
        if candidates.count == 1, common.last?.isLetter ?? false { insertion += " " }
        return Choice(insertion: insertion, candidates: candidates.sorted())
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
