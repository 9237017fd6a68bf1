// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A view that shows a read-only text. The page never interprets the text as HTML.
nonisolated public struct Text: View, Primitive, Equatable {
    /// The format of a date in a text.
    public enum DateStyle: Hashable, Sendable { case time, date, relative, offset, timer }
    /// The letter case of a text.
    public enum Case: Hashable, Sendable { case uppercase, lowercase }
    /// The end at which a long text is truncated.
    public enum TruncationMode: Hashable, Sendable { case head, tail, middle }

    indirect enum Content: Equatable {
        case plain(String)
        case key(LocalizedStringKey)
        case date(Date, DateStyle)
        case text(Text)
    }

    struct Piece: Equatable {
        var content: Content
        var style: Set<String>
        var address: String?
        var look: [Element.LookName: String] = [:]

        init(_ content: Content, _ style: Set<String> = []) { (self.content, self.style) = (content, style) }
    }

    var pieces: [Piece]

    /// Creates a text from a localizable key. `tableName`, `bundle`, and `comment` have no effect.
    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) {
        pieces = [Piece(.key(key))]
    }

    /// Creates a text that shows a string without localization or markup.
    @_disfavoredOverload public init<S>(_ content: S) where S: StringProtocol { self.init(verbatim: String(content)) }

    /// Creates a text that shows a string without localization or markup.
    public init(verbatim content: String) { pieces = [Piece(.plain(content))] }

    /// Creates a text from an attributed string. Attributes other than links are ignored.
    @_disfavoredOverload public init(_ attributedContent: AttributedString) {
        pieces = attributedContent.runs.map { run in
            var piece = Piece(.plain(String(attributedContent[run.range].characters)))
            piece.address = run.link.flatMap { $0.isAllowed ? $0.absoluteString : nil }
            return piece
        }
    }

    /// Creates a text from a value formatted by a format style.
    public init<F>(_ input: F.FormatInput, format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String {
        self.init(verbatim: format.format(input))
    }

    /// Creates a text from a date. The styles `relative`, `offset`, and `timer` are relative to the current time and
    /// updated as it advances.
    public init(_ date: Date, style: DateStyle) { pieces = [Piece(.date(date, style))] }

    /// Creates a text from an object formatted by `formatter`. An object that `formatter` doesn't support results in an
    /// empty text.
    public init<Subject>(_ subject: Subject, formatter: Formatter) where Subject: ReferenceConvertible {
        self.init(verbatim: formatter.string(for: subject) ?? "")
    }

    /// Creates a text from an object formatted by `formatter`. An object that `formatter` doesn't support results in an
    /// empty text.
    public init<Subject>(_ subject: Subject, formatter: Formatter) where Subject: NSObject {
        self.init(verbatim: formatter.string(for: subject) ?? "")
    }

    /// Creates a text from the accessibility description of an image.
    public init(_ image: Image) { self.init(verbatim: image.description) }

    /// Returns the concatenation of two texts, each with its own style.
    public static func + (lhs: Text, rhs: Text) -> Text {
        var sum = lhs
        sum.pieces += rhs.pieces
        return sum
    }

    private func styled(_ name: String, _ isActive: Bool = true) -> Text {
        var copy = self
        for index in copy.pieces.indices {
            if isActive { copy.pieces[index].style.insert(name) } else { copy.pieces[index].style.remove(name) }
        }
        return copy
    }

    private func looking(_ name: Element.LookName, _ value: String?) -> Text {
        var copy = self
        for index in copy.pieces.indices where copy.pieces[index].look[name] == nil {
            copy.pieces[index].look[name] = value
        }
        return copy
    }

    /// Returns the text in a font, except for parts with a font of their own.
    public func font(_ font: Font?) -> Text { looking(.font, font?.css) }
    /// Returns the text in a font weight, except for parts with a weight of their own.
    public func fontWeight(_ weight: Font.Weight?) -> Text { looking(.weight, weight?.css) }
    /// Returns the text in bold.
    public func bold() -> Text { styled("strong") }
    /// Returns the text, in bold or not.
    public func bold(_ isActive: Bool) -> Text { styled("strong", isActive) }
    /// Returns the text in italics.
    public func italic() -> Text { styled("emphasis") }
    /// Returns the text, in italics or not.
    public func italic(_ isActive: Bool) -> Text { styled("emphasis", isActive) }
    /// Returns the text, underlined or not. `color` has no effect in the browser host.
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text { styled("underlined", isActive) }
    /// Returns the text, struck through or not. `color` has no effect in the browser host.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text { styled("struck", isActive) }
    /// Returns the text in a colour, except for parts with a colour of their own.
    public func foregroundColor(_ color: Color?) -> Text { looking(.color, color?.css) }
    /// Returns the text in a colour, gradient, or material, except for parts with a colour of their own.
    public func foregroundStyle<S>(_ style: S) -> Text where S: ShapeStyle { looking(.color, style._css) }
    /// Returns the text with a spacing between characters, in points.
    public func kerning(_ kerning: CGFloat) -> Text { looking(.spacing, css(kerning)) }
    /// Returns the text with a spacing between characters, in points.
    public func tracking(_ tracking: CGFloat) -> Text { looking(.spacing, css(tracking)) }
    /// Returns the text with an offset from its baseline. Has no effect in the browser host.
    public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }
    /// Returns the text with digits of equal width.
    public func monospacedDigit() -> Text { styled("digits") }

    @MainActor func runs(_ node: Node) -> [TextRun] {
        pieces.flatMap { piece in
            resolved(piece.content, node).map { run in
                var run = run
                run.style.formUnion(piece.style)
                run.address = run.address ?? piece.address
                run.look.merge(piece.look) { inner, _ in inner }
                return run
            }
        }
    }

    @MainActor private func resolved(_ content: Content, _ node: Node) -> [TextRun] {
        switch content {
        case .plain(let text): [TextRun(text: text)]
        case .key(let key): Text(pieces: key.pieces(node.environment.locale)).runs(node)
        case .date(let date, let style): [TextRun(text: style.text(date, node))]
        case .text(let text): text.runs(node)
        }
    }

    private init(pieces: [Piece]) { self.pieces = pieces }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.text)
        element.runs = runs(node)
        if node.environment.lineLimit != nil { element.look[.lines] = node.environment.lineLimit.map { "\($0)" } }
        return Output(element)
    }
}

