// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A colour. It is a view too, which fills its place.
nonisolated public struct Color: View, ShapeStyle, Filling, Hashable, Sendable {
    /// A space of colours.
    public enum RGBColorSpace: Hashable, Sendable { case sRGB, sRGBLinear, displayP3 }

    let css: String

    init(css: String) { self.css = css }

    /// Makes a colour of its parts.
    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        let parts = [red, green, blue].map { String(Int((min(max($0, 0), 1) * 255).rounded())) }
        css = "rgb(\(parts.joined(separator: " ")) / \(PropertyValue.number(opacity).text))"
    }

    /// Makes a grey.
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(red: white, green: white, blue: white, opacity: opacity)
    }

    /// Makes a colour of hue, saturation and brightness.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        let part = { (n: Double) -> Double in
            let k = (n + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), opacity: opacity)
    }

    /// Makes a colour that the program's style sheet names; a page that has none shows the primary one.
    public init(_ name: String, bundle: Bundle? = nil) {
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        css = "var(--color-\(plain), var(--primary))"
    }

    /// The colour, more transparent.
    public func opacity(_ opacity: Double) -> Color {
        Color(css: "color-mix(in srgb, \(css) \(PropertyValue.number((opacity * 100).rounded()).text)%, transparent)")
    }

    /// Red.
    public static let red = Color(css: "var(--red)")
    /// Orange.
    public static let orange = Color(css: "var(--orange)")
    /// Yellow.
    public static let yellow = Color(css: "var(--yellow)")
    /// Green.
    public static let green = Color(css: "var(--green)")
    /// Mint.
    public static let mint = Color(css: "var(--mint)")
    /// Teal.
    public static let teal = Color(css: "var(--teal)")
    /// Cyan.
    public static let cyan = Color(css: "var(--cyan)")
    /// Blue.
    public static let blue = Color(css: "var(--blue)")
    /// Indigo.
    public static let indigo = Color(css: "var(--indigo)")
    /// Purple.
    public static let purple = Color(css: "var(--purple)")
    /// Pink.
    public static let pink = Color(css: "var(--pink)")
    /// Brown.
    public static let brown = Color(css: "var(--brown)")
    /// White.
    public static let white = Color(css: "#fff")
    /// Grey.
    public static let gray = Color(css: "var(--gray)")
    /// Black.
    public static let black = Color(css: "#000")
    /// Nothing to see.
    public static let clear = Color(css: "transparent")
    /// The colour of text.
    public static let primary = Color(css: "var(--primary)")
    /// The colour of less important text.
    public static let secondary = Color(css: "var(--secondary)")
    /// The colour of controls.
    public static let accentColor = Color(css: "var(--accent)")
}

/// Something to fill a shape or to draw text with.
public protocol ShapeStyle: Sendable {
    /// As a style sheet writes it.
    var _css: String { get }
}

extension Color {
    /// As a style sheet writes it.
    public var _css: String { css }
}

extension ShapeStyle where Self == Color {
    /// Red.
    public static var red: Color { .red }
    /// Orange.
    public static var orange: Color { .orange }
    /// Yellow.
    public static var yellow: Color { .yellow }
    /// Green.
    public static var green: Color { .green }
    /// Mint.
    public static var mint: Color { .mint }
    /// Teal.
    public static var teal: Color { .teal }
    /// Cyan.
    public static var cyan: Color { .cyan }
    /// Blue.
    public static var blue: Color { .blue }
    /// Indigo.
    public static var indigo: Color { .indigo }
    /// Purple.
    public static var purple: Color { .purple }
    /// Pink.
    public static var pink: Color { .pink }
    /// Brown.
    public static var brown: Color { .brown }
    /// White.
    public static var white: Color { .white }
    /// Grey.
    public static var gray: Color { .gray }
    /// Black.
    public static var black: Color { .black }
    /// Nothing to see.
    public static var clear: Color { .clear }
    /// The colour of controls.
    public static var accentColor: Color { .accentColor }
}

