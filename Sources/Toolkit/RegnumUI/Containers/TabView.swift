// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A container of pages that shows one at a time. The other pages keep their state.
nonisolated public struct TabView<SelectionValue, Content>: View, Primitive
where SelectionValue: Hashable, Content: View {
    private let selection: Binding<SelectionValue>?
    private let content: Content

    /// Creates a tab view. `selection` is the tag of the page to show.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        (self.selection, self.content) = (selection, content())
    }
    /// Creates a tab view that initially shows the first page.
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Int {
        (selection, self.content) = (nil, content())
    }

    @MainActor func evaluate(_ node: Node) {
        if selection == nil, node.memory == nil { node.memory = StateCell(0) }
        node.child(.position(0), content, environment: node.environment.inside)
    }

    @MainActor func output(_ node: Node) -> Output {
        let units = node.units
        let own = node.memory as? StateCell<Int>
        let position = node.run { own?.current ?? 0 }
        let tags = units.map { $0.output.elements.first?.traits.tag }
        let wanted = node.run { selection.map { AnyHashable($0.wrappedValue) } }
        let chosen = selection == nil ? position : tags.firstIndex { $0 == wanted } ?? 0
        var output = Output()
        var tabs: [Element] = []
        for (index, unit) in units.enumerated() {
            unit.visibility = index == chosen ? .inherited : .hidden
            var tab = node.element(.tab, part: unit.serial, unit.output.elements.first?.traits.tabItem ?? [])
            if let badge = unit.output.elements.first?.traits.badge { tab.state[.badge] = .text(badge) }
            tab.state[.selected] = .bool(index == chosen)
            node.handle(.tap, of: &tab) { _ in
                if let own { return own.set(index, Transaction()) }
                if let value = tags[index]?.value(as: SelectionValue.self) { selection?.wrappedValue = value }
            }
            tabs.append(tab)
            if index == chosen { output.append(unit.output) }
        }
        var bar = node.element(.bar, part: "bar", tabs)
        bar.state[.role] = .text("tablist")
        var element = node.element(.tabs, output.elements + [bar])
        if let name = node.environment.styleClasses[.tabs] { element.look[.classes] = name }
        output.elements = [element]
        return output
    }
}

nonisolated struct TabItemModification<Label: View>: Modification {
    let label: Label

    @MainActor func evaluate(_ node: Node) { node.child(.part("tab"), label) }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        var isFirst: [Element.Kind: Bool] = [:]
        let item = node.elements("tab").compactMap { shown($0, &isFirst) }
        for index in output.elements.indices { output.elements[index].traits.tabItem = item }
    }

    /// Returns the element if it's the first image or text: a tab item shows one of each.
    private func shown(_ element: Element, _ isFirst: inout [Element.Kind: Bool]) -> Element? {
        guard element.kind == .image || element.kind == .text else {
            var element = element
            element.children = element.children.compactMap { shown($0, &isFirst) }
            return element
        }
        defer { isFirst[element.kind] = false }
        return isFirst[element.kind] ?? true ? element : nil
    }
}

extension View {
    /// Sets the label of the view's tab, of which the first image and the first text are shown.
    nonisolated public func tabItem<V>(@ViewBuilder _ label: () -> V) -> some View where V: View {
        modifier(TabItemModification(label: label()))
    }
}
