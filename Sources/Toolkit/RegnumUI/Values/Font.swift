// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A font. Sizes of text styles follow the user's settings.
public struct Font: Hashable, Sendable {
    /// The purpose of a text.
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

    /// How heavy a font is.
    public struct Weight: Hashable, Sendable {
        let css: String
        /// The lightest.
        public static let ultraLight = Weight(css: "100")
        /// Thin.
        public static let thin = Weight(css: "200")
        /// Light.
        public static let light = Weight(css: "300")
        /// Regular.
        public static let regular = Weight(css: "400")
        /// Medium.
        public static let medium = Weight(css: "500")
        /// Semibold.
        public static let semibold = Weight(css: "600")
        /// Bold.
        public static let bold = Weight(css: "700")
        /// Heavy.
        public static let heavy = Weight(css: "800")
        /// The heaviest.
        public static let black = Weight(css: "900")
    }

    /// The family of a font.
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

    /// For the largest titles.
    public static let largeTitle = style(.largeTitle)
    /// For titles.
    public static let title = style(.title)
    /// For titles of the second level.
    public static let title2 = style(.title2)
    /// For titles of the third level.
    public static let title3 = style(.title3)
    /// For headings.
    public static let headline = style(.headline)
    /// For headings of the second level.
    public static let subheadline = style(.subheadline)
    /// For text.
    public static let body = style(.body)
    /// For callouts.
    public static let callout = style(.callout)
    /// For footnotes.
    public static let footnote = style(.footnote)
    /// For captions.
    public static let caption = style(.caption)
    /// For small captions.
    public static let caption2 = style(.caption2)

    /// The font of the system, of a size in points.
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        var font = Font(size: "\(PropertyValue.number(Double(size) / 16).text)rem")
        font.weight = weight
        font.family = (design ?? .default).rawValue
        return font
    }

    /// The font of the system, for a purpose.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        var font = Self.style(style, weight)
        font.family = (design ?? .default).rawValue
        return font
    }

    /// A font by its name. Names of letters, digits, spaces and hyphens are asked of the browser.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        var font = system(size: size)
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || " -".contains($0)) }
        font.family = "\"\(plain)\", system-ui"
        return font
    }

    /// A font by its name, of a fixed size.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { custom(name, size: fixedSize) }
    /// A font by its name; the browser makes it larger if the user wants that.
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font {
        custom(name, size: size)
    }

    /// The font, lighter or heavier.
    public func weight(_ weight: Weight) -> Font {
        var font = self
        font.weight = weight
        return font
    }

    /// The font in bold.
    public func bold() -> Font { weight(.bold) }

    /// The font in italics.
    public func italic() -> Font {
        var font = self
        font.isItalic = true
        return font
    }

    /// The font with digits of one width.
    public func monospacedDigit() -> Font { self }
}