/// A style of less and less important content.
public struct HierarchicalShapeStyle: ShapeStyle {
    /// As a style sheet writes it.
    public let _css: String
    /// The most important.
    public static let primary = HierarchicalShapeStyle(_css: "var(--primary)")
    /// Less important.
    public static let secondary = HierarchicalShapeStyle(_css: "var(--secondary)")
    /// Even less important.
    public static let tertiary = HierarchicalShapeStyle(_css: "var(--tertiary)")
    /// The least important.
    public static let quaternary = HierarchicalShapeStyle(_css: "var(--quaternary)")
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The most important.
    public static var primary: HierarchicalShapeStyle { .primary }
    /// Less important.
    public static var secondary: HierarchicalShapeStyle { .secondary }
    /// Even less important.
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
    /// The least important.
    public static var quaternary: HierarchicalShapeStyle { .quaternary }
}

/// A translucent background.
public struct Material: ShapeStyle {
    /// As a style sheet writes it.
    public let _css: String
    /// Nearly clear.
    public static let ultraThin = Material(_css: "var(--ultra-thin)")
    /// Clear.
    public static let thin = Material(_css: "var(--thin)")
    /// Between clear and opaque.
    public static let regular = Material(_css: "var(--regular)")
    /// Opaque.
    public static let thick = Material(_css: "var(--thick)")
    /// Nearly opaque.
    public static let ultraThick = Material(_css: "var(--ultra-thick)")
    /// That of bars.
    public static let bar = Material(_css: "var(--thick)")
}

extension ShapeStyle where Self == Material {
    /// Nearly clear.
    public static var ultraThinMaterial: Material { .ultraThin }
    /// Clear.
    public static var thinMaterial: Material { .thin }
    /// Between clear and opaque.
    public static var regularMaterial: Material { .regular }
    /// Opaque.
    public static var thickMaterial: Material { .thick }
    /// Nearly opaque.
    public static var ultraThickMaterial: Material { .ultraThick }
    /// That of bars.
    public static var bar: Material { .bar }
}

/// Colours that follow one another.
public struct Gradient: Hashable, Sendable {
    /// A colour at a place from 0 to 1.
    public struct Stop: Hashable, Sendable {
        /// The colour.
        public var color: Color
        /// The place.
        public var location: CGFloat
        /// Makes a stop.
        public init(color: Color, location: CGFloat) { (self.color, self.location) = (color, location) }
    }

    /// The stops.
    public var stops: [Stop]
    /// Makes a gradient of stops.
    public init(stops: [Stop]) { self.stops = stops }
    /// Makes a gradient of colours at even distances.
    public init(colors: [Color]) {
        let last = CGFloat(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / last) }
    }

    var css: String {
        stops.map { "\($0.color.css) \(Int($0.location * 100))%" }.joined(separator: ", ")
    }
}

/// A style that fills its place as a view.
protocol Filling: ShapeStyle, Primitive {}

extension Filling {
    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.shape)
        element.look[.background] = _css
        return Output(element)
    }
}

/// Colours around a place.
nonisolated public struct RadialGradient: View, ShapeStyle, Filling {
    /// As a style sheet writes it.
    public let _css: String

    /// Makes a gradient from one distance of a place to another.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        let stops = gradient.stops.map { stop in
            "\(stop.color.css) \(RegnumUI.css(startRadius + (endRadius - startRadius) * stop.location))"
        }
        _css = "radial-gradient(circle at \(center.css), \(stops.joined(separator: ", ")))"
    }

    /// Makes a gradient of colours from one distance of a place to another.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius)
    }
}

/// Colours by the angle at a place.
nonisolated public struct AngularGradient: View, ShapeStyle, Filling {
    /// As a style sheet writes it.
    public let _css: String

    /// Makes a gradient around a place.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = Angle()) {
        // A style sheet begins at the top, SwiftUI at the trailing side.
        _css = "conic-gradient(from \(Int(angle.degrees) + 90)deg at \(center.css), \(gradient.css))"
    }

    /// Makes a gradient of colours around a place.
    public init(colors: [Color], center: UnitPoint, angle: Angle = Angle()) {
        self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
    }
}

/// Colours along a line.
nonisolated public struct LinearGradient: View, ShapeStyle, Filling {
    /// As a style sheet writes it.
    public let _css: String

    /// Makes a gradient along a line.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        let angle = atan2(endPoint.x - startPoint.x, startPoint.y - endPoint.y)
        _css = "linear-gradient(\(Int(Angle(radians: Double(angle)).degrees.rounded()))deg, \(gradient.css))"
    }

    /// Makes a gradient of colours along a line.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }

    /// Makes a gradient of stops along a line.
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
}
