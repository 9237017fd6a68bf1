// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A colour. Used as a view, it fills its frame.
nonisolated public struct Color: View, ShapeStyle, Filling, Hashable, Sendable {
    /// The colour space of components. All spaces are treated as sRGB in the browser host.
    public enum RGBColorSpace: Hashable, Sendable { case sRGB, sRGBLinear, displayP3 }

    let css: String

    init(css: String) { self.css = css }

    /// Creates a colour from components between 0 and 1.
    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        let parts = [red, green, blue].map { String(Int((min(max($0, 0), 1) * 255).rounded())) }
        css = "rgb(\(parts.joined(separator: " ")) / \(PropertyValue.number(opacity).text))"
    }

    /// Creates a shade of grey from a brightness between 0 and 1.
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(red: white, green: white, blue: white, opacity: opacity)
    }

    /// Creates a colour from hue, saturation, and brightness, each between 0 and 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        let part = { (n: Double) -> Double in
            let k = (n + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), opacity: opacity)
    }

    /// Creates the colour that the app's style sheet defines as `--color-` and the name. An undefined name shows the
    /// primary colour. `bundle` has no effect.
    public init(_ name: String, bundle: Bundle? = nil) {
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        css = "var(--color-\(plain), var(--primary))"
    }

    /// Returns the colour with its opacity multiplied by a factor.
    public func opacity(_ opacity: Double) -> Color {
        Color(css: "color-mix(in srgb, \(css) \(PropertyValue.number((opacity * 100).rounded()).text)%, transparent)")
    }

    /// The colour red.
    public static let red = Color(css: "var(--red)")
    /// The colour orange.
    public static let orange = Color(css: "var(--orange)")
    /// The colour yellow.
    public static let yellow = Color(css: "var(--yellow)")
    /// The colour green.
    public static let green = Color(css: "var(--green)")
    /// The colour mint.
    public static let mint = Color(css: "var(--mint)")
    /// The colour teal.
    public static let teal = Color(css: "var(--teal)")
    /// The colour cyan.
    public static let cyan = Color(css: "var(--cyan)")
    /// The colour blue.
    public static let blue = Color(css: "var(--blue)")
    /// The colour indigo.
    public static let indigo = Color(css: "var(--indigo)")
    /// The colour purple.
    public static let purple = Color(css: "var(--purple)")
    /// The colour pink.
    public static let pink = Color(css: "var(--pink)")
    /// The colour brown.
    public static let brown = Color(css: "var(--brown)")
    /// The colour white.
    public static let white = Color(css: "#fff")
    /// The colour grey.
    public static let gray = Color(css: "var(--gray)")
    /// The colour black.
    public static let black = Color(css: "#000")
    /// A fully transparent colour.
    public static let clear = Color(css: "transparent")
    /// The default colour of text.
    public static let primary = Color(css: "var(--primary)")
    /// The colour of secondary text.
    public static let secondary = Color(css: "var(--secondary)")
    /// The accent colour of controls.
    public static let accentColor = Color(css: "var(--accent)")
}

/// A style for filling shapes and drawing text.
public protocol ShapeStyle: Sendable {
    /// The style as a CSS value.
    var _css: String { get }
}

extension Color {
    /// The style as a CSS value.
    public var _css: String { css }
}

extension ShapeStyle where Self == Color {
    /// The colour red.
    public static var red: Color { .red }
    /// The colour orange.
    public static var orange: Color { .orange }
    /// The colour yellow.
    public static var yellow: Color { .yellow }
    /// The colour green.
    public static var green: Color { .green }
    /// The colour mint.
    public static var mint: Color { .mint }
    /// The colour teal.
    public static var teal: Color { .teal }
    /// The colour cyan.
    public static var cyan: Color { .cyan }
    /// The colour blue.
    public static var blue: Color { .blue }
    /// The colour indigo.
    public static var indigo: Color { .indigo }
    /// The colour purple.
    public static var purple: Color { .purple }
    /// The colour pink.
    public static var pink: Color { .pink }
    /// The colour brown.
    public static var brown: Color { .brown }
    /// The colour white.
    public static var white: Color { .white }
    /// The colour grey.
    public static var gray: Color { .gray }
    /// The colour black.
    public static var black: Color { .black }
    /// A fully transparent colour.
    public static var clear: Color { .clear }
    /// The accent colour of controls.
    public static var accentColor: Color { .accentColor }
}

