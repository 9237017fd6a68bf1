// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A picture: a symbol by name, or a resource of the program.
nonisolated public struct Image: View, Primitive, Equatable {
    /// Whether a picture is drawn in its own colours.
    public enum TemplateRenderingMode: Hashable, Sendable { case template, original }
    /// How a picture is made larger.
    public enum Interpolation: Hashable, Sendable { case none, low, medium, high }
    /// How a picture fills a larger place.
    public enum ResizingMode: Hashable, Sendable { case tile, stretch }
    /// How large a symbol is.
    public enum Scale: String, Hashable, Sendable { case small, medium, large }

    let source: String
    let description: String
    private var classes: Set<String> = []

    /// Makes the picture of a symbol. An unknown name shows its first letters.
    public init(systemName: String) {
        source = "symbol:\(systemName)"
        description = Self.descriptions[systemName] ?? systemName.split(separator: ".").joined(separator: " ")
    }

    /// Makes the picture of a resource.
    public init(_ name: String, bundle: Bundle? = nil) { (source, description) = ("image:\(name)", name) }

    /// Makes the picture of a resource, with a description.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        source = "image:\(name)"
        description = label.plain
    }

    /// Makes the picture of a resource that says nothing.
    public init(decorative name: String, bundle: Bundle? = nil) { (source, description) = ("image:\(name)", "") }

    private func with(_ name: String) -> Image {
        var copy = self
        copy.classes.insert(name)
        return copy
    }

    /// Lets the picture fill its place.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image {
        with("resizable")
    }

    /// Lets the picture be drawn in the colour of text, or in its own.
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
        renderingMode.map { with($0 == .template ? "template" : "original") } ?? self
    }

    /// Sets how the picture is made larger.
    public func interpolation(_ interpolation: Interpolation) -> Image {
        interpolation == .none ? with("pixelated") : self
    }

    /// What common symbols mean.
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
    /// The text without translation and style.
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

/// A picture from the web, which the user's browser loads.
nonisolated public struct AsyncImage<Content>: View, Primitive where Content: View {
    private let url: URL?
    private let content: Content?

    /// Makes the picture of an address.
    public init(url: URL?, scale: CGFloat = 1) where Content == Image { (self.url, content) = (url, nil) }

    /// Makes the picture of an address, with a view of its own around it and one instead while there is none.
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

/// A title with a picture.
nonisolated public struct Label<Title, Icon>: View, Primitive where Title: View, Icon: View {
    private let title: Title
    private let icon: Icon

    /// Makes a title with a picture.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        (self.title, self.icon) = (title(), icon())
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("icon"), icon)
        node.child(.part("title"), title)
    }

    @MainActor func output(_ node: Node) -> Output {
        var icon = node.child(.part("icon"))?.output ?? Output()
        // The title says it already.
        for index in icon.elements.indices { icon.elements[index].access[.hidden] = "true" }
        var element = node.element(.hstack, icon.elements + (node.child(.part("title"))?.output.elements ?? []))
        element.look[.classes] = (["label"] + node.environment.classes(.label)).joined(separator: " ")
        return Output(element)
    }
}

extension Label where Title == Text, Icon == Image {
    /// Makes a title with a symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        (title, icon) = (Text(titleKey), Image(systemName: name))
    }
    /// Makes a title with a symbol.
    @_disfavoredOverload public init<S>(_ title: S, systemImage name: String) where S: StringProtocol {
        (self.title, icon) = (Text(title), Image(systemName: name))
    }
    /// Makes a title with a picture of the program.
    public init(_ titleKey: LocalizedStringKey, image name: String) { (title, icon) = (Text(titleKey), Image(name)) }
    /// Makes a title with a picture of the program.
    @_disfavoredOverload public init<S>(_ title: S, image name: String) where S: StringProtocol {
        (self.title, icon) = (Text(title), Image(name))
    }
}
