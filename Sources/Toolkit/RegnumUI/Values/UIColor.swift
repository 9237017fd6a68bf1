// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A colour with UIKit's names, for uses such as `Color(.systemGray6)`. UIKit's other members aren't declared.
public struct UIColor: Hashable, Sendable {
    let css: String

    private init(_ css: String) { self.css = css }
    private init(light: String, dark: String) { css = "light-dark(\(light), \(dark))" }

    /// Creates a colour from components between 0 and 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        css = Color(red: Double(red), green: Double(green), blue: Double(blue), opacity: Double(alpha)).css
    }
    /// Creates a shade of grey from a brightness between 0 and 1.
    public init(white: CGFloat, alpha: CGFloat) { self.init(red: white, green: white, blue: white, alpha: alpha) }

    /// The background of pages.
    public static let systemBackground = UIColor(light: "#fff", dark: "#000")
    /// The background of content within a page.
    public static let secondarySystemBackground = UIColor(light: "#f2f2f7", dark: "#1c1c1e")
    /// The background of content within secondary content.
    public static let tertiarySystemBackground = UIColor(light: "#fff", dark: "#2c2c2e")
    /// The background of grouped pages.
    public static let systemGroupedBackground = UIColor(light: "#f2f2f7", dark: "#000")
    /// The background of content within a grouped page.
    public static let secondarySystemGroupedBackground = UIColor(light: "#fff", dark: "#1c1c1e")
    /// The background of content within a group.
    public static let tertiarySystemGroupedBackground = UIColor(light: "#f2f2f7", dark: "#2c2c2e")
    /// The background of small controls.
    public static let systemFill = UIColor(light: "rgb(120 120 128 / 20%)", dark: "rgb(120 120 128 / 36%)")
    /// The background of medium-sized controls.
    public static let secondarySystemFill = UIColor(light: "rgb(120 120 128 / 16%)", dark: "rgb(120 120 128 / 32%)")
    /// The colour of text.
    public static let label = UIColor("var(--primary)")
    /// The colour of secondary text.
    public static let secondaryLabel = UIColor("var(--secondary)")
    /// The colour of tertiary text.
    public static let tertiaryLabel = UIColor("var(--tertiary)")
    /// The colour of separators.
    public static let separator = UIColor("var(--line)")
    /// The colour of links.
    public static let link = UIColor("var(--accent)")
    /// The accent colour of controls.
    public static let tintColor = UIColor("var(--accent)")
    /// The colour grey.
    public static let systemGray = UIColor("var(--gray)")
    /// A shade of grey that adapts to the colour scheme.
    public static let systemGray2 = UIColor(light: "#aeaeb2", dark: "#636366")
    /// A shade of grey that adapts to the colour scheme.
    public static let systemGray3 = UIColor(light: "#c7c7cc", dark: "#48484a")
    /// A shade of grey that adapts to the colour scheme.
    public static let systemGray4 = UIColor(light: "#d1d1d6", dark: "#3a3a3c")
    /// A shade of grey that adapts to the colour scheme.
    public static let systemGray5 = UIColor(light: "#e5e5ea", dark: "#2c2c2e")
    /// A shade of grey that adapts to the colour scheme.
    public static let systemGray6 = UIColor(light: "#f2f2f7", dark: "#1c1c1e")
    /// The colour red, adapted to the colour scheme.
    public static let systemRed = UIColor("var(--red)")
    /// The colour orange, adapted to the colour scheme.
    public static let systemOrange = UIColor("var(--orange)")
    /// The colour yellow, adapted to the colour scheme.
    public static let systemYellow = UIColor("var(--yellow)")
    /// The colour green, adapted to the colour scheme.
    public static let systemGreen = UIColor("var(--green)")
    /// The colour teal, adapted to the colour scheme.
    public static let systemTeal = UIColor("var(--teal)")
    /// The colour blue, adapted to the colour scheme.
    public static let systemBlue = UIColor("var(--blue)")
    /// The colour indigo, adapted to the colour scheme.
    public static let systemIndigo = UIColor("var(--indigo)")
    /// The colour purple, adapted to the colour scheme.
    public static let systemPurple = UIColor("var(--purple)")
    /// The colour pink, adapted to the colour scheme.
    public static let systemPink = UIColor("var(--pink)")
    /// The colour white.
    public static let white = UIColor("#fff")
    /// The colour black.
    public static let black = UIColor("#000")
    /// A fully transparent colour.
    public static let clear = UIColor("transparent")
    /// The colour grey.
    public static let gray = UIColor("#808080")
    /// The colour light grey.
    public static let lightGray = UIColor("#aaa")
    /// The colour dark grey.
    public static let darkGray = UIColor("#555")
    /// The colour red.
    public static let red = UIColor("#f00")
    /// The colour green.
    public static let green = UIColor("#0f0")
    /// The colour blue.
    public static let blue = UIColor("#00f")
    /// The colour yellow.
    public static let yellow = UIColor("#ff0")
    /// The colour orange.
    public static let orange = UIColor("#ff8000")
}

extension UIColor: _ExpressibleByColorLiteral {
    /// Creates a colour from a colour literal.
    public init(_colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float) {
        self.init(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
    }
}

/// The type of a colour literal whose context doesn't determine a type.
public typealias _ColorLiteralType = UIColor

extension Color {
    /// Creates a colour from a UIKit colour.
    public init(_ color: UIColor) { self.init(css: color.css) }
    /// Creates a colour from a UIKit colour.
    public init(uiColor: UIColor) { self.init(uiColor) }
}
