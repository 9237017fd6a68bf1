// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A view that shows a symbol, or an image among the app's resources.
nonisolated public struct Image: View, Primitive, Equatable {
    /// The colours of an image: its own, or the colour of text.
    public enum TemplateRenderingMode: Hashable, Sendable { case template, original }
    /// The quality of interpolation of an enlarged image.
    public enum Interpolation: Hashable, Sendable { case none, low, medium, high }
    /// The way an image fills a larger frame. Has no effect in the browser host, which stretches it.
    public enum ResizingMode: Hashable, Sendable { case tile, stretch }
    /// The size of a symbol.
    public enum Scale: String, Hashable, Sendable { case small, medium, large }

    let source: String
    let description: String
    private var classes: Set<String> = []

    /// Creates an image of a symbol. A symbol without a drawing is shown as its first letters.
    public init(systemName: String) {
        source = "symbol:\(systemName)"
        description = Self.descriptions[systemName] ?? systemName.split(separator: ".").joined(separator: " ")
    }

    /// Creates an image of a resource, described by its name. `bundle` has no effect.
    public init(_ name: String, bundle: Bundle? = nil) { (source, description) = ("image:\(name)", name) }

    /// Creates an image of a resource, described to assistive technology by `label`. `bundle` has no effect.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        source = "image:\(name)"
        description = label.plain
    }

    /// Creates a decorative image of a resource, hidden from assistive technology. `bundle` has no effect.
    public init(decorative name: String, bundle: Bundle? = nil) { (source, description) = ("image:\(name)", "") }

    private func with(_ name: String) -> Image {
        var copy = self
        copy.classes.insert(name)
        return copy
    }

    /// Returns the image resized to fill its frame. The parameters have no effect in the browser host.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image {
        with("resizable")
    }

    /// Returns the image drawn in the colour of text or in its own colours.
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
        renderingMode.map { with($0 == .template ? "template" : "original") } ?? self
    }

    /// Returns the image with an interpolation. Only `none` has an effect in the browser host.
    public func interpolation(_ interpolation: Interpolation) -> Image {
        interpolation == .none ? with("pixelated") : self
    }

    private static let descriptions = [
        "plus": "add", "plus.circle": "add", "plus.circle.fill": "add", "minus": "remove", "trash": "delete",
        "trash.fill": "delete", "checkmark": "done", "xmark": "close", "magnifyingglass": "search",
        "gear": "settings", "gearshape": "settings", "pencil": "edit", "square.and.pencil": "edit",
        "square.and.arrow.up": "share", "chevron.left": "back", "chevron.right": "forward", "ellipsis": "more",
        "heart": "favorite", "heart.fill": "favorite", "arrow.clockwise": "reload", "person": "person",
    ]

    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.image)
        element.state[.source] = .text(source)
        if description.isEmpty { element.access[.hidden] = "true" } else { element.access[.label] = description }
        if !classes.isEmpty { element.look[.classes] = classes.sorted().joined(separator: " ") }
        return Output(element)
    }
}

extension Text {
    var plain: String {
        pieces.map { piece in
            switch piece.content {
            case .plain(let text): text
            case .key(let key): key.pieces(.current).map { Text(verbatim: $0.plain).plain }.joined()
            case .date(let date, _): "\(date)"
            case .text(let text): text.plain
            }
        }.joined()
    }
}

extension Text.Piece {
    fileprivate var plain: String {
        switch content {
        case .plain(let text): text
        case .text(let text): text.plain
        default: ""
        }
    }
}

/// A view that shows an image loaded by the user's browser from a URL.
nonisolated public struct AsyncImage<Content>: View, Primitive where Content: View {
    private let url: URL?
    private let content: Content?

    /// Creates a view that shows the image at an HTTP or HTTPS URL, and nothing for other URLs. `scale` has no effect.
    public init(url: URL?, scale: CGFloat = 1) where Content == Image { (self.url, content) = (url, nil) }

    /// Creates a view that shows `content` for an HTTP or HTTPS URL, and `placeholder` for other URLs and `nil`. The
    /// placeholder isn't shown while the image loads. `scale` has no effect.
    public init<I, P>(
        url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P>, I: View, P: View {
        self.url = url
        let isAllowed = url.map { $0.scheme == "https" || $0.scheme == "http" } ?? false
        self.content =
            isAllowed
            ? _ConditionalContent(branch: .first(content(Image(address: url?.absoluteString ?? ""))))
            : _ConditionalContent(branch: .second(placeholder()))
    }

    @MainActor func evaluate(_ node: Node) {
        if let content {
            node.child(.position(0), content)
        } else if let url, url.scheme == "https" || url.scheme == "http" {
            node.child(.position(0), Image(address: url.absoluteString))
        }
    }
}

extension Image {
    fileprivate init(address: String) { (source, description) = (address, "") }
}

/// A title with an icon, hidden from assistive technology.
nonisolated public struct Label<Title, Icon>: View, Primitive where Title: View, Icon: View {
    private let title: Title
    private let icon: Icon

    /// Creates a label with a title and an icon.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        (self.title, self.icon) = (title(), icon())
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("icon"), icon)
        node.child(.part("title"), title)
    }

    @MainActor func output(_ node: Node) -> Output {
        var icon = node.child(.part("icon"))?.output ?? Output()
        // The title already describes the icon to assistive technology.
        for index in icon.elements.indices { icon.elements[index].access[.hidden] = "true" }
        var element = node.element(.hstack, icon.elements + (node.child(.part("title"))?.output.elements ?? []))
        element.look[.classes] = (["label"] + node.environment.classes(.label)).joined(separator: " ")
        return Output(element)
    }
}

extension Label where Title == Text, Icon == Image {
    /// Creates a label with a title and a symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        (title, icon) = (Text(titleKey), Image(systemName: name))
    }
    /// Creates a label with a title and a symbol.
    @_disfavoredOverload public init<S>(_ title: S, systemImage name: String) where S: StringProtocol {
        (self.title, icon) = (Text(title), Image(systemName: name))
    }
    /// Creates a label with a title and an image resource.
    public init(_ titleKey: LocalizedStringKey, image name: String) { (title, icon) = (Text(titleKey), Image(name)) }
    /// Creates a label with a title and an image resource.
    @_disfavoredOverload public init<S>(_ title: S, image name: String) where S: StringProtocol {
        (self.title, icon) = (Text(title), Image(name))
    }
}
