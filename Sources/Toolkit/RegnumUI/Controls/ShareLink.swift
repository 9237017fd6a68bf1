// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A link that shares a text or URL. In the browser host, it opens an email with the item as its body; `subject` and
/// `message` have no effect.
@MainActor public struct ShareLink<Label>: View where Label: View {
    nonisolated private let item: String
    // Immutable, and read on the main actor only.
    nonisolated(unsafe) private let label: Label

    nonisolated private init(_ item: String, _ label: Label) { (self.item, self.label) = (item, label) }

    /// A link that opens an email.
    public var body: some View {
        var mail = URLComponents()
        mail.scheme = "mailto"
        mail.queryItems = [URLQueryItem(name: "body", value: item)]
        return Link(destination: mail.url ?? URL(fileURLWithPath: "/")) { label }
    }

    /// Creates a link that shares a URL.
    nonisolated public init(item: URL, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(item.absoluteString, label())
    }
    /// Creates a link that shares a text.
    nonisolated public init(item: String, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(item, label())
    }
}

extension ShareLink where Label == RegnumUI.Label<Text, Image> {
    nonisolated private init(_ title: Text, _ item: String) {
        self.init(item, RegnumUI.Label(title: { title }, icon: { Image(systemName: "square.and.arrow.up") }))
    }
    /// Creates a link titled “Share…” that shares a URL.
    nonisolated public init(item: URL, subject: Text? = nil, message: Text? = nil) {
        self.init(Text("Share…"), item.absoluteString)
    }
    /// Creates a link titled “Share…” that shares a text.
    nonisolated public init(item: String, subject: Text? = nil, message: Text? = nil) {
        self.init(Text("Share…"), item)
    }
    /// Creates a link with a title that shares a URL.
    nonisolated public init(_ titleKey: LocalizedStringKey, item: URL, subject: Text? = nil, message: Text? = nil) {
        self.init(Text(titleKey), item.absoluteString)
    }
    /// Creates a link with a title that shares a text.
    nonisolated public init(_ titleKey: LocalizedStringKey, item: String, subject: Text? = nil, message: Text? = nil) {
        self.init(Text(titleKey), item)
    }
    /// Creates a link with a title that shares a URL.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, item: URL, subject: Text? = nil, message: Text? = nil)
    where S: StringProtocol { self.init(Text(title), item.absoluteString) }
    /// Creates a link with a title that shares a text.
    @_disfavoredOverload nonisolated public init<S>(
        _ title: S, item: String, subject: Text? = nil, message: Text? = nil
    ) where S: StringProtocol { self.init(Text(title), item) }
}
