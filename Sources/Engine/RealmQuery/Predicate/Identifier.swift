// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum Identifier {
    /// Words that are names only with a backslash before them.
    static let keywords: Set<String> = [
        "and", "or", "not", "truepredicate", "falsepredicate", "any", "some", "all", "none", "in", "between",
        "contains", "beginswith", "endswith", "like", "matches", "subquery", "true", "false", "yes", "no", "null",
        "nil", "self", "inf", "infinity", "nan",
    ]

    static func canStart(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return true }
        return byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    static func canContinue(_ character: Character) -> Bool {
        canStart(character) || character.asciiValue.map { 0x30...0x39 ~= $0 } ?? false
    }

    static func escaped(_ name: String) -> String {
        var text = ""
        for (index, character) in name.enumerated() {
            let isPlain = index == 0 ? canStart(character) : canContinue(character)
            if !isPlain || index == 0 && hasMeaning(name) { text.append("\\") }
            text.append(character)
        }
        return text
    }

    /// Whether the name would be parsed as a keyword, an object such as `O12`, or a function.
    private static func hasMeaning(_ name: String) -> Bool {
        keywords.contains(name.lowercased())
            || name.count > 1 && "OLTB".contains(name.first!)
                && name.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
}
