// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The modifier of `refreshable`.
nonisolated struct RefreshModification: Modification {
    let action: @Sendable () async -> Void

    private final class State {
        var isRunning = false
    }

    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node) {
        environment.refresh = RefreshAction(action: action)
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let state = node.memory as? State ?? State()
        node.memory = state
        var button = node.element(.button, part: "refresh")
        button.access[.label] = "Reload"
        button.state[.busy] = .bool(state.isRunning)
        let action = action
        node.handle(.refresh, of: &button) { [weak node] _ in
            guard !state.isRunning, let node else { return }
            state.isRunning = true
            node.markShown()
            node.graph.runningActionCount += 1
            Task { [weak node] in
                await action()
                state.isRunning = false
                node?.graph.runningActionCount -= 1
                node?.markShown()
            }
        }
        var traits = output[PageKey.self]
        traits.refresh.append(button)
        output[PageKey.self] = traits
    }
}

/// The modifier of swipe actions and context menus, the additional actions of a row.
nonisolated struct RowActionsModification<Content: View>: Modification {
    let name: String
    let content: Content

    @MainActor func evaluate(_ node: Node) { node.child(.part("actions"), content) }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let items = node.elements("actions")
        guard !items.isEmpty else { return }
        for index in output.elements.indices {
            var menu = node.element(.menu, part: output.elements[index].id, items)
            menu.access[.label] = "More"
            menu.state[.role] = .text(name)
            output.elements[index].traits.rowActions.append(menu)
        }
        if let actions = node.child(.part("actions")) { output.addPreferences(of: actions.output) }
    }
}

/// The actions that views run when the app is opened with a URL.
enum OpenedKey: PreferenceKey {
    static var defaultValue: [@MainActor (URL) -> Void] { [] }
    static func reduce(value: inout [@MainActor (URL) -> Void], nextValue: () -> [@MainActor (URL) -> Void]) {
        value += nextValue()
    }
}

/// The modifier of `onOpenURL`.
nonisolated struct OpenedModification: Modification {
    let action: (URL) -> Void

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let action = action
        output.add([{ action($0) }], OpenedKey.self)
    }
}

extension Graph {
    /// Runs the `onOpenURL` actions of the views.
    package func open(_ url: URL) {
        flush()
        for action in root.output[OpenedKey.self] { action(url) }
        flush()
    }
}

/// A modifier that changes each element of a view.
nonisolated struct ElementModification: Modification {
    let change: @MainActor (inout Element, Node) -> Void

    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { change(&output.elements[index], node) }
    }
}

extension View {
    nonisolated func elements(_ change: @escaping @MainActor (inout Element, Node) -> Void) -> some View {
        modifier(ElementModification(change: change))
    }

    nonisolated func environmentChange(_ change: @escaping (inout EnvironmentValues) -> Void) -> some View {
        modifier(EnvironmentModification<Void>(change: change))
    }

    /// Runs an action when Return is pressed in a field.
    nonisolated public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
        environmentChange {
            if triggers.contains(.text) { $0.submitActions.text.append(action) }
            if triggers.contains(.search) { $0.submitActions.search.append(action) }
        }
    }
    /// Runs an action when the app is opened with a URL. In the browser host, only tests open URLs.
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        modifier(OpenedModification(action: action))
    }
    /// Adds a reload button to the page's bar.
    nonisolated public func refreshable(@_inheritActorContext action: @escaping @Sendable () async -> Void) -> some View
    {
        modifier(RefreshModification(action: action))
    }
    /// Adds buttons to a row.
    nonisolated public func swipeActions<T>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View where T: View {
        modifier(RowActionsModification(name: "swipe", content: content()))
    }
    /// Adds a context menu to the view.
    nonisolated public func contextMenu<MenuItems>(@ViewBuilder menuItems: () -> MenuItems) -> some View
    where MenuItems: View {
        modifier(RowActionsModification(name: "context", content: menuItems()))
    }
    /// Sets whether controls in the view are disabled. They also remain disabled if an ancestor disables them.
    nonisolated public func disabled(_ disabled: Bool) -> some View {
        environmentChange { $0.isEnabled = $0.isEnabled && !disabled }
    }
    /// Sets whether deleting the row is disabled.
    nonisolated public func deleteDisabled(_ isDisabled: Bool) -> some View {
        elements { element, _ in element.traits.isDeleteDisabled = isDisabled }
    }
    /// Sets whether moving the row is disabled.
    nonisolated public func moveDisabled(_ isDisabled: Bool) -> some View {
        elements { element, _ in element.traits.isMoveDisabled = isDisabled }
    }
    /// Shows a number on a row or a tab.
    nonisolated public func badge(_ count: Int) -> some View {
        elements { element, _ in element.traits.badge = count == 0 ? nil : "\(count)" }
    }
    /// Shows a text on a row or a tab.
    nonisolated public func badge(_ label: Text?) -> some View {
        // Immutable, and read on the main actor only, where the closure runs.
        nonisolated(unsafe) let label = label
        return elements { element, node in element.traits.badge = label?.runs(node).map(\.text).joined() }
    }
    /// Hides the view, whose space remains empty.
    nonisolated public func hidden() -> some View {
        elements { element, _ in
            element.access[.hidden] = "true"
            element.look[.opacity] = "0"
        }
    }
    /// Sets a keyboard shortcut for a button.
    nonisolated public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        keyboardShortcut(KeyboardShortcut(key, modifiers: modifiers))
    }
    /// Sets a keyboard shortcut for a button.
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View {
        elements { element, _ in element.access[.shortcut] = shortcut.text }
    }
}
