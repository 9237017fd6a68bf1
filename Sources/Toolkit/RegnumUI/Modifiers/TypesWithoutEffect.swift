// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The regions around the safe area. Has no effect in the browser host.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: UInt
    /// Creates a set from its raw value.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// All regions.
    public static let all = SafeAreaRegions(rawValue: 3)
    /// The regions covered by bars and by the device's corners.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The region covered by the on-screen keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
}

/// The device of a preview. Has no effect in the browser host.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// The name of the device.
    public let rawValue: String
    /// Creates a device from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a device from a literal of its name.
    public init(stringLiteral value: String) { rawValue = value }
}

/// The size of a preview. Has no effect in the browser host.
public enum PreviewLayout: Sendable {
    case device, sizeThatFits
    case fixed(width: CGFloat, height: CGFloat)
}

/// The reasons for redacting content. Has no effect in the browser host.
public struct RedactionReasons: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: Int
    /// Creates a set from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The reason for showing a placeholder: the content isn't loaded.
    public static let placeholder = RedactionReasons(rawValue: 1)
}

/// The rendering mode of a symbol. Has no effect in the browser host.
public enum SymbolRenderingMode: Sendable { case monochrome, multicolor, hierarchical, palette }

/// The transition between two contents of a view. Has no effect in the browser host.
public struct ContentTransition: Sendable {
    /// A transition without animation.
    public static let identity = ContentTransition()
    /// A transition by fading.
    public static let opacity = ContentTransition()
    /// A transition by interpolating between the contents.
    public static let interpolate = ContentTransition()
    /// Returns a transition of numbers that count up or down.
    public static func numericText(countsDown: Bool = false) -> ContentTransition { ContentTransition() }
}

/// The haptic feedback of a device. Has no effect in the browser host.
public enum SensoryFeedback: Equatable, Sendable {
    case success, warning, error, selection, increase, decrease, start, stop, alignment, levelChange, impact
}

/// The size and alignment guides of a view. Has no effect in the browser host.
public struct ViewDimensions: Equatable, Sendable {
    /// The width.
    public let width: CGFloat
    /// The height.
    public let height: CGFloat
    /// The position of an alignment guide, always zero.
    public subscript(guide: HorizontalAlignment) -> CGFloat { 0 }
    /// The position of an alignment guide, always zero.
    public subscript(guide: VerticalAlignment) -> CGFloat { 0 }
}

/// The mode of blending a view with the views behind it.
public enum BlendMode: String, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference
    case exclusion, hue, saturation, color, luminosity, sourceAtop, destinationOver, destinationOut, plusDarker
    case plusLighter

    /// The CSS value, or `nil` if CSS doesn't have the mode.
    var css: String? {
        switch self {
        case .colorDodge: "color-dodge"
        case .colorBurn: "color-burn"
        case .softLight: "soft-light"
        case .hardLight: "hard-light"
        case .plusLighter: "plus-lighter"
        case .sourceAtop, .destinationOver, .destinationOut, .plusDarker: nil
        default: rawValue
        }
    }
}

/// A variant of a symbol. Has no effect in the browser host.
public struct SymbolVariants: Hashable, Sendable {
    /// No variant.
    public static let none = SymbolVariants()
    /// The variant in a circle.
    public static let circle = SymbolVariants()
    /// The variant in a square.
    public static let square = SymbolVariants()
    /// The variant in a rectangle.
    public static let rectangle = SymbolVariants()
    /// The filled variant.
    public static let fill = SymbolVariants()
    /// The variant with a slash.
    public static let slash = SymbolVariants()
    /// The filled version of the variant.
    public var fill: SymbolVariants { self }
    /// The version of the variant in a circle.
    public var circle: SymbolVariants { self }
    /// The version of the variant with a slash.
    public var slash: SymbolVariants { self }
}

/// The dependence of a window's size on its content. Has no effect in the browser host.
public enum WindowResizability: Sendable { case automatic, contentSize, contentMinSize }

/// A length that scales with the text size. In the browser host, it's constant, because the browser itself scales
/// texts.
@propertyWrapper public struct ScaledMetric<Value>: DynamicProperty where Value: BinaryFloatingPoint {
    /// The length, in points.
    public let wrappedValue: Value
    /// Creates a length.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// Creates a length. `textStyle` has no effect in the browser host.
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { self.wrappedValue = wrappedValue }
}

extension HorizontalAlignment {
    /// The leading end of the separator between rows. In the browser host, it's the same as `leading`.
    public static let listRowSeparatorLeading = HorizontalAlignment.leading
    /// The trailing end of the separator between rows. In the browser host, it's the same as `trailing`.
    public static let listRowSeparatorTrailing = HorizontalAlignment.trailing
}

