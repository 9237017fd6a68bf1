// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A two-dimensional shape, which fills its frame.
@MainActor @preconcurrency public protocol Shape: View, Sendable {
    /// Returns the outline of the shape in a rectangle. In the browser host, the rectangle is a square of 100 points,
    /// and the page scales the outline to the frame.
    nonisolated func path(in rect: CGRect) -> Path
}

/// The page draws it as a rectangle with rounded corners.
@MainActor protocol KnownShape: Shape {
    /// As a CSS value.
    @MainActor var radius: String { get }
}

extension Shape {
    /// A view that fills the shape with the colour of text.
    @MainActor public var body: some View { ShapeView(shape: self, look: [.fill: "currentColor"]) }

    /// Returns a view that fills the shape with a colour, gradient, or material.
    nonisolated public func fill<S>(_ content: S, style: FillStyle = FillStyle()) -> some View where S: ShapeStyle {
        ShapeView(shape: self, look: [.fill: content._css])
    }

    /// Returns a view that strokes the outline of the shape with a line of a width in points.
    nonisolated public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> some View where S: ShapeStyle {
        ShapeView(shape: self, look: [.stroke: "\(css(lineWidth)) \(content._css)"])
    }

    /// Returns a view that strokes the outline of the shape. Only the width of `style` has an effect in the browser
    /// host.
    nonisolated public func stroke<S>(_ content: S, style: StrokeStyle) -> some View where S: ShapeStyle {
        stroke(content, lineWidth: style.lineWidth)
    }

    /// Returns a view that strokes the outline of the shape in the colour of text.
    nonisolated public func stroke(lineWidth: CGFloat = 1) -> some View {
        stroke(HierarchicalShapeStyle.primary, lineWidth: lineWidth)
    }

    /// Returns a view that strokes the outline of the shape in the colour of text. Only the width of `style` has an
    /// effect in the browser host.
    nonisolated public func stroke(style: StrokeStyle) -> some View { stroke(lineWidth: style.lineWidth) }

    /// Returns a view that strokes the outline of the shape. In the browser host, it's the same as `stroke`.
    nonisolated public func strokeBorder<S>(_ content: S, style: StrokeStyle) -> some View where S: ShapeStyle {
        stroke(content, style: style)
    }

    /// Returns a view that strokes the outline of the shape. In the browser host, it's the same as `stroke`.
    nonisolated public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1) -> some View where S: ShapeStyle {
        stroke(content, lineWidth: lineWidth)
    }

    /// Returns the whole shape: partial outlines have no effect in the browser host.
    nonisolated public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> Self { self }
}

/// The style of filling a shape. Has no effect in the browser host.
public struct FillStyle: Equatable, Sendable {
    /// A Boolean value that indicates whether the even-odd rule determines the inside of the shape.
    public var isEOFilled: Bool
    /// A Boolean value that indicates whether edges are antialiased.
    public var isAntialiased: Bool
    /// Creates a style.
    public init(eoFill: Bool = false, antialiased: Bool = true) { (isEOFilled, isAntialiased) = (eoFill, antialiased) }
}

/// The shape of a line's ends. Has no effect in the browser host.
public enum CGLineCap: Int32, Sendable { case butt, round, square }
/// The shape of a line's corners. Has no effect in the browser host.
public enum CGLineJoin: Int32, Sendable { case miter, round, bevel }

/// The style of a stroked line. Only its width has an effect in the browser host.
public struct StrokeStyle: Equatable, Sendable {
    /// The width of the line, in points.
    public var lineWidth: CGFloat
    /// The shape of the line's ends.
    public var lineCap: CGLineCap
    /// The shape of the line's corners.
    public var lineJoin: CGLineJoin
    /// The limit of the ratio of a miter join's length to the line's width.
    public var miterLimit: CGFloat
    /// The lengths of alternating dashes and gaps, in points.
    public var dash: [CGFloat]
    /// The offset into the dash pattern at the start of the line, in points.
    public var dashPhase: CGFloat
    /// Creates a style.
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = [], dashPhase: CGFloat = 0
    ) {
        (self.lineWidth, self.lineCap, self.lineJoin) = (lineWidth, lineCap, lineJoin)
        (self.miterLimit, self.dash, self.dashPhase) = (miterLimit, dash, dashPhase)
    }
}

nonisolated struct ShapeView<S: Shape>: View, Primitive {
    let shape: S
    let look: [Element.LookName: String]

    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.shape)
        element.look = look
        if let known = shape as? any KnownShape {
            element.look[.radius] = known.radius
        } else {
            element.state[.path] = .text(shape.path(in: CGRect(x: 0, y: 0, width: 100, height: 100)).svg)
        }
        return Output(element)
    }
}

/// An outline of lines and curves.
public struct Path: Equatable, Sendable {
    private(set) var svg = ""

    /// Creates an empty path.
    public init() {}
    /// Creates a path that a closure fills.
    public init(_ callback: (inout Path) -> Void) { callback(&self) }
    /// Creates the outline of a rectangle.
    public init(_ rect: CGRect) { addRect(rect) }

