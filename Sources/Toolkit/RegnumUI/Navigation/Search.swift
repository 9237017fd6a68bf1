// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The placement of a search field. Has no effect in the browser host: search fields are in the page's bar.
public struct SearchFieldPlacement: Sendable {
    /// The display mode of a search field below the navigation bar.
    public enum NavigationBarDrawerDisplayMode: Sendable { case automatic, always }
    /// The default placement.
    public static let automatic = SearchFieldPlacement()
    /// The placement in the toolbar.
    public static let toolbar = SearchFieldPlacement()
    /// The placement in the sidebar.
    public static let sidebar = SearchFieldPlacement()
    /// The placement below the navigation bar.
    public static let navigationBarDrawer = SearchFieldPlacement()
    /// The placement below the navigation bar.
    public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode) -> SearchFieldPlacement {
        SearchFieldPlacement()
    }
}

@MainActor final class SearchState {
    weak var node: Node?
    var text: Binding<String>?
    var isPresented: Binding<Bool>?
    var isFocused = false

    func focus(_ isFocused: Bool) {
        self.isFocused = isFocused
        isPresented?.wrappedValue = isFocused
        node?.markShown()
    }

    func end() {
        text?.wrappedValue = ""
        focus(false)
    }
}

nonisolated struct SearchModification<Suggestions: View>: Modification {
    let text: Binding<String>
    let prompt: Text?
    let suggestions: Suggestions
    var isPresented: Binding<Bool>?

    @MainActor private func state(_ node: Node) -> SearchState {
        let state = node.memory as? SearchState ?? SearchState()
        node.memory = state
        (state.node, state.text, state.isPresented) = (node, text, isPresented)
        return state
    }

    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node) {
        let state = state(node)
        environment.isSearching = state.isFocused || !node.run { text.wrappedValue.isEmpty }
        environment.dismissSearch = DismissSearchAction(search: state)
        environment.searchSuggestions = nil
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("suggestions"), node.environment.searchSuggestions ?? AnyView(suggestions))
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let state = state(node)
        var field = node.element(.field, part: "field")
        let prompt = prompt?.runs(node).map(\.text).joined() ?? "Search"
        field.access[.label] = prompt
        field.state[.placeholder] = .text(prompt)
        field.state[.role] = .text("search")
        field.state[.value] = .text(node.run { text.wrappedValue })
        node.handle(.input, of: &field) { value in
            if case .text(let new) = value { text.wrappedValue = new }
        }
        node.handle(.focus, of: &field) { state.focus($0 == .bool(true)) }
        node.handle(.commit, of: &field) { _ in
            for action in node.environment.submitActions.search { action() }
        }
        node.handle(.dismiss, of: &field) { _ in state.end() }
        let rows = state.isFocused ? node.elements("suggestions").map { suggestion($0, node) } : []
        let list = rows.isEmpty ? [] : [node.element(.list, part: "list", rows)]
        let search = node.element(.search, part: "search", [field] + list)
        var traits = output[PageKey.self]
        traits.search.append(search)
        output[PageKey.self] = traits
    }

    @MainActor private func suggestion(_ content: Element, _ node: Node) -> Element {
        guard let completion = content.traits.completion else { return content }
        var row = node.element(.option, part: content.id, [content])
        node.handle(.choose, of: &row) { _ in text.wrappedValue = completion }
        return row
    }
}

nonisolated struct CompletionModification: Modification {
    let completion: String

    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { output.elements[index].traits.completion = completion }
    }
}

extension View {
    /// Adds a search field to the page's bar. `text` is the text of the field.
    nonisolated public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
        modifier(SearchModification(text: text, prompt: prompt, suggestions: EmptyView()))
    }
    /// Adds a search field to the page's bar. `text` is the text of the field.
    nonisolated public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        modifier(SearchModification(text: text, prompt: Text(prompt), suggestions: EmptyView()))
    }
    /// Adds a search field to the page's bar. `text` is the text of the field.
    @_disfavoredOverload nonisolated public func searchable<S>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View where S: StringProtocol {
        modifier(SearchModification(text: text, prompt: Text(prompt), suggestions: EmptyView()))
    }
    /// Adds a search field to the page's bar, with suggestions that are shown while it has the focus.
    nonisolated public func searchable<S>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
        @ViewBuilder suggestions: () -> S
    ) -> some View where S: View {
        modifier(SearchModification(text: text, prompt: prompt, suggestions: suggestions()))
    }
    /// Adds a search field to the page's bar, with suggestions that are shown while it has the focus.
    nonisolated public func searchable<S>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
        @ViewBuilder suggestions: () -> S
    ) -> some View where S: View {
        modifier(SearchModification(text: text, prompt: Text(prompt), suggestions: suggestions()))
    }
    /// Adds a search field to the page's bar, with suggestions that are shown while it has the focus.
    @_disfavoredOverload nonisolated public func searchable<V, S>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S,
        @ViewBuilder suggestions: () -> V
    ) -> some View where V: View, S: StringProtocol {
        modifier(SearchModification(text: text, prompt: Text(prompt), suggestions: suggestions()))
    }
    /// Adds a search field to the page's bar. `isPresented` is set to whether the field has the focus.
    nonisolated public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil
    ) -> some View {
        modifier(
            SearchModification(text: text, prompt: prompt, suggestions: EmptyView(), isPresented: isPresented))
    }
    /// Sets the suggestions of the view's search field. They replace those of
    /// `searchable(text:placement:prompt:suggestions:)`.
    nonisolated public func searchSuggestions<S>(@ViewBuilder _ suggestions: () -> S) -> some View where S: View {
        let view = AnyView(suggestions())
        return environmentChange { $0.searchSuggestions = view }
    }
    /// Sets the text that the search field contains after the user chooses this suggestion.
    nonisolated public func searchCompletion(_ completion: String) -> some View {
        modifier(CompletionModification(completion: completion))
    }
}