extension Scene {
    /// Has no effect here.
    nonisolated public func defaultSize(width: CGFloat, height: CGFloat) -> some Scene { self }
    /// Has no effect here.
    nonisolated public func windowResizability(_ resizability: WindowResizability) -> some Scene { self }
}

/// Modifiers that exist for source compatibility and have no effect in the browser host.
extension View {
    /// Has no effect here.
    nonisolated public func symbolVariant(_ variant: SymbolVariants) -> some View { self }
    /// Has no effect here.
    nonisolated public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    /// Has no effect here.
    nonisolated public func coordinateSpace<T>(name: T) -> some View where T: Hashable { self }
    /// Has no effect here.
    nonisolated public func coordinateSpace(_ space: CoordinateSpace) -> some View { self }
    /// Has no effect here.
    nonisolated public func colorMultiply(_ color: Color) -> some View { self }
    /// Has no effect here.
    nonisolated public func presentationCornerRadius(_ cornerRadius: CGFloat?) -> some View { self }
    /// Has no effect here.
    nonisolated public func onDeleteCommand(perform action: (() -> Void)?) -> some View { self }
    /// Has no effect here.
    nonisolated public func toolbarColorScheme(_ colorScheme: ColorScheme?, for bars: ToolbarPlacement...) -> some View
    {
        self
    }
    /// Has no effect here.
    nonisolated public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }
    /// Has no effect here.
    nonisolated public func dynamicTypeSize<T>(_ range: T) -> some View where T: RangeExpression<DynamicTypeSize> {
        self
    }
    /// Has no effect here.
    nonisolated public func animation(_ animation: Animation?) -> some View { self }
    /// Has no effect here.
    nonisolated public func animation<V>(_ animation: Animation?, value: V) -> some View where V: Equatable { self }
    /// Has no effect here.
    nonisolated public func transition(_ t: AnyTransition) -> some View { self }
    /// Has no effect here.
    nonisolated public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View { self }
    /// Has no effect here.
    nonisolated public func matchedGeometryEffect<ID>(id: ID, in namespace: Namespace.ID) -> some View
    where ID: Hashable {
        self
    }
    /// Has no effect here.
    nonisolated public func drawingGroup(opaque: Bool = false) -> some View { self }
    /// Has no effect here.
    nonisolated public func compositingGroup() -> some View { self }
    /// Has no effect here.
    nonisolated public func redacted(reason: RedactionReasons) -> some View { self }
    /// Has no effect here.
    nonisolated public func unredacted() -> some View { self }
    /// Has no effect here.
    nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View { self }
    /// Has no effect here.
    nonisolated public func contentShape<S>(_ shape: S, eoFill: Bool = false) -> some View where S: Shape { self }
    /// Has no effect here.
    nonisolated public func mask<Mask>(_ mask: Mask) -> some View where Mask: View { self }
    /// Has no effect here.
    nonisolated public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
        self
    }
    /// Has no effect here.
    nonisolated public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
    /// Has no effect here.
    nonisolated public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Has no effect here.
    nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    /// Has no effect here.
    nonisolated public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    /// Has no effect here.
    nonisolated public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
    /// Has no effect here.
    nonisolated public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    /// Has no effect here.
    nonisolated public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }
    /// Has no effect here.
    nonisolated public func listSectionSeparator(_ visibility: Visibility) -> some View { self }
    /// Has no effect here.
    nonisolated public func statusBar(hidden: Bool) -> some View { self }
    /// Has no effect here.
    nonisolated public func previewDevice(_ value: PreviewDevice?) -> some View { self }
    /// Has no effect here.
    nonisolated public func previewLayout(_ value: PreviewLayout) -> some View { self }
    /// Has no effect here.
    nonisolated public func previewDisplayName(_ value: String?) -> some View { self }
    /// Has no effect here.
    nonisolated public func alignmentGuide(
        _ g: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { self }
    /// Has no effect here.
    nonisolated public func alignmentGuide(
        _ g: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View { self }
    /// Has no effect here.
    nonisolated public func contentTransition(_ transition: ContentTransition) -> some View { self }
    /// Has no effect here.
    nonisolated public func sensoryFeedback<T>(_ feedback: SensoryFeedback, trigger: T) -> some View
    where T: Equatable { self }
    /// Has no effect here.
    nonisolated public func toolbarBackground<S>(_ style: S, for bars: ToolbarPlacement...) -> some View
    where S: ShapeStyle { self }
    /// Has no effect here.
    nonisolated public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        self
    }
}
