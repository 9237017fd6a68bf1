// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a view is laid out by. Has no effect here.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt
    /// Makes a set of its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// All.
    public static let all = SafeAreaRegions(rawValue: 3)
    /// What the window covers.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// What a keyboard covers.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
}

/// How high a sheet is. Has no effect here.
public struct PresentationDetent: Hashable, Sendable {
    private let name: String
    /// Half of the window.
    public static let medium = PresentationDetent(name: "medium")
    /// The whole window.
    public static let large = PresentationDetent(name: "large")
    /// A part of the window.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent { PresentationDetent(name: "\(fraction)") }
    /// A height.
    public static func height(_ height: CGFloat) -> PresentationDetent { PresentationDetent(name: "\(height)px") }
}

/// A device of a preview. Has no effect here.
public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// Its name.
    public let rawValue: String
    /// Makes a device.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a device.
    public init(stringLiteral value: String) { rawValue = value }
}

/// The size of a preview. Has no effect here.
public enum PreviewLayout: Sendable {
    case device, sizeThatFits
    case fixed(width: CGFloat, height: CGFloat)
}

/// Why a view is shown without its content. Has no effect here.
public struct RedactionReasons: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: Int
    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The content is not there yet.
    public static let placeholder = RedactionReasons(rawValue: 1)
}

/// How a symbol is coloured. Has no effect here.
public enum SymbolRenderingMode: Sendable { case monochrome, multicolor, hierarchical, palette }

/// Whether indicators of scrolling are shown. Has no effect here.
public enum ScrollIndicatorVisibility: Sendable { case automatic, visible, hidden, never }

/// What compiles and has no effect here.
extension View {
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
    nonisolated public func fixedSize() -> some View { self }
    /// Has no effect here.
    nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    /// Has no effect here.
    nonisolated public func layoutPriority(_ value: Double) -> some View { self }
    /// Has no effect here.
    nonisolated public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Has no effect here.
    nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    /// Has no effect here.
    nonisolated public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    /// Has no effect here.
    nonisolated public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
    /// Has no effect here.
    nonisolated public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
    /// Has no effect here.
    nonisolated public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    /// Has no effect here.
    nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { self }
    /// Has no effect here.
    nonisolated public func scrollContentBackground(_ visibility: Visibility) -> some View { self }
    /// Has no effect here.
    nonisolated public func scrollIndicators(_ visibility: ScrollIndicatorVisibility) -> some View { self }
    /// Has no effect here.
    nonisolated public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }
    /// Has no effect here.
    nonisolated public func listSectionSeparator(_ visibility: Visibility) -> some View { self }
    /// Has no effect here.
    nonisolated public func headerProminence(_ prominence: Prominence) -> some View { self }
    /// Has no effect here.
    nonisolated public func statusBar(hidden: Bool) -> some View { self }
    /// Has no effect here.
    nonisolated public func previewDevice(_ value: PreviewDevice?) -> some View { self }
    /// Has no effect here.
    nonisolated public func previewLayout(_ value: PreviewLayout) -> some View { self }
    /// Has no effect here.
    nonisolated public func previewDisplayName(_ value: String?) -> some View { self }
}
