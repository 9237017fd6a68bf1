// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

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

/// The modifier of `swipeActions` and `contextMenu`, which both add a menu to the row.
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

enum OpenedKey: PreferenceKey {
    static var defaultValue: [@MainActor (URL) -> Void] { [] }
    static func reduce(value: inout [@MainActor (URL) -> Void], nextValue: () -> [@MainActor (URL) -> Void]) {
        value += nextValue()
    }
}

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

    /// Runs an action when the user presses Return in a field of the given kinds, by default a text field.
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
    /// Adds a button to the page's bar that runs an action. The button is busy until the action returns.
    nonisolated public func refreshable(@_inheritActorContext action: @escaping @Sendable () async -> Void) -> some View
    {
        modifier(RefreshModification(action: action))
    }
    /// Adds a menu of buttons to a row. In the browser host, swiping the row isn't supported.
    nonisolated public func swipeActions<T>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View where T: View {
        modifier(RowActionsModification(name: "swipe", content: content()))
    }
    /// Adds a menu to the view, shown in the browser host by a button labelled “More”.
    nonisolated public func contextMenu<MenuItems>(@ViewBuilder menuItems: () -> MenuItems) -> some View
    where MenuItems: View {
        modifier(RowActionsModification(name: "context", content: menuItems()))
    }
    /// Sets whether controls in the view are disabled. An inner `disabled(false)` doesn't enable controls that an
    /// ancestor disables.
    nonisolated public func disabled(_ disabled: Bool) -> some View {
        environmentChange { $0.isEnabled = $0.isEnabled && !disabled }
    }
    /// Sets whether the user can't delete the row.
    nonisolated public func deleteDisabled(_ isDisabled: Bool) -> some View {
        elements { element, _ in element.traits.isDeleteDisabled = isDisabled }
    }
    /// Sets whether the user can't move the row.
    nonisolated public func moveDisabled(_ isDisabled: Bool) -> some View {
        elements { element, _ in element.traits.isMoveDisabled = isDisabled }
    }
    /// Shows a number on a row or tab. Zero shows no badge.
    nonisolated public func badge(_ count: Int) -> some View {
        elements { element, _ in element.traits.badge = count == 0 ? nil : "\(count)" }
    }
    /// Shows a text on a row or tab.
    nonisolated public func badge(_ label: Text?) -> some View {
        // Immutable, and read on the main actor only, where the closure runs.
        nonisolated(unsafe) let label = label
        return elements { element, node in element.traits.badge = label?.runs(node).map(\.text).joined() }
    }
    /// Hides the view. Its space in the layout remains empty.
    nonisolated public func hidden() -> some View {
        elements { element, _ in
            element.access[.hidden] = "true"
            element.look[.opacity] = "0"
        }
    }
    /// Sets the keyboard shortcut of a button.
    nonisolated public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        keyboardShortcut(KeyboardShortcut(key, modifiers: modifiers))
    }
    /// Sets the keyboard shortcut of a button.
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View {
        elements { element, _ in element.access[.shortcut] = shortcut.text }
    }
}
