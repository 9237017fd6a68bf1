// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A side of a rectangle.
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
    case top, leading, bottom, trailing

    /// Some of the sides.
    public struct Set: OptionSet, Hashable, Sendable {
        /// A bit for each side.
        public let rawValue: Int8
        /// Makes a set of its bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Makes the set of one side.
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }

        /// The top.
        public static let top = Set(.top)
        /// The side where reading begins.
        public static let leading = Set(.leading)
        /// The bottom.
        public static let bottom = Set(.bottom)
        /// The side where reading ends.
        public static let trailing = Set(.trailing)
        /// Both vertical sides.
        public static let horizontal: Set = [.leading, .trailing]
        /// Top and bottom.
        public static let vertical: Set = [.top, .bottom]
        /// All sides.
        public static let all: Set = [.horizontal, .vertical]
    }
}

/// The left or right side, in the order of reading.
public enum HorizontalEdge: Int8, CaseIterable, Hashable, Sendable {
    case leading, trailing
}

/// The top or bottom side.
public enum VerticalEdge: Int8, CaseIterable, Hashable, Sendable {
    case top, bottom

    /// Some of the two.
    public struct Set: OptionSet, Hashable, Sendable {
        /// A bit for each side.
        public let rawValue: Int8
        /// Makes a set of its bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// The top.
        public static let top = Set(rawValue: 1)
        /// The bottom.
        public static let bottom = Set(rawValue: 2)
        /// Both.
        public static let all: Set = [.top, .bottom]
    }
}

/// Distances from the four sides.
public struct EdgeInsets: Equatable, Sendable {
    /// The distance from the top.
    public var top: CGFloat
    /// The distance from the side where reading begins.
    public var leading: CGFloat
    /// The distance from the bottom.
    public var bottom: CGFloat
    /// The distance from the side where reading ends.
    public var trailing: CGFloat

    /// Makes distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    /// Makes distances of nothing.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

    /// As a style sheet writes it.
    var css: String { "\(css(of: top)) \(css(of: trailing)) \(css(of: bottom)) \(css(of: leading))" }

    private func css(of value: CGFloat) -> String { RegnumUI.css(value) }
}

/// A length as a style sheet writes it.
func css(_ length: CGFloat) -> String {
    length == .infinity ? "100%" : "\(PropertyValue.number(Double(length)).text)px"
}

/// A horizontal or vertical direction.
public enum Axis: Int8, CaseIterable, Hashable, Sendable {
    case horizontal, vertical

    /// Some of the two.
    public struct Set: OptionSet, Hashable, Sendable {
        /// A bit for each direction.
        public let rawValue: Int8
        /// Makes a set of its bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// From side to side.
        public static let horizontal = Set(rawValue: 1)
        /// From top to bottom.
        public static let vertical = Set(rawValue: 2)
    }
}

/// How views are aligned from side to side.
public struct HorizontalAlignment: Equatable, Sendable {
    let css: String
    /// At the side where reading begins.
    public static let leading = HorizontalAlignment(css: "start")
    /// In the middle.
    public static let center = HorizontalAlignment(css: "center")
    /// At the side where reading ends.
    public static let trailing = HorizontalAlignment(css: "end")
}

/// How views are aligned from top to bottom.
public struct VerticalAlignment: Equatable, Sendable {
    let css: String
    /// At the top.
    public static let top = VerticalAlignment(css: "start")
    /// In the middle.
    public static let center = VerticalAlignment(css: "center")
    /// At the bottom.
    public static let bottom = VerticalAlignment(css: "end")
    /// At the first line of text.
    public static let firstTextBaseline = VerticalAlignment(css: "first baseline")
    /// At the last line of text.
    public static let lastTextBaseline = VerticalAlignment(css: "last baseline")
}

/// How views are aligned in both directions.
public struct Alignment: Equatable, Sendable {
    /// From side to side.
    public var horizontal: HorizontalAlignment
    /// From top to bottom.
    public var vertical: VerticalAlignment

    /// Makes an alignment.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// In the middle of the side where reading begins.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// In the middle of the side where reading ends.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// In the middle of the top.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// In the middle of the bottom.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// In the corner where reading begins, at the top.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// In the corner where reading ends, at the top.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// In the corner where reading begins, at the bottom.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// In the corner where reading ends, at the bottom.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)

    var look: [Element.LookName: String] { [.alignment: vertical.css, .justification: horizontal.css] }
}

/// How lines of a text are aligned.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable {
    case leading = "start"
    case center
    case trailing = "end"
}

/// A place in a rectangle, from 0 to 1 in both directions.
public struct UnitPoint: Hashable, Sendable {
    /// From the side where reading begins.
    public var x: CGFloat
    /// From the top.
    public var y: CGFloat

    /// Makes a place.
    public init(x: CGFloat = 0, y: CGFloat = 0) { (self.x, self.y) = (x, y) }

    /// The corner at the top where reading begins.
    public static let zero = UnitPoint()
    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The middle of the side where reading begins.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// The middle of the side where reading ends.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    /// The middle of the top.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The middle of the bottom.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The corner at the top where reading begins.
    public static let topLeading = UnitPoint(x: 0, y: 0)
    /// The corner at the top where reading ends.
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    /// The corner at the bottom where reading begins.
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    /// The corner at the bottom where reading ends.
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)

    /// As a style sheet writes it.
    var css: String { "\(Int(x * 100))% \(Int(y * 100))%" }
}

/// An angle.
public struct Angle: Hashable, Sendable {
    /// In radians.
    public var radians: Double
    /// In degrees.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }

    /// Makes no angle.
    public init() { radians = 0 }
    /// Makes an angle of radians.
    public init(radians: Double) { self.radians = radians }
    /// Makes an angle of degrees.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// Makes an angle of degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// Makes an angle of radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// No angle.
    public static let zero = Angle(radians: 0)
}

extension Angle: Comparable, AdditiveArithmetic {
    /// Whether one is smaller.
    public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
    /// The sum.
    public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }
    /// The difference.
    public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }
    /// The opposite.
    public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }
    /// A multiple.
    public static func * (a: Angle, factor: Double) -> Angle { Angle(radians: a.radians * factor) }
    /// A multiple.
    public static func * (factor: Double, a: Angle) -> Angle { a * factor }
    /// A part.
    public static func / (a: Angle, divisor: Double) -> Angle { Angle(radians: a.radians / divisor) }
    /// Multiplies.
    public static func *= (a: inout Angle, factor: Double) { a = a * factor }
    /// Divides.
    public static func /= (a: inout Angle, divisor: Double) { a = a / divisor }
}

/// A column or row of a grid.
public struct GridItem: Sendable {
    /// How wide a column or how high a row is.
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    /// How wide or high it is.
    public var size: Size
    /// The gap after it.
    public var spacing: CGFloat?
    /// How views in it are aligned.
    public var alignment: Alignment?

    /// Makes a column or row.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        (self.size, self.spacing, self.alignment) = (size, spacing, alignment)
    }

    var css: String {
        switch size {
        case .fixed(let length): RegnumUI.css(length)
        case .flexible(let minimum, _): "minmax(\(RegnumUI.css(minimum)), 1fr)"
        case .adaptive(let minimum, _): "repeat(auto-fill, minmax(\(RegnumUI.css(minimum)), 1fr))"
        }
    }
}

/// Which headers and footers stay in view.
public struct PinnedScrollableViews: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt32
    /// Makes a set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The headers.
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    /// The footers.
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}
