// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension View {
    nonisolated private func look(_ look: [Element.LookName: String?]) -> some View {
        let look = look.compactMapValues { $0 }
        return elements { element, _ in element.add(look) }
    }

    /// Adds padding around the view. An inner `padding` takes precedence: paddings don't add up.
    nonisolated public func padding(_ insets: EdgeInsets) -> some View { look([.padding: insets.css]) }
    /// Adds padding at some edges, by default 16 points. An inner `padding` takes precedence: paddings don't add up.
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        let length = length ?? 16
        return padding(
            EdgeInsets(
                top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
                bottom: edges.contains(.bottom) ? length : 0, trailing: edges.contains(.trailing) ? length : 0))
    }
    /// Adds padding at all edges. An inner `padding` takes precedence: paddings don't add up.
    nonisolated public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

    /// Sets the width and height of the view, in points. `alignment` has no effect in the browser host.
    nonisolated public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
        -> some View
    {
        look([.width: width.map(css), .height: height.map(css)])
    }
    /// Sets the minimum, ideal, and maximum size of the view, in points. An infinite maximum fills the container.
    /// `alignment` has no effect in the browser host.
    nonisolated public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        look([
            .minWidth: minWidth.map(css), .width: maxWidth == .infinity ? "100%" : idealWidth.map(css),
            .maxWidth: maxWidth.map(css), .minHeight: minHeight.map(css),
            .height: maxHeight == .infinity ? "100%" : idealHeight.map(css), .maxHeight: maxHeight.map(css),
        ])
    }

    /// Sets the font of texts in the view.
    nonisolated public func font(_ font: Font?) -> some View {
        environmentChange { $0.font = font }.look([.font: font?.css])
    }
    /// Sets the weight of the font in the view.
    nonisolated public func fontWeight(_ weight: Font.Weight?) -> some View { look([.weight: weight?.css]) }
    /// Sets the design of the font. Has no effect in the browser host.
    nonisolated public func fontDesign(_ design: Font.Design?) -> some View { self }
    /// Makes texts bold.
    nonisolated public func bold(_ isActive: Bool = true) -> some View { look([.weight: isActive ? "700" : nil]) }
    /// Makes texts italic.
    nonisolated public func italic(_ isActive: Bool = true) -> some View { look([.slant: isActive ? "italic" : nil]) }
    /// Underlines texts. `color` has no effect in the browser host.
    nonisolated public func underline(_ isActive: Bool = true, color: Color? = nil) -> some View {
        look([.decoration: isActive ? "underline" : nil])
    }
    /// Strikes texts through. `color` has no effect in the browser host.
    nonisolated public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View {
        look([.decoration: isActive ? "line-through" : nil])
    }
    /// Sets the spacing between characters, in points.
    nonisolated public func kerning(_ kerning: CGFloat) -> some View { look([.spacing: css(kerning)]) }
    /// Sets the spacing between characters, in points.
    nonisolated public func tracking(_ tracking: CGFloat) -> some View { look([.spacing: css(tracking)]) }
    /// Uses digits of equal width. Has no effect in the browser host.
    nonisolated public func monospacedDigit() -> some View { self }
    /// Sets the maximum number of lines of texts in the view. `nil` removes the limit.
    nonisolated public func lineLimit(_ number: Int?) -> some View { environmentChange { $0.lineLimit = number } }
    /// Sets the maximum number of lines of texts in the view. The lower bound has no effect in the browser host.
    nonisolated public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lineLimit(limit.upperBound) }
    /// Sets the maximum number of lines of texts in the view. `reservesSpace` has no effect in the browser host.
    nonisolated public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lineLimit(limit) }
    /// Sets the space between lines of text, in points.
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat) -> some View {
        look([.lineSpacing: "calc(1.2em + \(css(lineSpacing)))"])
    }
    /// Sets the alignment of the lines of multiline texts.
    nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        environmentChange { $0.multilineTextAlignment = alignment }.look([.textAlignment: alignment.rawValue])
    }
    /// Sets the letter case of texts.
    nonisolated public func textCase(_ textCase: Text.Case?) -> some View {
        look([.textCase: textCase.map { $0 == .uppercase ? "uppercase" : "lowercase" }])
    }

    /// Sets the colour of texts.
    nonisolated public func foregroundColor(_ color: Color?) -> some View { look([.color: color?.css]) }
    /// Sets the colour, gradient, or material of texts.
    nonisolated public func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle {
        look([.color: style._css])
    }
    /// Sets the style of texts to `primary`. The other styles have no effect in the browser host.
    nonisolated public func foregroundStyle<S1, S2>(_ primary: S1, _ secondary: S2) -> some View
    where S1: ShapeStyle, S2: ShapeStyle {
        foregroundStyle(primary)
    }
    /// Sets the style of texts to `primary`. The other styles have no effect in the browser host.
    nonisolated public func foregroundStyle<S1, S2, S3>(_ primary: S1, _ secondary: S2, _ tertiary: S3) -> some View
    where S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle {
        foregroundStyle(primary)
    }
    /// Sets the accent colour of controls in the view.
    nonisolated public func tint<S>(_ tint: S?) -> some View where S: ShapeStyle { look([.accent: tint?._css]) }
    /// Sets the accent colour of controls in the view.
    nonisolated public func tint(_ tint: Color?) -> some View { look([.accent: tint?.css]) }
    /// Sets the accent colour of controls in the view.
    nonisolated public func accentColor(_ accentColor: Color?) -> some View { look([.accent: accentColor?.css]) }

    /// Shows another view behind this view, hidden from assistive technology.
    nonisolated public func background<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View
    where V: View {
        modifier(LayerModification(layer: content(), alignment: alignment, isInFront: false))
    }
    /// Shows another view behind this view, hidden from assistive technology.
    @_disfavoredOverload nonisolated public func background<Background>(
        _ background: Background, alignment: Alignment = .center
    ) -> some View where Background: View {
        modifier(LayerModification(layer: background, alignment: alignment, isInFront: false))
    }
    /// Fills the area behind the view with a colour, gradient, or material.
    nonisolated public func background<S>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View
    where S: ShapeStyle {
        look([.background: style._css])
    }
    /// Fills a shape behind the view. In the browser host, a custom shape is filled as a rectangle.
    nonisolated public func background<S, T>(_ style: S, in shape: T, fillStyle: FillStyle = FillStyle()) -> some View
    where S: ShapeStyle, T: Shape {
        elements { element, _ in
            element.add([.background: style._css, .radius: (shape as? any KnownShape)?.radius ?? "0"])
        }
    }
    /// Shows another view in front of this view.
    nonisolated public func overlay<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View
    where V: View {
        modifier(LayerModification(layer: content(), alignment: alignment, isInFront: true))
    }
    /// Shows another view in front of this view.
    nonisolated public func overlay<Overlay>(_ overlay: Overlay, alignment: Alignment = .center) -> some View
    where Overlay: View {
        modifier(LayerModification(layer: overlay, alignment: alignment, isInFront: true))
    }
    /// Draws a border around the view.
    nonisolated public func border<S>(_ content: S, width: CGFloat = 1) -> some View where S: ShapeStyle {
        look([.border: "\(css(width)) solid \(content._css)"])
    }
    /// Sets the opacity of the view, from 0 (transparent) to 1 (opaque).
    nonisolated public func opacity(_ opacity: Double) -> some View {
        look([.opacity: PropertyValue.number(opacity).text])
    }
    /// Draws a shadow behind the view.
    nonisolated public func shadow(
        color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
    ) -> some View {
        look([.shadow: "\(css(x)) \(css(y)) \(css(radius)) \(color.css)"])
    }
    /// Rounds the corners of the view and clips its content to them.
    nonisolated public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        look([.radius: css(radius), .clip: "hidden"])
    }
    /// Clips the view to a shape. In the browser host, a custom shape clips the view to its frame.
    nonisolated public func clipShape<S>(_ shape: S, style: FillStyle = FillStyle()) -> some View where S: Shape {
        elements { element, _ in
            element.add([.radius: (shape as? any KnownShape)?.radius ?? "0", .clip: "hidden"])
        }
    }
    /// Clips the view to its frame.
    nonisolated public func clipped(antialiased: Bool = false) -> some View { look([.clip: "hidden"]) }
    /// Blurs the view. In the browser host, only the innermost filter of a view applies.
    nonisolated public func blur(radius: CGFloat, opaque: Bool = false) -> some View {
        look([.filter: "blur(\(css(radius)))"])
    }
    /// Brightens the view; 0 leaves it unchanged. In the browser host, only the innermost filter of a view applies.
    nonisolated public func brightness(_ amount: Double) -> some View { look([.filter: "brightness(\(1 + amount))"]) }
    /// Reduces the saturation of the view; 1 makes it grey. In the browser host, only the innermost filter of a view
    /// applies.
    nonisolated public func grayscale(_ amount: Double) -> some View { look([.filter: "grayscale(\(amount))"]) }
    /// Multiplies the saturation of the view. In the browser host, only the innermost filter of a view applies.
    nonisolated public func saturation(_ amount: Double) -> some View { look([.filter: "saturate(\(amount))"]) }
    /// Multiplies the contrast of the view. In the browser host, only the innermost filter of a view applies.
    nonisolated public func contrast(_ amount: Double) -> some View { look([.filter: "contrast(\(amount))"]) }
    /// Rotates the hue of the view's colours. In the browser host, only the innermost filter of a view applies.
    nonisolated public func hueRotation(_ angle: Angle) -> some View {
        look([.filter: "hue-rotate(\(angle.degrees)deg)"])
    }
    /// Inverts the colours of the view. In the browser host, only the innermost filter of a view applies.
    nonisolated public func colorInvert() -> some View { look([.filter: "invert(1)"]) }
    /// Sets how the view's colours blend with the views behind it.
    nonisolated public func blendMode(_ blendMode: BlendMode) -> some View { look([.blend: blendMode.css]) }
    /// Fills the area behind the view with the background colour of pages.
    nonisolated public func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        look([.background: "var(--ground)"])
    }
    /// Sets whether the user can scroll the view.
    nonisolated public func scrollDisabled(_ disabled: Bool) -> some View { look([.clip: disabled ? "hidden" : nil]) }

    /// Moves the view, in points, without changing the layout. In the browser host, only the innermost transform of a
    /// view applies.
    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        look([.transform: "translate(\(css(x)), \(css(y)))"])
    }
    /// Moves the view, in points, without changing the layout. In the browser host, only the innermost transform of a
    /// view applies.
    nonisolated public func offset(_ offset: CGSize) -> some View { self.offset(x: offset.width, y: offset.height) }
    /// Rotates the view about its center, without changing the layout. In the browser host, only the innermost
    /// transform of a view applies and `anchor` has no effect.
    nonisolated public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        look([.transform: "rotate(\(angle.degrees)deg)"])
    }
    /// Rotates the view about an axis in space, without changing the layout. In the browser host, only the innermost
    /// transform of a view applies; `anchor`, `anchorZ`, and `perspective` have no effect.
    nonisolated public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0,
        perspective: CGFloat = 1
    ) -> some View {
        look([
            .transform: "perspective(600px) rotate3d(\(axis.x), \(axis.y), \(axis.z), \(angle.degrees)deg)"
        ])
    }
    /// Scales the view about its center, without changing the layout. In the browser host, only the innermost transform
    /// of a view applies and `anchor` has no effect.
    nonisolated public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View {
        look([.transform: "scale(\(scale))"])
    }
    /// Sets the ratio of the view's width to its height, and how its image is scaled to the frame.
    nonisolated public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        look([.ratio: aspectRatio.map { "\($0)" }, .fit: contentMode == .fit ? "contain" : "cover"])
    }
    /// Scales an image to fit its frame.
    nonisolated public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    /// Scales an image to fill its frame.
    nonisolated public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
    /// Prevents texts from wrapping and the view from shrinking below the size of its content.
    nonisolated public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }
    /// Prevents the view from shrinking below the size of its content, and texts from wrapping if `horizontal` is true.
    nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        look([.shrinking: horizontal || vertical ? "0" : nil, .wrapping: horizontal ? "nowrap" : nil])
    }
    /// Sets the layout priority. In the browser host, a view with a positive priority doesn't shrink.
    nonisolated public func layoutPriority(_ value: Double) -> some View { look([.shrinking: value > 0 ? "0" : nil]) }
    /// Sets the colour scheme of the view, which overrides the user's setting. `nil` has no effect.
    nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        look(
            colorScheme.map {
                [.scheme: $0 == .dark ? "dark" : "light", .background: "var(--ground)", .color: "var(--primary)"]
            } ?? [:])
    }
    /// Shows or hides the background of a list or form.
    nonisolated public func scrollContentBackground(_ visibility: Visibility) -> some View {
        look([.background: visibility == .hidden ? "none" : nil])
    }
    /// Shows or hides scroll bars.
    nonisolated public func scrollIndicators(_ visibility: ScrollIndicatorVisibility) -> some View {
        look([.scrollbar: visibility == .hidden || visibility == .never ? "none" : nil])
    }
    /// Sets the prominence of section headers in the view.
    nonisolated public func headerProminence(_ prominence: Prominence) -> some View {
        look([.classes: prominence == .increased ? "prominent" : nil])
    }
    /// Sets whether the user can select texts in the view.
    nonisolated public func textSelection<S>(_ selectability: S) -> some View where S: TextSelectability {
        look([.selection: S.allowsSelection ? "text" : "none"])
    }
    /// Places another view above or below this view.
    @ViewBuilder nonisolated public func safeAreaInset<V>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View where V: View {
        VStack(alignment: alignment, spacing: spacing) {
            if edge == .top { content() }
            self
            if edge == .bottom { content() }
        }
    }

    /// Sets the stacking order of the view: it covers overlapping views with a lower value. In the browser host,
    /// fractions are ignored.
    nonisolated public func zIndex(_ value: Double) -> some View { look([.order: "\(Int(value))"]) }
    /// Sets the size of symbols in the view.
    nonisolated public func imageScale(_ scale: Image.Scale) -> some View { look([.classes: scale.rawValue]) }

    /// Shows a view as the background of a row.
    nonisolated public func listRowBackground<V>(_ view: V?) -> some View where V: View {
        modifier(RowBackgroundModification(background: view))
    }
    /// Sets the padding of a row. `nil` restores the default.
    nonisolated public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        elements { element, _ in element.traits.rowLook[.padding] = insets?.css }
    }
    /// Shows or hides the separator below a row. `edges` has no effect in the browser host.
    nonisolated public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        elements { element, _ in element.traits.rowLook[.border] = visibility == .hidden ? "none" : nil }
    }
}

