// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An edge of a rectangle.
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
    case top, leading, bottom, trailing

    /// A set of edges.
    public struct Set: OptionSet, Hashable, Sendable {
        /// The raw value, which has a bit for each edge.
        public let rawValue: Int8
        /// Creates a set from its raw value.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Creates a set of one edge.
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }

        /// The top edge.
        public static let top = Set(.top)
        /// The leading edge.
        public static let leading = Set(.leading)
        /// The bottom edge.
        public static let bottom = Set(.bottom)
        /// The trailing edge.
        public static let trailing = Set(.trailing)
        /// The leading and trailing edges.
        public static let horizontal: Set = [.leading, .trailing]
        /// The top and bottom edges.
        public static let vertical: Set = [.top, .bottom]
        /// All edges.
        public static let all: Set = [.horizontal, .vertical]
    }
}

/// The leading or trailing edge.
public enum HorizontalEdge: Int8, CaseIterable, Hashable, Sendable {
    case leading, trailing
}

/// The top or bottom edge.
public enum VerticalEdge: Int8, CaseIterable, Hashable, Sendable {
    case top, bottom

    /// A set of top and bottom edges.
    public struct Set: OptionSet, Hashable, Sendable {
        /// The raw value, which has a bit for each edge.
        public let rawValue: Int8
        /// Creates a set from its raw value.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// The top edge.
        public static let top = Set(rawValue: 1)
        /// The bottom edge.
        public static let bottom = Set(rawValue: 2)
        /// The top and bottom edges.
        public static let all: Set = [.top, .bottom]
    }
}

/// Distances from the four edges of a rectangle, in points.
public struct EdgeInsets: Equatable, Sendable {
    /// The distance from the top edge, in points.
    public var top: CGFloat
    /// The distance from the leading edge, in points.
    public var leading: CGFloat
    /// The distance from the bottom edge, in points.
    public var bottom: CGFloat
    /// The distance from the trailing edge, in points.
    public var trailing: CGFloat

    /// Creates insets.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    /// Creates insets of zero.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

    var css: String { "\(css(of: top)) \(css(of: trailing)) \(css(of: bottom)) \(css(of: leading))" }

    private func css(of value: CGFloat) -> String { RegnumUI.css(value) }
}

/// In points. An infinite length is `100%`.
func css(_ length: CGFloat) -> String {
    length == .infinity ? "100%" : "\(PropertyValue.number(Double(length)).text)px"
}

/// A horizontal or vertical direction.
public enum Axis: Int8, CaseIterable, Hashable, Sendable {
    case horizontal, vertical

    /// A set of axes.
    public struct Set: OptionSet, Hashable, Sendable {
        /// The raw value, which has a bit for each axis.
        public let rawValue: Int8
        /// Creates a set from its raw value.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// The horizontal axis.
        public static let horizontal = Set(rawValue: 1)
        /// The vertical axis.
        public static let vertical = Set(rawValue: 2)
    }
}

/// The horizontal alignment of views.
public struct HorizontalAlignment: Equatable, Sendable {
    let css: String
    /// Leading alignment.
    public static let leading = HorizontalAlignment(css: "start")
    /// Centered alignment.
    public static let center = HorizontalAlignment(css: "center")
    /// Trailing alignment.
    public static let trailing = HorizontalAlignment(css: "end")
}

/// The vertical alignment of views.
public struct VerticalAlignment: Equatable, Sendable {
    let css: String
    /// Top alignment.
    public static let top = VerticalAlignment(css: "start")
    /// Centered alignment.
    public static let center = VerticalAlignment(css: "center")
    /// Bottom alignment.
    public static let bottom = VerticalAlignment(css: "end")
    /// Alignment at the first line of text.
    public static let firstTextBaseline = VerticalAlignment(css: "first baseline")
    /// Alignment at the last line of text.
    public static let lastTextBaseline = VerticalAlignment(css: "last baseline")
}