    /// A Boolean value that indicates whether the path is empty.
    public var isEmpty: Bool { svg.isEmpty }

    private mutating func add(_ letter: String, _ points: CGPoint...) {
        svg +=
            letter
            + points.map { "\(PropertyValue.number(Double($0.x)).text) \(PropertyValue.number(Double($0.y)).text)" }
            .joined(separator: " ")
    }

    /// Starts a subpath at a point.
    public mutating func move(to end: CGPoint) { add("M", end) }
    /// Adds a line from the current point.
    public mutating func addLine(to end: CGPoint) { add("L", end) }
    /// Starts a subpath at the first point and adds lines that connect the points in order.
    public mutating func addLines(_ lines: [CGPoint]) {
        if let first = lines.first { move(to: first) }
        for line in lines.dropFirst() { addLine(to: line) }
    }
    /// Adds a cubic Bézier curve from the current point.
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        add("C", control1, control2, end)
    }
    /// Adds a quadratic Bézier curve from the current point.
    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) { add("Q", control, end) }
    /// Adds an arc of a circle, approximated by 32 lines. `clockwise` has no effect: the arc's direction is that from
    /// `startAngle` to `endAngle`.
    public mutating func addArc(
        center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool
    ) {
        let steps = 32
        for step in 0...steps {
            let angle = startAngle.radians + (endAngle.radians - startAngle.radians) * Double(step) / Double(steps)
            let point = CGPoint(x: center.x + radius * CGFloat(cos(angle)), y: center.y + radius * CGFloat(sin(angle)))
            if step == 0, isEmpty { move(to: point) } else { addLine(to: point) }
        }
    }
    /// Adds a rectangle as a closed subpath.
    public mutating func addRect(_ rect: CGRect) {
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        closeSubpath()
    }
    /// Adds a rectangle as a closed subpath. Its corners aren't rounded.
    public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize) { addRect(rect) }
    /// Closes the subpath with a line to its start.
    public mutating func closeSubpath() { svg += "Z" }
}

/// A rectangle.
nonisolated public struct Rectangle: Shape, KnownShape {
    /// Creates a rectangle.
    public init() {}
    /// Returns the outline of a rectangle.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "0" }
}

/// A rectangle with rounded corners.
nonisolated public struct RoundedRectangle: Shape, KnownShape {
    /// The size of each rounded corner, in points. Only its width has an effect in the browser host.
    public var cornerSize: CGSize
    /// Creates a rectangle with rounded corners. `style` has no effect in the browser host.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
    }
    /// Returns the outline of the rectangle without rounded corners, because the page draws the shape without a path.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { css(cornerSize.width) }
}

/// A circle. In the browser host, it's an ellipse if its frame isn't a square.
nonisolated public struct Circle: Shape, KnownShape {
    /// Creates a circle.
    public init() {}
    /// Returns the outline of the rectangle, because the page draws the shape without a path.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "50%" }
}

/// An ellipse.
nonisolated public struct Ellipse: Shape, KnownShape {
    /// Creates an ellipse.
    public init() {}
    /// Returns the outline of the rectangle, because the page draws the shape without a path.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "50%" }
}

/// A rectangle whose shorter sides are semicircles.
nonisolated public struct Capsule: Shape, KnownShape {
    /// Creates a capsule.
    public init(style: RoundedCornerStyle = .continuous) {}
    /// Returns the outline of the rectangle, because the page draws the shape without a path.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "999px" }
}

extension Shape where Self == Rectangle {
    /// A rectangle.
    nonisolated public static var rect: Rectangle { Rectangle() }
}
extension Shape where Self == Circle {
    /// A circle.
    nonisolated public static var circle: Circle { Circle() }
}
extension Shape where Self == Capsule {
    /// A rectangle whose shorter sides are semicircles.
    nonisolated public static var capsule: Capsule { Capsule() }
}

/// A shape that can be inset from its frame. Insets have no effect in the browser host.
@MainActor @preconcurrency public protocol InsettableShape: Shape {
    /// The type of the inset shape.
    associatedtype InsetShape: InsettableShape
    /// Returns the shape inset by an amount, in points, on each side.
    nonisolated func inset(by amount: CGFloat) -> InsetShape
}

extension Rectangle: InsettableShape {
    /// Returns the shape itself: insets have no effect in the browser host.
    public func inset(by amount: CGFloat) -> Rectangle { self }
}
extension RoundedRectangle: InsettableShape {
    /// Returns the shape itself: insets have no effect in the browser host.
    public func inset(by amount: CGFloat) -> RoundedRectangle { self }
}
extension Circle: InsettableShape {
    /// Returns the shape itself: insets have no effect in the browser host.
    public func inset(by amount: CGFloat) -> Circle { self }
}
extension Ellipse: InsettableShape {
    /// Returns the shape itself: insets have no effect in the browser host.
    public func inset(by amount: CGFloat) -> Ellipse { self }
}
extension Capsule: InsettableShape {
    /// Returns the shape itself: insets have no effect in the browser host.
    public func inset(by amount: CGFloat) -> Capsule { self }
}
