// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A colour as UIKit names it, for `Color(.systemGray6)`. Nothing else of UIKit's class is here.
public struct UIColor: Hashable, Sendable {
    let css: String

    private init(_ css: String) { self.css = css }
    private init(light: String, dark: String) { css = "light-dark(\(light), \(dark))" }

    /// Makes a colour of its parts.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        css = Color(red: Double(red), green: Double(green), blue: Double(blue), opacity: Double(alpha)).css
    }
    /// Makes a grey.
    public init(white: CGFloat, alpha: CGFloat) { self.init(red: white, green: white, blue: white, alpha: alpha) }

    /// The grounds of pages, and what lies on them.
    public static let systemBackground = UIColor(light: "#fff", dark: "#000")
    /// The ground of groups.
    public static let secondarySystemBackground = UIColor(light: "#f2f2f7", dark: "#1c1c1e")
    /// The ground of groups in groups.
    public static let tertiarySystemBackground = UIColor(light: "#fff", dark: "#2c2c2e")
    /// The ground of a page with groups.
    public static let systemGroupedBackground = UIColor(light: "#f2f2f7", dark: "#000")
    /// The ground of its groups.
    public static let secondarySystemGroupedBackground = UIColor(light: "#fff", dark: "#1c1c1e")
    /// The ground of groups in groups.
    public static let tertiarySystemGroupedBackground = UIColor(light: "#f2f2f7", dark: "#2c2c2e")
    /// The colour of controls' grounds.
    public static let systemFill = UIColor(light: "rgb(120 120 128 / 20%)", dark: "rgb(120 120 128 / 36%)")
    /// A lighter one.
    public static let secondarySystemFill = UIColor(light: "rgb(120 120 128 / 16%)", dark: "rgb(120 120 128 / 32%)")
    /// The colour of text.
    public static let label = UIColor("var(--primary)")
    /// The colour of less important text.
    public static let secondaryLabel = UIColor("var(--secondary)")
    /// The colour of even less important text.
    public static let tertiaryLabel = UIColor("var(--tertiary)")
    /// The colour of lines.
    public static let separator = UIColor("var(--line)")
    /// The colour of links.
    public static let link = UIColor("var(--accent)")
    /// The colour of controls.
    public static let tintColor = UIColor("var(--accent)")
    /// Grey.
    public static let systemGray = UIColor("var(--gray)")
    /// A lighter grey.
    public static let systemGray2 = UIColor(light: "#aeaeb2", dark: "#636366")
    /// A lighter grey.
    public static let systemGray3 = UIColor(light: "#c7c7cc", dark: "#48484a")
    /// A lighter grey.
    public static let systemGray4 = UIColor(light: "#d1d1d6", dark: "#3a3a3c")
    /// A lighter grey.
    public static let systemGray5 = UIColor(light: "#e5e5ea", dark: "#2c2c2e")
    /// A lighter grey.
    public static let systemGray6 = UIColor(light: "#f2f2f7", dark: "#1c1c1e")
    /// Red that follows the scheme.
    public static let systemRed = UIColor("var(--red)")
    /// Orange that follows the scheme.
    public static let systemOrange = UIColor("var(--orange)")
    /// Yellow that follows the scheme.
    public static let systemYellow = UIColor("var(--yellow)")
    /// Green that follows the scheme.
    public static let systemGreen = UIColor("var(--green)")
    /// Teal that follows the scheme.
    public static let systemTeal = UIColor("var(--teal)")
    /// Blue that follows the scheme.
    public static let systemBlue = UIColor("var(--blue)")
    /// Indigo that follows the scheme.
    public static let systemIndigo = UIColor("var(--indigo)")
    /// Purple that follows the scheme.
    public static let systemPurple = UIColor("var(--purple)")
    /// Pink that follows the scheme.
    public static let systemPink = UIColor("var(--pink)")
    /// White.
    public static let white = UIColor("#fff")
    /// Black.
    public static let black = UIColor("#000")
    /// Nothing to see.
    public static let clear = UIColor("transparent")
    /// Grey.
    public static let gray = UIColor("#808080")
    /// Light grey.
    public static let lightGray = UIColor("#aaa")
    /// Dark grey.
    public static let darkGray = UIColor("#555")
    /// Red.
    public static let red = UIColor("#f00")
    /// Green.
    public static let green = UIColor("#0f0")
    /// Blue.
    public static let blue = UIColor("#00f")
    /// Yellow.
    public static let yellow = UIColor("#ff0")
    /// Orange.
    public static let orange = UIColor("#ff8000")
}

extension UIColor: _ExpressibleByColorLiteral {
    /// Makes the colour of a literal.
    public init(_colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float) {
        self.init(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
    }
}

/// The type of a color literal that nothing else gives a type.
public typealias _ColorLiteralType = UIColor

extension Color {
    /// Makes a colour of one of UIKit's.
    public init(_ color: UIColor) { self.init(css: color.css) }
    /// Makes a colour of one of UIKit's.
    public init(uiColor: UIColor) { self.init(uiColor) }
}
