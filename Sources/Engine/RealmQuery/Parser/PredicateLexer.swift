// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct PredicateLexer {
    let text: [Character]
    /// Only strings of the format language have escapes.
    private let dialect: Predicate.Dialect
    private(set) var position = 0
    /// Whether the previous token is an operand. Then a sign is an operator, otherwise part of a number.
    private var isBehindOperand = false
    /// Whether the last opening bracket follows an operand. After an operator it encloses options.
    private var isBracketBehindOperand = false

    init(_ text: String, _ dialect: Predicate.Dialect) {
        self.text = Array(text)
        self.dialect = dialect
    }

    typealias PlacedToken = (token: PredicateToken, position: Int)

    /// The last token is `.end`.
    static func tokens(
        of text: String, _ dialect: Predicate.Dialect
    ) throws(PredicateError) -> [PlacedToken] {
        var lexer = PredicateLexer(text, dialect)
        var result: [PlacedToken] = []
        repeat {
            lexer.skipSpace()
            let start = lexer.position
            let token = try lexer.next()
            if token == .symbol("[") { lexer.isBracketBehindOperand = lexer.isBehindOperand }
            lexer.isBehindOperand = token == .symbol("]") ? lexer.isBracketBehindOperand : token.isOperandEnd
            result.append((token, start))
        } while result.last?.token != .end
        return result
    }

    private static let symbols = [
        "==", "=<", "=>", "!=", "<>", "<=", ">=", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",",
        ".", "+", "-", "*", "/", "#any",
    ]

    private mutating func next() throws(PredicateError) -> PredicateToken {
        guard let character = peek() else { return .end }
        if startsNumber() { return .value(try number()) }
        switch character {
        case "'", "\"": return .value(.string(try quoted()))
        case "%": return try placeholder()
        case "$":
            position += 1
            return .variable(try required("a name behind '$'") { $0 == "_" || Identifier.canContinue($0) })
        case "@":
            position += 1
            return .at(try required("a name behind '@'", while: Identifier.canContinue))
        default: break
        }
        if character == "\\" || Identifier.canStart(character) { return try wordOrLiteral() }
        if let symbol = PredicateLexer.symbols.first(where: isNext) {
            position += symbol.count
            return .symbol(symbol)
        }
        throw error("expected a property, a value or an operator, found '\(character)'", at: position)
    }

    // MARK: Words

    private mutating func wordOrLiteral() throws(PredicateError) -> PredicateToken {
        let start = position
        let (name, escaped) = try word()
        if !escaped, let value = try literal(name, start) { return .value(value) }
        return .word(name, escaped: escaped)
    }

    private mutating func word() throws(PredicateError) -> (String, escaped: Bool) {
        var name = ""
        var escaped = false
        while let character = peek() {
            if character == "\\" {
                guard let next = peek(1) else { throw error("expected a character behind '\\'", at: position) }
                name.append(next)
                escaped = true
                position += 2
            } else if Identifier.canContinue(character) {
                name.append(character)
                position += 1
            } else {
                break
            }
        }
        return (name, escaped)
    }

    private mutating func literal(_ name: String, _ start: Int) throws(PredicateError) -> StoredValue? {
        switch (name.lowercased(), peek()) {
        case ("true", _), ("yes", _): return .bool(true)
        case ("false", _), ("no", _): return .bool(false)
        case ("null", _), ("nil", _): return .null
        case ("inf", _), ("infinity", _): return .double(.infinity)
        case ("nan", _): return .double(.nan)
        case ("b64", "\""), ("b64", "'"):
            guard let text = String(validatedUTF8: try base64(start)) else {
                throw error("expected base 64 text of UTF-8", at: start)
            }
            return .string(text)
        case ("binary", "("): return .binary(try binaryArgument())
        case (let function, "("):
            return try PredicateLiteral.call(function).map { (make) throws(PredicateError) in
                let value = make(try argumentText())
                guard let value else { throw error("expected a value of the form \(function)(…)", at: start) }
                return value
            }
        case (_, ":"): return try colonLiteral(name, start)
        default: return objectLiteral(name)
        }
    }

    /// `T<seconds>:<nanoseconds>` and `L<table>:<object>`.
    private mutating func colonLiteral(_ name: String, _ start: Int) throws(PredicateError) -> StoredValue? {
        guard let first = Int64(name.dropFirst()), "TL".contains(name.prefix(1)) else { return nil }
        return try afterColon(name.hasPrefix("T"), first, start)
    }

    private mutating func afterColon(
        _ isTime: Bool, _ first: Int64, _ start: Int
    ) throws(PredicateError) -> StoredValue {
        position += 1
        let sign = peek() == "-" ? "-" : ""
        position += sign.count
        let digits = take { $0.isASCII && $0.isNumber }
        guard let second = Int64(sign + digits),
            let value = isTime ? PredicateLiteral.time(first, second) : PredicateLiteral.link(first, second)
        else { throw error(isTime ? "expected a date" : "expected an object", at: start) }
        return value
    }

    /// `O<object>`.
    private func objectLiteral(_ name: String) -> StoredValue? {
        guard name.hasPrefix("O"), name.count > 1, let key = Int64(name.dropFirst()) else { return nil }
        return .link(ObjectKey(key))
    }

    private mutating func base64(_ start: Int) throws(PredicateError) -> [UInt8] {
        guard let bytes = Base64.bytes(try quoted()) else { throw error("expected base 64 text", at: start) }
        return bytes
    }

    /// Data is text in quotes, or `B64"…"`.
    private mutating func binaryArgument() throws(PredicateError) -> [UInt8] {
        let start = openArgument()
        let isBase64 = String(text[position...].prefix(3)).lowercased() == "b64" && isQuote(peek(3))
        if isBase64 { position += 3 }
        let bytes = isBase64 ? try base64(start) : Array(try argument().utf8)
        try closeArgument(start)
        return bytes
    }

    private mutating func argumentText() throws(PredicateError) -> String {
        let start = openArgument()
        let text = try argument()
        try closeArgument(start)
        return text
    }

    private mutating func openArgument() -> Int {
        defer { skipSpace() }
        position += 1
        return position - 1
    }

    private mutating func argument() throws(PredicateError) -> String {
        isQuote(peek()) ? try quoted() : take { $0 != ")" }
    }

    private func isQuote(_ character: Character?) -> Bool { character == "'" || character == "\"" }

    private mutating func closeArgument(_ start: Int) throws(PredicateError) {
        skipSpace()
        guard peek() == ")" else { throw error("expected ')' for this '('", at: start) }
        position += 1
    }

    // MARK: Numbers

    private func startsNumber() -> Bool {
        let first = peek()
        if isDigit(first) { return true }
        if first == "T", peek(1) == "-", isDigit(peek(2)) { return true }
        guard first == "-" || first == "+" || first == ".", first == "." || !isBehindOperand else { return false }
        if first != ".", let next = peek(1), "iInN".contains(next) { return true }
        return isDigit(peek(1)) || peek(1) == "." && isDigit(peek(2))
    }

    private func isDigit(_ character: Character?) -> Bool {
        character?.asciiValue.map { 0x30...0x39 ~= $0 } ?? false
    }

    private mutating func number() throws(PredicateError) -> StoredValue {
        let start = position
        if peek() == "T" { return try negativeTime(start) }
        let isDate = startsDate()
        var token = take { $0 == "-" || $0 == "+" }
        while let character = peek() {
            let afterExponent = token.last.map { "eE".contains($0) } ?? false && !token.hasPrefix("0x")
            let continues =
                character.isASCII && (character.isLetter || character.isNumber) || "@:._".contains(character)
            // A minus sign belongs to an exponent, or separates the parts of a date.
            let joins = "+-".contains(character) && (afterExponent || character == "-" && isDate)
            guard continues || joins else { break }
            token.append(character)
            position += 1
        }
        guard let value = PredicateLiteral.number(token) else { throw error("expected a number", at: start) }
        return value
    }

    /// Whether a date such as `2020-01-31@13:05:09:000` begins here.
    private func startsDate() -> Bool {
        // A day is shorter than this, but a sum of numbers may be longer.
        let day = text[position...].prefix(40).prefix { isDigit($0) || $0 == "-" }
        return day.endIndex < text.count && text[day.endIndex] == "@"
    }

    private mutating func negativeTime(_ start: Int) throws(PredicateError) -> StoredValue {
        position += 2
        let digits = take { $0.isASCII && $0.isNumber }
        guard let seconds = Int64("-" + digits), peek() == ":" else { throw error("expected a date", at: start) }
        return try afterColon(true, seconds, start)
    }

    // MARK: Strings and arguments

    private mutating func quoted() throws(PredicateError) -> String {
        let start = position
        let quote = text[position]
        var result = ""
        position += 1
        while let character = peek() {
            position += 1
            if character == quote { return result }
            guard character == "\\" else {
                result.append(character)
                continue
            }
            if dialect == .query { result += verbatimEscape(quote) } else { result.append(try escape()) }
        }
        throw error("expected \(quote) to end this string", at: start)
    }

    /// In Realm Query Language a backslash is an ordinary character, except before the quote that would end the string.
    /// A backslash after another one doesn't escape.
    private mutating func verbatimEscape(_ quote: Character) -> String {
        guard let character = peek(), character == quote || character == "\\" else { return "\\" }
        position += 1
        return character == quote ? String(quote) : "\\\\"
    }

    private mutating func escape() throws(PredicateError) -> Character {
        guard let character = peek() else { throw error("expected a character behind '\\'", at: position) }
        position += 1
        switch character {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "u":
            let digits = String(text[position..<min(position + 4, text.count)])
            guard digits.count == 4, let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
                throw error("expected four hexadecimal digits behind '\\u'", at: position)
            }
            position += 4
            return Character(scalar)
        default: return character
        }
    }

    private mutating func placeholder() throws(PredicateError) -> PredicateToken {
        let start = position
        position += 1
        if peek() == "@" || peek() == "K" {
            position += 1
            return text[position - 1] == "@" ? .argument : .pathArgument
        }
        _ = take { "lhqztj".contains($0) }
        guard let kind = peek(), "diuDUfFgGeEcCxXoO".contains(kind) else {
            throw error("expected '%@' or '%K'", at: start)
        }
        position += 1
        return .argument
    }

    private func peek(_ offset: Int = 0) -> Character? {
        position + offset < text.count ? text[position + offset] : nil
    }

    private func isNext(_ symbol: String) -> Bool {
        // Comparing slices is slower, and most symbols begin with another character.
        symbol.first == text[position] && text[position...].starts(with: symbol)
    }

    private mutating func skipSpace() {
        // The first scalar determines whether a character is white space.
        while peek()?.unicodeScalars.first?.isSpace == true { position += 1 }
    }

    private mutating func take(while condition: (Character) -> Bool) -> String {
        var taken = ""
        while let character = peek(), condition(character) {
            taken.append(character)
            position += 1
        }
        return taken
    }

    private mutating func required(
        _ expectation: String, while condition: (Character) -> Bool
    ) throws(PredicateError) -> String {
        let name = take(while: condition)
        guard !name.isEmpty else { throw error("expected \(expectation)", at: position) }
        return name
    }

    private func error(_ message: String, at position: Int) -> PredicateError {
        PredicateError.syntax(message, in: String(text), at: position)
    }
}

extension PredicateError {
    static func syntax(_ message: String, in text: String, at position: Int) -> PredicateError {
        PredicateError(
            .invalidPredicate, "Invalid predicate '\(quoted(text, at: position))': \(message) at position \(position)",
            position: position)
    }

    private static let maxQuoted = 400

    private static func quoted(_ text: String, at position: Int) -> String {
        guard text.count > maxQuoted else { return text }
        let start = max(0, min(position - maxQuoted / 2, text.count - maxQuoted))
        let part = text.dropFirst(start).prefix(maxQuoted)
        return (start > 0 ? "…" : "") + part + (start + maxQuoted < text.count ? "…" : "")
    }
}