/// The visibility of scroll bars.
public enum ScrollIndicatorVisibility: Sendable { case automatic, visible, hidden, never }

/// A type that determines whether the user can select texts.
public protocol TextSelectability {
    /// A Boolean value that indicates whether the user can select texts.
    static var allowsSelection: Bool { get }
}

/// The selectability of texts that the user can select.
public struct EnabledTextSelectability: TextSelectability {
    /// A Boolean value that indicates whether the user can select texts. Always true.
    public static var allowsSelection: Bool { true }
}

/// The selectability of texts that the user can't select.
public struct DisabledTextSelectability: TextSelectability {
    /// A Boolean value that indicates whether the user can select texts. Always false.
    public static var allowsSelection: Bool { false }
}

extension TextSelectability where Self == EnabledTextSelectability {
    /// The selectability of texts that the user can select.
    public static var enabled: Self { Self() }
}

extension TextSelectability where Self == DisabledTextSelectability {
    /// The selectability of texts that the user can't select.
    public static var disabled: Self { Self() }
}

nonisolated struct LayerModification<Layer: View>: Modification {
    let layer: Layer
    let alignment: Alignment
    let isInFront: Bool

    @MainActor func evaluate(_ node: Node) { node.child(.part("layer"), layer, environment: node.environment.inside) }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        guard let layer = node.child(.part("layer")) else { return }
        var behind = layer.output.elements
        guard !behind.isEmpty else { return }
        let content = output.elements
        for index in behind.indices where !isInFront { behind[index].access[.hidden] = "true" }
        var element = node.element(.zstack, isInFront ? content + behind : behind + content)
        element.look = alignment.look
        element.look[.classes] = isInFront ? "overlay" : "background"
        // The containers of the combined element read the traits of the content.
        if let first = content.first {
            element.traits = first.traits
            element.traits.rowActions = []
        }
        output.elements = [element]
        output.addPreferences(of: layer.output)
    }
}

nonisolated struct RowBackgroundModification<Background: View>: Modification {
    let background: Background?

    @MainActor func evaluate(_ node: Node) {
        if let background { node.child(.part("background"), background) }
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let elements = node.elements("background").map { element -> Element in
            var element = element
            element.access[.hidden] = "true"
            return element
        }
        for index in output.elements.indices { output.elements[index].traits.rowBackground = elements }
    }
}
