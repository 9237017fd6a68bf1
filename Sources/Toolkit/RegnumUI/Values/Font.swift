// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A font. Its size is relative to the text size set in the user's browser.
public struct Font: Hashable, Sendable {
    /// The purpose of a text, which determines the size of its font.
    public enum TextStyle: String, CaseIterable, Hashable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2

        fileprivate var size: String {
            switch self {
            case .largeTitle: "2.125rem"
            case .title: "1.75rem"
            case .title2: "1.375rem"
            case .title3: "1.25rem"
            case .headline, .body: "1.0625rem"
            case .callout: "1rem"
            case .subheadline: "0.9375rem"
            case .footnote: "0.8125rem"
            case .caption: "0.75rem"
            case .caption2: "0.6875rem"
            }
        }
    }

    /// The weight of a font.
    public struct Weight: Hashable, Sendable {
        let css: String
        /// The lightest weight.
        public static let ultraLight = Weight(css: "100")
        /// The thin weight.
        public static let thin = Weight(css: "200")
        /// The light weight.
        public static let light = Weight(css: "300")
        /// The regular weight.
        public static let regular = Weight(css: "400")
        /// The medium weight.
        public static let medium = Weight(css: "500")
        /// The semibold weight.
        public static let semibold = Weight(css: "600")
        /// The bold weight.
        public static let bold = Weight(css: "700")
        /// The heavy weight.
        public static let heavy = Weight(css: "800")
        /// The heaviest weight.
        public static let black = Weight(css: "900")
    }

    /// The design of a font's family.
    public enum Design: String, Hashable, Sendable {
        case `default` = "system-ui"
        case serif
        case rounded = "ui-rounded, system-ui"
        case monospaced = "monospace"
    }

    private var size: String
    private var family = "inherit"
    private var weight: Weight?
    private var isItalic = false

    private init(size: String) { self.size = size }

    var css: String { "\(isItalic ? "italic " : "")\(weight?.css ?? "400") \(size) \(family)" }

    private static func style(_ style: TextStyle, _ weight: Weight? = nil) -> Font {
        var font = Font(size: style.size)
        font.weight = weight ?? (style == .headline ? .semibold : nil)
        return font
    }

    /// The font of large titles.
    public static let largeTitle = style(.largeTitle)
    /// The font of titles.
    public static let title = style(.title)
    /// The font of second-level titles.
    public static let title2 = style(.title2)
    /// The font of third-level titles.
    public static let title3 = style(.title3)
    /// The font of headings.
    public static let headline = style(.headline)
    /// The font of second-level headings.
    public static let subheadline = style(.subheadline)
    /// The font of body text.
    public static let body = style(.body)
    /// The font of callouts.
    public static let callout = style(.callout)
    /// The font of footnotes.
    public static let footnote = style(.footnote)
    /// The font of captions.
    public static let caption = style(.caption)
    /// The font of small captions.
    public static let caption2 = style(.caption2)

    /// Returns the system font of a size in points.
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        var font = Font(size: "\(PropertyValue.number(Double(size) / 16).text)rem")
        font.weight = weight
        font.family = (design ?? .default).rawValue
        return font
    }

    /// Returns the system font for a text style.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        var font = Self.style(style, weight)
        font.family = (design ?? .default).rawValue
        return font
    }

    /// Returns the font of a name. Characters other than ASCII letters, digits, spaces, and hyphens are removed from
    /// the name.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        var font = system(size: size)
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || " -".contains($0)) }
        font.family = "\"\(plain)\", system-ui"
        return font
    }

    /// Returns the font of a name. In the browser host, its size follows the user's settings like any other.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { custom(name, size: fixedSize) }
    /// Returns the font of a name. `textStyle` has no effect in the browser host.
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font {
        custom(name, size: size)
    }

    /// Returns the font with another weight.
    public func weight(_ weight: Weight) -> Font {
        var font = self
        font.weight = weight
        return font
    }

    /// Returns the font in bold.
    public func bold() -> Font { weight(.bold) }

    /// Returns the font in italics.
    public func italic() -> Font {
        var font = self
        font.isItalic = true
        return font
    }

    /// Returns the font with digits of equal width. Has no effect in the browser host.
    public func monospacedDigit() -> Font { self }
}
