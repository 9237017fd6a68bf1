// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Completes words in the shell: commands, classes, properties of the class in a line, and words of queries.
struct ShellCompletion {
    struct Choice: Equatable {
        /// The missing text common to all candidates, followed by a space if there's only one.
        var insertion: String
        var candidates: [String]
    }

    private let classes: [String: [(name: String, target: String?)]]

    static let words = [
        "WHERE", "SORT(", "DISTINCT(", "LIMIT(", "ASC", "DESC", "AND", "OR", "NOT", "IN", "ANY", "ALL", "NONE",
        "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "TEXT", "TRUE", "FALSE", "NULL", "CREATE", "UPDATE",
        "DELETE", "SET",
    ]

    init(_ source: any TableSource) {
        let tables = (try? source.allTables()) ?? []
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

    private func properties(behind path: [Substring], of names: [String]) -> [String] {
        let found = path.reduce(Set(names)) { names, step in
            Set(names.flatMap { classes[$0] ?? [] }.filter { $0.name == step }.compactMap(\.target))
        }
        return found.flatMap { classes[$0] ?? [] }.map(\.name)
    }

    private func choice(_ word: String, _ all: [String]) -> Choice {
        var candidates = Set(all.filter { $0.hasPrefix(word) })
        // Words of queries in lower case remain in lower case.
        let isLowercase = candidates.isEmpty && !word.isEmpty
        if isLowercase { candidates = Set(all.filter { $0.hasPrefix(word.uppercased()) }.map { $0.lowercased() }) }
        guard let first = candidates.min(), let last = candidates.max() else {
            return Choice(insertion: "", candidates: [])
        }
        // The prefix common to the first and the last one is common to all.
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
