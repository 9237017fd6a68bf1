// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum SwiftIdentifier {
    static func make(_ name: String, taken: Set<String>) -> String {
        var identifier = sanitized(name)
        while taken.contains(identifier) { identifier += "_" }
        return identifier
    }

    static func spelled(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            default: result += String(scalar).printable
            }
        }
        return result + "\""
    }

    private static func sanitized(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let fits = scalar == "_" || scalar.properties.isXIDContinue
            result.unicodeScalars.append(fits ? scalar : "_")
        }
        guard let first = result.unicodeScalars.first else { return "unnamed" }
        if first != "_", !first.properties.isXIDStart { result = "_" + result }
        return result.allSatisfy { $0 == "_" } ? result + "unnamed" : result
    }

    /// Names with a special meaning after a dot, even in backticks.
    static let special: Set<String> = ["self", "Self", "Type", "Protocol", "init"]

    /// The members inherited by model classes, which a stored property would conflict with.
    static let inherited: Set<String> = [
        "debugDescription", "description", "dynamicList", "dynamicMap", "dynamicMutableSet", "freeze", "hash",
        "hashValue", "isFrozen", "isInvalidated", "isSameObject", "objectSchema", "objectWillChange", "observe",
        "realm",
        "superclass", "thaw",
    ]

    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat",
        "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]
}
