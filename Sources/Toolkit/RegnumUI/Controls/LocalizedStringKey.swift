// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The key of a localized text with markup: `**bold**`, `*italic*`, `` `code` ``, `~~struck~~`, and `[links](…)`.
///
/// The text is the key's entry in the app's `Localizable.strings` for the language of the environment's locale. A key
/// without an entry is itself the text.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    enum Argument: Equatable {
        case plain(String)
        case styled(Text)
    }

    let key: String
    let arguments: [Argument]

    /// Creates a key from a string that isn't interpolated.
    public init(_ value: String) { (key, arguments) = (value, []) }

    /// Creates a key from a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a key from an interpolated literal. Its interpolations become format specifiers and arguments.
    public init(stringInterpolation: StringInterpolation) {
        (key, arguments) = (stringInterpolation.key, stringInterpolation.arguments)
    }

    /// The builder of a key from an interpolated literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var arguments: [Argument] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal part of the key.
        public mutating func appendLiteral(_ literal: String) { key += literal }

        private mutating func add(_ argument: Argument, _ specifier: String = "%@") {
            key += specifier
            arguments.append(argument)
        }

        /// Appends a string, as `%@`.
        public mutating func appendInterpolation(_ string: String) { add(.plain(string)) }

        /// Appends the description of a value, as `%lld` for integers, `%lf` for floating-point numbers, and `%@` for
        /// others.
        public mutating func appendInterpolation<T>(_ value: T) {
            let specifier = value is any BinaryInteger ? "%lld" : value is any BinaryFloatingPoint ? "%lf" : "%@"
            add(
                .plain(value is any BinaryFloatingPoint ? String(format: "%f", "\(value)".asDouble) : "\(value)"),
                specifier)
        }

        /// Appends a value formatted by a specifier such as `%.2f`.
        public mutating func appendInterpolation<T>(_ value: T, specifier: String) where T: CVarArg {
            add(.plain(String(format: specifier, value)), specifier)
        }

        /// Appends a value formatted by a format style, as `%@`.
        public mutating func appendInterpolation<F>(_ input: F.FormatInput, format: F)
        where F: FormatStyle, F.FormatOutput == String {
            add(.plain(format.format(input)))
        }

        /// Appends a text with its style, as `%@`.
        public mutating func appendInterpolation(_ text: Text) { add(.styled(text)) }

        /// Appends the accessibility description of an image, as `%@`.
        public mutating func appendInterpolation(_ image: Image) { add(.plain(image.description)) }

        /// Appends a date in a style, as `%@`.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            add(.styled(Text(date, style: style)))
        }
    }

    func pieces(_ locale: Locale) -> [Text.Piece] {
        Markdown.pieces(marked(Translations.text(key, locale))).flatMap { piece -> [Text.Piece] in
            guard case .plain(let text) = piece.content else { return [piece] }
            return split(text).map { part in
                var filled = piece
                switch part {
                case .plain(let text): filled.content = .plain(text)
                case .styled(let text):
                    filled.content = .text(text)
                }
                return filled
            }
        }
    }

    /// The pattern of a format specifier. A constant, because compiling it takes longer than rendering most texts.
    nonisolated(unsafe) private static let place = /%(?:(\d+)\$)?(?:@|l{0,2}[dfu]|\.?\d*l?[dfxX])/

    /// Returns the pattern with each format specifier replaced by a private-use character: U+E000 plus the index of its
    /// argument.
    private func marked(_ pattern: String) -> String {
        guard !arguments.isEmpty else { return pattern }
        var (result, next) = ("", 0)
        var rest = Substring(pattern)
        while let match = rest.firstMatch(of: Self.place) {
            result += rest[..<match.range.lowerBound]
            let index = match.output.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
            next += 1
            if arguments.indices.contains(index), let mark = Unicode.Scalar(UInt32(0xE000 + index)) {
                result.unicodeScalars.append(mark)
            }
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    private func split(_ text: String) -> [Argument] {
        var (parts, plain) = ([Argument](), "")
        for scalar in text.unicodeScalars {
            let index = Int(scalar.value) - 0xE000
            guard arguments.indices.contains(index) else {
                plain.unicodeScalars.append(scalar)
                continue
            }
            if case .plain(let value) = arguments[index] {
                plain += value
            } else {
                if !plain.isEmpty { parts.append(.plain(plain)) }
                plain = ""
                parts.append(arguments[index])
            }
        }
        return plain.isEmpty ? parts : parts + [.plain(plain)]
    }
}

extension String {
    fileprivate var asDouble: Double { Double(self) ?? 0 }
}

@MainActor enum Translations {
    private static var tables: [String: [String: String]] = [:]

    nonisolated static func text(_ key: String, _ locale: Locale) -> String {
        guard MainPlace.isHere else { return key }
        return MainActor.assumeIsolated { table(locale.language.languageCode?.identifier ?? "en")[key] ?? key }
    }

    private static func table(_ language: String) -> [String: String] {
        if let table = tables[language] { return table }
        let path = Bundle.main.path(
            forResource: "Localizable", ofType: "strings", inDirectory: nil, forLocalization: language)
        let data = path.flatMap { FileManager.default.contents(atPath: $0) }
        let list = data.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
        let table = list as? [String: String] ?? [:]
        tables[language] = table
        return table
    }
}

enum Markdown {
    private static let marks = [("**", "strong"), ("~~", "struck"), ("`", "code"), ("*", "emphasis")]

    static func pieces(_ text: String) -> [Text.Piece] { pieces(Substring(text), []) }

    private static func pieces(_ text: Substring, _ style: Set<String>) -> [Text.Piece] {
        guard text.contains(where: { "*~`[".contains($0) }) else {
            return text.isEmpty ? [] : [Text.Piece(.plain(String(text)), style)]
        }
        var (found, plain, rest) = ([Text.Piece](), "", text)
        func flush() {
            if !plain.isEmpty { found.append(Text.Piece(.plain(plain), style)) }
            plain = ""
        }
        while let character = rest.first {
            if let (inner, name, after) = marked(rest) {
                flush()
                let styles = style.union([name])
                found += name == "code" ? [Text.Piece(.plain(String(inner)), styles)] : pieces(inner, styles)
                rest = after
            } else if character == "[", let link = rest.prefixMatch(of: /\[([^\]]+)\]\(([^)\s]+)\)/) {
                flush()
                found += pieces(link.output.1, style).map { piece in
                    var piece = piece
                    piece.address = URL(string: String(link.output.2)).flatMap {
                        $0.isAllowed ? $0.absoluteString : nil
                    }
                    return piece
                }
                rest = rest[link.range.upperBound...]
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        flush()
        return found
    }

    private static func marked(_ text: Substring) -> (inner: Substring, name: String, after: Substring)? {
        for (mark, name) in marks where text.hasPrefix(mark) {
            let body = text.dropFirst(mark.count)
            guard let first = body.first, !first.isWhitespace, let end = body.firstRange(of: mark),
                end.lowerBound > body.startIndex
            else { return nil }
            return (body[..<end.lowerBound], name, body[end.upperBound...])
        }
        return nil
    }
}
