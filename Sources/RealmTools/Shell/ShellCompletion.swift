// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Completes words in the shell: commands, classes, properties of the class that a line is about, and words of queries.
struct ShellCompletion {
    struct Choice: Equatable {
        /// What is the same for all candidates and missing yet; with a space behind it if there is only one.
        var insertion: String
        var candidates: [String]
    }

    /// The properties by class.
    let classes: [String: [String]]

    static let words = [
        "WHERE", "SORT(", "DISTINCT(", "LIMIT(", "ASC", "DESC", "AND", "OR", "NOT", "IN", "ANY", "ALL", "NONE",
        "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "TEXT", "TRUE", "FALSE", "NULL", "CREATE", "UPDATE",
        "DELETE", "SET",
    ]

    init(_ source: any TableSource) {
        let tables = (try? source.tableKeys().compactMap { try source.table($0) }) ?? []
        classes = Dictionary(
            tables.compactMap { table in table.className.map { ($0, table.publicColumns.map(\.name)) } }
        ) { first, _ in first }
    }

    /// `text` is what stands before the cursor.
    func choice(for text: String) -> Choice {
        let word = String(text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.reversed())
        if text == word, word.hasPrefix(".") { return choice(word, ShellSession.dotCommands) }
        let names = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) }
        let mentioned = names.compactMap { classes[$0] }.flatMap(\.self)
        return choice(word, (mentioned + classes.keys + ShellCompletion.words).filter { !$0.isEmpty })
    }

    private func choice(_ word: String, _ all: [String]) -> Choice {
        var candidates = Set(all.filter { $0.hasPrefix(word) })
        if candidates.isEmpty { candidates = Set(all.filter { $0.hasPrefix(word.uppercased()) }) }
        guard let first = candidates.min(), let last = candidates.max() else {
            return Choice(insertion: "", candidates: [])
        }
        // What the first and the last one have in common, all have.
        let common = first.commonPrefix(with: last)
        // A word in lower case that begins a word of queries stays as it is typed.
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