/// The alignment of views on both axes.
public struct Alignment: Equatable, Sendable {
    /// The horizontal alignment.
    public var horizontal: HorizontalAlignment
    /// The vertical alignment.
    public var vertical: VerticalAlignment

    /// Creates an alignment.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// Centered alignment on both axes.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// Alignment at the leading edge, centered vertically.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// Alignment at the trailing edge, centered vertically.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// Alignment at the top edge, centered horizontally.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// Alignment at the bottom edge, centered horizontally.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// Alignment at the top leading corner.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// Alignment at the top trailing corner.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// Alignment at the bottom leading corner.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// Alignment at the bottom trailing corner.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)

    var look: [Element.LookName: String] { [.alignment: vertical.css, .justification: horizontal.css] }
}

/// The alignment of lines in a text.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable {
    case leading = "start"
    case center
    case trailing = "end"
}

/// A point in the unit square of a view, whose top leading corner is zero.
public struct UnitPoint: Hashable, Sendable {
    /// The horizontal position, from 0 (leading) to 1 (trailing).
    public var x: CGFloat
    /// The vertical position, from 0 (top) to 1 (bottom).
    public var y: CGFloat

    /// Creates a point from positions between 0 and 1.
    public init(x: CGFloat = 0, y: CGFloat = 0) { (self.x, self.y) = (x, y) }

    /// The top leading corner.
    public static let zero = UnitPoint()
    /// The center.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The center of the leading edge.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// The center of the trailing edge.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    /// The center of the top edge.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The center of the bottom edge.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The top leading corner.
    public static let topLeading = UnitPoint(x: 0, y: 0)
    /// The top trailing corner.
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    /// The bottom leading corner.
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    /// The bottom trailing corner.
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)

    var css: String { "\(Int(x * 100))% \(Int(y * 100))%" }
}

/// An angle, measured in radians or degrees.
public struct Angle: Hashable, Sendable {
    /// The angle in radians.
    public var radians: Double
    /// The angle in degrees.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }

    /// Creates an angle of zero.
    public init() { radians = 0 }
    /// Creates an angle from radians.
    public init(radians: Double) { self.radians = radians }
    /// Creates an angle from degrees.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// Returns an angle from degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// Returns an angle from radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// An angle of zero.
    public static let zero = Angle(radians: 0)
}

extension Angle: Comparable, AdditiveArithmetic {
    /// Returns whether one angle is smaller than another.
    public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
    /// Returns the sum of two angles.
    public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }
    /// Returns the difference of two angles.
    public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }
    /// Returns the negated angle.
    public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }
    /// Returns a multiple of an angle.
    public static func * (a: Angle, factor: Double) -> Angle { Angle(radians: a.radians * factor) }
    /// Returns a multiple of an angle.
    public static func * (factor: Double, a: Angle) -> Angle { a * factor }
    /// Returns a fraction of an angle.
    public static func / (a: Angle, divisor: Double) -> Angle { Angle(radians: a.radians / divisor) }
    /// Multiplies an angle by a factor.
    public static func *= (a: inout Angle, factor: Double) { a = a * factor }
    /// Divides an angle by a divisor.
    public static func /= (a: inout Angle, divisor: Double) { a = a / divisor }
}

/// The layout of a grid's column or row.
public struct GridItem: Sendable {
    /// The width of a column or the height of a row, in points. `maximum` has no effect in the browser host.
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    /// The width of the column or the height of the row.
    public var size: Size
    /// The spacing after the column or row. Has no effect in the browser host.
    public var spacing: CGFloat?
    /// The alignment of views in the column or row. Has no effect in the browser host.
    public var alignment: Alignment?

    /// Creates the layout of a column or row.
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

/// The headers and footers that remain visible while scrolling. Has no effect in the browser host.
public struct PinnedScrollableViews: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: UInt32
    /// Creates a set from its raw value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The section headers.
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    /// The section footers.
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}