/// The style of content at a level of importance.
public struct HierarchicalShapeStyle: ShapeStyle {
    /// The style as a CSS value.
    public let _css: String
    /// The style of primary content.
    public static let primary = HierarchicalShapeStyle(_css: "var(--primary)")
    /// The style of secondary content.
    public static let secondary = HierarchicalShapeStyle(_css: "var(--secondary)")
    /// The style of tertiary content.
    public static let tertiary = HierarchicalShapeStyle(_css: "var(--tertiary)")
    /// The style of quaternary content.
    public static let quaternary = HierarchicalShapeStyle(_css: "var(--quaternary)")
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The style of primary content.
    public static var primary: HierarchicalShapeStyle { .primary }
    /// The style of secondary content.
    public static var secondary: HierarchicalShapeStyle { .secondary }
    /// The style of tertiary content.
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
    /// The style of quaternary content.
    public static var quaternary: HierarchicalShapeStyle { .quaternary }
}

/// A translucent background.
public struct Material: ShapeStyle {
    /// The style as a CSS value.
    public let _css: String
    /// A mostly transparent material.
    public static let ultraThin = Material(_css: "var(--ultra-thin)")
    /// A more transparent than opaque material.
    public static let thin = Material(_css: "var(--thin)")
    /// A partly transparent material.
    public static let regular = Material(_css: "var(--regular)")
    /// A more opaque than transparent material.
    public static let thick = Material(_css: "var(--thick)")
    /// A mostly opaque material.
    public static let ultraThick = Material(_css: "var(--ultra-thick)")
    /// The material of bars.
    public static let bar = Material(_css: "var(--thick)")
}

extension ShapeStyle where Self == Material {
    /// A mostly transparent material.
    public static var ultraThinMaterial: Material { .ultraThin }
    /// A more transparent than opaque material.
    public static var thinMaterial: Material { .thin }
    /// A partly transparent material.
    public static var regularMaterial: Material { .regular }
    /// A more opaque than transparent material.
    public static var thickMaterial: Material { .thick }
    /// A mostly opaque material.
    public static var ultraThickMaterial: Material { .ultraThick }
    /// The material of bars.
    public static var bar: Material { .bar }
}

/// A sequence of colours at locations along a line.
public struct Gradient: Hashable, Sendable {
    /// A colour at a location from 0 to 1.
    public struct Stop: Hashable, Sendable {
        /// The colour of the gradient at the location.
        public var color: Color
        /// The location, from 0 (start) to 1 (end).
        public var location: CGFloat
        /// Creates a stop.
        public init(color: Color, location: CGFloat) { (self.color, self.location) = (color, location) }
    }

    /// The colours and their locations.
    public var stops: [Stop]
    /// Creates a gradient from colours and their locations.
    public init(stops: [Stop]) { self.stops = stops }
    /// Creates a gradient from evenly spaced colours.
    public init(colors: [Color]) {
        let last = CGFloat(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / last) }
    }

    var css: String {
        stops.map { "\($0.color.css) \(Int($0.location * 100))%" }.joined(separator: ", ")
    }
}

protocol Filling: ShapeStyle, Primitive {}

extension Filling {
    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.shape)
        element.look[.background] = _css
        return Output(element)
    }
}

/// A gradient that radiates from a center.
nonisolated public struct RadialGradient: View, ShapeStyle, Filling {
    /// The style as a CSS value.
    public let _css: String

    /// Creates a radial gradient between two radii, in points.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        let stops = gradient.stops.map { stop in
            "\(stop.color.css) \(RegnumUI.css(startRadius + (endRadius - startRadius) * stop.location))"
        }
        _css = "radial-gradient(circle at \(center.css), \(stops.joined(separator: ", ")))"
    }

    /// Creates a radial gradient of evenly spaced colours between two radii, in points.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius)
    }
}

/// A gradient that turns around a center.
nonisolated public struct AngularGradient: View, ShapeStyle, Filling {
    /// The style as a CSS value.
    public let _css: String

    /// Creates an angular gradient that starts at an angle from the trailing side.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = Angle()) {
        // CSS gradients start at the top, SwiftUI's at the trailing side.
        _css = "conic-gradient(from \(Int(angle.degrees) + 90)deg at \(center.css), \(gradient.css))"
    }

    /// Creates an angular gradient of evenly spaced colours that starts at an angle from the trailing side.
    public init(colors: [Color], center: UnitPoint, angle: Angle = Angle()) {
        self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
    }
}

/// A linear gradient.
nonisolated public struct LinearGradient: View, ShapeStyle, Filling {
    /// The style as a CSS value.
    public let _css: String

    /// Creates a gradient in the direction from one point to another.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        let angle = atan2(endPoint.x - startPoint.x, startPoint.y - endPoint.y)
        _css = "linear-gradient(\(Int(Angle(radians: Double(angle)).degrees.rounded()))deg, \(gradient.css))"
    }

    /// Creates a gradient of evenly spaced colours in the direction from one point to another.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }

    /// Creates a gradient of colours and their locations in the direction from one point to another.
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
}