extension Text.DateStyle {
    @MainActor func text(_ date: Date, _ node: Node) -> String {
        let environment = node.environment
        switch self {
        case .date, .time:
            let formatter = DateFormatter()
            (formatter.locale, formatter.timeZone) = (environment.locale, environment.timeZone)
            formatter.dateStyle = self == .date ? .long : .none
            formatter.timeStyle = self == .time ? .short : .none
            return formatter.string(from: date)
        case .relative, .offset, .timer:
            node.graph.tick(node)
            let seconds = Int(date.timeIntervalSince(node.graph.now).rounded())
            return self == .timer ? Self.clock(abs(seconds)) : Self.words(seconds, isSigned: self == .offset)
        }
    }

    private static func clock(_ seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let rest = String(format: "%02d", seconds % 60)
        return hours > 0 ? "\(hours):\(String(format: "%02d", minutes)):\(rest)" : "\(minutes):\(rest)"
    }

    private static func words(_ seconds: Int, isSigned: Bool) -> String {
        let size = abs(seconds)
        let units = [(86_400, "day"), (3600, "hr"), (60, "min"), (1, "sec")]
        let (unit, name) = units.first { size >= $0.0 } ?? (1, "sec")
        let count = size / unit
        let text = "\(count) \(name)\(name == "day" && count != 1 ? "s" : "")"
        return isSigned ? (seconds < 0 ? "-" : "+") + text : text
    }
}

extension Graph {
    var now: Date { Date().addingTimeInterval(clockOffset) }

    /// Evaluates a node when the clock advances.
    func tick(_ node: Node) { tickers[ObjectIdentifier(node)] = Ticker(node: node) }

    struct Ticker { weak var node: Node? }

    package func advance(by seconds: TimeInterval) {
        clockOffset += seconds
        showTime()
    }

    package func showTime() {
        let nodes = tickers.values.compactMap(\.node)
        tickers = [:]
        for node in nodes { follow(node) }
        flush()
    }

    package var isTicking: Bool { !tickers.isEmpty }
}
