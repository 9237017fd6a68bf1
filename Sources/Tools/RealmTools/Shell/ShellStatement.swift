// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum ShellStatement: Equatable {
    case command(String, argument: String)
    case create(className: String, json: String)
    /// `query` names the class and may have a condition.
    case update(query: String, json: String)
    case delete(query: String)
    case query(String)

    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    init?(_ line: String) throws {
        let text = line.trimmed
        guard !text.isEmpty else { return nil }
        let (first, rest) = text.firstWord
        if first.hasPrefix(".") {
            self = .command(first, argument: rest)
            return
        }
        switch first.uppercased() {
        case "CREATE":
            let (name, json) = rest.firstWord
            self = .create(className: name, json: json.isEmpty ? "{}" : json)
        case "UPDATE":
            guard let set = rest.range(ofWord: "SET") else {
                throw Mistake(description: "UPDATE Class WHERE … SET {\"property\": value}")
            }
            self = .update(
                query: String(rest[..<set.lowerBound]).trimmed, json: String(rest[set.upperBound...]).trimmed)
        case "DELETE":
            guard !rest.isEmpty else { throw Mistake(description: "DELETE Class WHERE …") }
            self = .delete(query: rest)
        default: self = .query(text)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    fileprivate var firstWord: (String, String) {
        let word = prefix { !$0.isWhitespace }
        return (String(word), String(dropFirst(word.count)).trimmed)
    }

    /// Returns the last position of a word between spaces, ignoring case. A condition may contain the word in an
    /// earlier text.
    fileprivate func range(ofWord word: String) -> Range<String.Index>? {
        var found: Range<String.Index>?
        var start = startIndex
        while start < endIndex {
            let end = self[start...].firstIndex(where: \.isWhitespace) ?? endIndex
            // After the first brace everything is JSON.
            if self[start..<end].contains("{") { break }
            if self[start..<end].uppercased() == word { found = start..<end }
            start = end == endIndex ? end : index(after: end)
        }
        return found
    }
}
