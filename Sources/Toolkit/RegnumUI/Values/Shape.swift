// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A shape that is drawn in its place.
@MainActor @preconcurrency public protocol Shape: View, Sendable {
    /// The outline in a rectangle.
    nonisolated func path(in rect: CGRect) -> Path
}

/// A shape as the page draws it.
@MainActor protocol KnownShape: Shape {
    /// The radius of its corners, as a style sheet writes it.
    @MainActor var radius: String { get }
}

extension Shape {
    /// The shape, filled with the colour of text.
    @MainActor public var body: some View { ShapeView(shape: self, look: [.fill: "currentColor"]) }

    /// The shape, filled.
    nonisolated public func fill<S>(_ content: S, style: FillStyle = FillStyle()) -> some View where S: ShapeStyle {
        ShapeView(shape: self, look: [.fill: content._css])
    }

    /// The outline of the shape.
    nonisolated public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> some View where S: ShapeStyle {
        ShapeView(shape: self, look: [.stroke: "\(css(lineWidth)) \(content._css)"])
    }

    /// The outline of the shape.
    nonisolated public func stroke<S>(_ content: S, style: StrokeStyle) -> some View where S: ShapeStyle {
        stroke(content, lineWidth: style.lineWidth)
    }

    /// The outline of the shape, in the colour of text.
    nonisolated public func stroke(lineWidth: CGFloat = 1) -> some View {
        stroke(HierarchicalShapeStyle.primary, lineWidth: lineWidth)
    }

    /// The outline of the shape, in the colour of text.
    nonisolated public func stroke(style: StrokeStyle) -> some View { stroke(lineWidth: style.lineWidth) }

    /// The outline of the shape, inside its place.
    nonisolated public func strokeBorder<S>(_ content: S, style: StrokeStyle) -> some View where S: ShapeStyle {
        stroke(content, style: style)
    }

    /// The outline of the shape, inside its place.
    nonisolated public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1) -> some View where S: ShapeStyle {
        stroke(content, lineWidth: lineWidth)
    }

    /// The whole shape: parts are not drawn here.
    nonisolated public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> Self { self }
}

/// How a shape is filled.
public struct FillStyle: Equatable, Sendable {
    /// Whether the rule of even and odd holds.
    public var isEOFilled: Bool
    /// Whether edges are smooth.
    public var isAntialiased: Bool
    /// Makes a style.
    public init(eoFill: Bool = false, antialiased: Bool = true) { (isEOFilled, isAntialiased) = (eoFill, antialiased) }
}

/// How a line ends. Has no effect here.
public enum CGLineCap: Int32, Sendable { case butt, round, square }
/// How lines meet. Has no effect here.
public enum CGLineJoin: Int32, Sendable { case miter, round, bevel }

/// How a line is drawn. Here its width counts.
public struct StrokeStyle: Equatable, Sendable {
    /// Its width.
    public var lineWidth: CGFloat
    /// How it ends.
    public var lineCap: CGLineCap
    /// How lines meet.
    public var lineJoin: CGLineJoin
    /// How far a miter may reach.
    public var miterLimit: CGFloat
    /// The lengths of dashes and gaps.
    public var dash: [CGFloat]
    /// Where in them the line begins.
    public var dashPhase: CGFloat
    /// Makes a style.
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = [], dashPhase: CGFloat = 0
    ) {
        (self.lineWidth, self.lineCap, self.lineJoin) = (lineWidth, lineCap, lineJoin)
        (self.miterLimit, self.dash, self.dashPhase) = (miterLimit, dash, dashPhase)
    }
}

/// A shape in its place.
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

    /// Makes an empty outline.
    public init() {}
    /// Makes an outline step by step.
    public init(_ callback: (inout Path) -> Void) { callback(&self) }
    /// Makes the outline of a rectangle.
    public init(_ rect: CGRect) { addRect(rect) }

    /// Whether there is nothing.
    public var isEmpty: Bool { svg.isEmpty }

    private mutating func add(_ letter: String, _ points: CGPoint...) {
        svg +=
            letter
            + points.map { "\(PropertyValue.number(Double($0.x)).text) \(PropertyValue.number(Double($0.y)).text)" }
            .joined(separator: " ")
    }

    /// Begins at a place.
    public mutating func move(to end: CGPoint) { add("M", end) }
    /// Draws a line.
    public mutating func addLine(to end: CGPoint) { add("L", end) }
    /// Draws lines.
    public mutating func addLines(_ lines: [CGPoint]) {
        if let first = lines.first { move(to: first) }
        for line in lines.dropFirst() { addLine(to: line) }
    }
    /// Draws a curve.
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        add("C", control1, control2, end)
    }
    /// Draws a curve with one control point.
    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) { add("Q", control, end) }
    /// Draws a part of a circle.
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
    /// Draws a rectangle.
    public mutating func addRect(_ rect: CGRect) {
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        closeSubpath()
    }
    /// Draws a rectangle; its corners are not rounded here.
    public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize) { addRect(rect) }
    /// Ends where the outline began.
    public mutating func closeSubpath() { svg += "Z" }
}

/// A rectangle.
nonisolated public struct Rectangle: Shape, KnownShape {
    /// Makes a rectangle.
    public init() {}
    /// The outline in a rectangle.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "0" }
}

/// A rectangle with round corners.
nonisolated public struct RoundedRectangle: Shape, KnownShape {
    /// How large the corners are.
    public var cornerSize: CGSize
    /// Makes a rectangle with round corners.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
    }
    /// The outline in a rectangle.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { css(cornerSize.width) }
}

/// A circle.
nonisolated public struct Circle: Shape, KnownShape {
    /// Makes a circle.
    public init() {}
    /// The outline in a rectangle.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "50%" }
}

/// A circle that fills its place.
nonisolated public struct Ellipse: Shape, KnownShape {
    /// Makes an ellipse.
    public init() {}
    /// The outline in a rectangle.
    public func path(in rect: CGRect) -> Path { Path(rect) }
    @MainActor var radius: String { "50%" }
}

/// A rectangle with round ends.
nonisolated public struct Capsule: Shape, KnownShape {
    /// Makes a capsule.
    public init(style: RoundedCornerStyle = .continuous) {}
    /// The outline in a rectangle.
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
    /// A rectangle with round ends.
    nonisolated public static var capsule: Capsule { Capsule() }
}

/// A shape that can be drawn smaller. Has no effect here.
@MainActor @preconcurrency public protocol InsettableShape: Shape {
    /// The type of the smaller shape.
    associatedtype InsetShape: InsettableShape
    /// The shape, smaller at each side.
    nonisolated func inset(by amount: CGFloat) -> InsetShape
}

extension Rectangle: InsettableShape {
    /// Has no effect here.
    public func inset(by amount: CGFloat) -> Rectangle { self }
}
extension RoundedRectangle: InsettableShape {
    /// Has no effect here.
    public func inset(by amount: CGFloat) -> RoundedRectangle { self }
}
extension Circle: InsettableShape {
    /// Has no effect here.
    public func inset(by amount: CGFloat) -> Circle { self }
}
extension Ellipse: InsettableShape {
    /// Has no effect here.
    public func inset(by amount: CGFloat) -> Ellipse { self }
}
extension Capsule: InsettableShape {
    /// Has no effect here.
    public func inset(by amount: CGFloat) -> Capsule { self }
}
