// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A container that shows views as rows.
///
/// `ForEach`, `Group`, `Section`, and conditions show one row for each of their children. Any other view is one row.
@MainActor @preconcurrency public struct List<SelectionValue, Content>: View, Primitive
where SelectionValue: Hashable, Content: View {
    private let content: Content
    private let selection: ListSelection?

    private init(_ content: Content, _ selection: ListSelection?) {
        (self.content, self.selection) = (content, selection)
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.position(0), content, environment: node.environment.with { $0.isLazy = true })
    }

    @MainActor func output(_ node: Node) -> Output {
        Rows(node: node, selection: selection).output(.list, node.environment.styleClasses[.list])
    }
}

struct ListSelection {
    let contains: (AnyHashable) -> Bool
    let select: (AnyHashable) -> Void

    init<Value: Hashable>(_ one: Binding<Value?>) {
        contains = { tag in one.wrappedValue.map { AnyHashable($0) == tag } ?? false }
        select = { if let value = $0.value(as: Value.self) { one.wrappedValue = value } }
    }

    init<Value: Hashable>(_ several: Binding<Set<Value>>) {
        contains = { $0.value(as: Value.self).map { several.wrappedValue.contains($0) } ?? false }
        select = { tag in
            guard let value = tag.value(as: Value.self) else { return }
            if several.wrappedValue.remove(value) == nil { several.wrappedValue.insert(value) }
        }
    }
}

@MainActor struct Rows {
    let node: Node
    var selection: ListSelection?

    func output(_ kind: Element.Kind, _ style: String?) -> Output {
        var output = Output(merging: node.children.map(\.output))
        let more = output.take(MoreKey.self)
        let content = output.elements
        let siblings = content.flatMap { $0.kind == .section ? $0.children : [$0] }
        var list = node.element(kind, content.map { $0.kind == .section ? section($0, siblings) : row($0, siblings) })
        let isEditing = node.run { node.environment.editMode?.wrappedValue.isEditing ?? false }
        let classes = [style, isEditing ? "editing" : nil].compactMap(\.self)
        if !classes.isEmpty { list.look[.classes] = classes.joined(separator: " ") }
        if !more.isEmpty {
            node.handle(.more, of: &list) { _ in
                for action in more { action() }
            }
        }
        output.elements = [list]
        return output
    }

    private func section(_ section: Element, _ siblings: [Element]) -> Element {
        var section = section
        section.children = section.children.map { $0.state[.role] == nil || $0.kind != .group ? row($0, siblings) : $0 }
        return section
    }

    private func row(_ content: Element, _ siblings: [Element]) -> Element {
        let traits = content.traits
        var row = node.element(.row, part: content.id, traits.rowBackground + [content])
        row.look = traits.rowLook
        row.traits.scrollID = traits.scrollID
        row.traits.members = traits.members
        if let badge = traits.badge { row.state[.badge] = .text(badge) }
        if let delete = traits.delete, !traits.isDeleteDisabled {
            node.handle(.delete, of: &row) { _ in delete() }
        }
        if let move = traits.move, !traits.isMoveDisabled { handle(move, of: &row, siblings) }
        if let selection, let tag = traits.tag {
            row.state[.selected] = .bool(node.run { selection.contains(tag) })
            node.handle(.tap, of: &row) { _ in selection.select(tag) }
        }
        return row
    }

    private func handle(_ move: @escaping @MainActor (Element?) -> Void, of row: inout Element, _ siblings: [Element]) {
        let node = node
        node.handle(.move, of: &row) { value in
            guard case .before(let id) = value else { return }
            guard let id else { return move(nil) }
            if let next = siblings.first(where: { node.elementID($0.id) == id }) { move(next) }
        }
    }
}

extension List where SelectionValue == Never {
    /// Creates a list.
    public init(@ViewBuilder content: () -> Content) { self.init(content(), nil) }

    /// Creates a list of a collection's identifiable elements. The overload for a binding is preferred, because a
    /// binding is also a collection.
    @_disfavoredOverload public init<Data, RowContent>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection, RowContent: View,
        Data.Element: Identifiable
    {
        self.init(ForEach(data, content: rowContent), nil)
    }

    /// Creates a list of a collection's elements, identified by the property at a key path.
    public init<Data, ID, RowContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable, RowContent: View {
        self.init(ForEach(data, id: id, content: rowContent), nil)
    }

    /// Creates a list of the integers of a range.
    public init<RowContent>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> RowContent)
    where Content == ForEach<Range<Int>, Int, RowContent>, RowContent: View {
        self.init(ForEach(data, content: rowContent), nil)
    }

    /// Creates a list of bindings to a collection's identifiable elements.
    public init<C, RowContent>(
        _ data: Binding<C>, @ViewBuilder rowContent: @escaping (Binding<C.Element>) -> RowContent
    )
    where
        Content == ForEach<[BindingElement<C>], C.Element.ID, RowContent>, C: MutableCollection,
        C: RandomAccessCollection, C.Element: Identifiable, C.Index: Hashable, RowContent: View
    {
        self.init(ForEach(data, content: rowContent), nil)
    }
}

extension List {
    /// Creates a list in which the user can select one row.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.init(content(), selection.map { ListSelection($0) })
    }

    /// Creates a list in which the user can select any number of rows.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.init(content(), selection.map { ListSelection($0) })
    }

    /// Creates a list of a collection's identifiable elements, in which the user can select one row.
    public init<Data, RowContent>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection, RowContent: View,
        Data.Element: Identifiable
    {
        self.init(ForEach(data, content: rowContent), selection.map { ListSelection($0) })
    }

    /// Creates a list of a collection's identifiable elements, in which the user can select any number of rows.
    public init<Data, RowContent>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection, RowContent: View,
        Data.Element: Identifiable
    {
        self.init(ForEach(data, content: rowContent), selection.map { ListSelection($0) })
    }

    /// Creates a list of a collection's elements, identified by the property at a key path, in which the user can
    /// select one row.
    public init<Data, ID, RowContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable, RowContent: View {
        self.init(ForEach(data, id: id, content: rowContent), selection.map { ListSelection($0) })
    }

    /// Creates a list of a collection's elements, identified by the property at a key path, in which the user can
    /// select any number of rows.
    public init<Data, ID, RowContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent>, Data: RandomAccessCollection, ID: Hashable, RowContent: View {
        self.init(ForEach(data, id: id, content: rowContent), selection.map { ListSelection($0) })
    }
}

/// A container that shows controls as rows.
nonisolated public struct Form<Content>: View, Primitive where Content: View {
    private let content: Content

    /// Creates a form.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    @MainActor func evaluate(_ node: Node) {
        node.child(.position(0), content, environment: node.environment.with { $0.isLazy = true })
    }
    @MainActor func output(_ node: Node) -> Output {
        Rows(node: node).output(.form, node.environment.styleClasses[.form])
    }
}

/// A group of rows with a header and a footer.
nonisolated public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
    let isExpanded: Binding<Bool>?
}

extension Section: View where Parent: View, Content: View, Footer: View {
    /// The type of the view's body, which isn't used: the toolkit renders sections itself.
    public typealias Body = Never
}

extension Section: Primitive where Parent: View, Content: View, Footer: View {
    @MainActor func evaluate(_ node: Node) {
        node.child(.part("header"), header, environment: node.environment.inside)
        if node.run({ isExpanded?.wrappedValue ?? true }) { node.child(.part("content"), content) }
        node.child(.part("footer"), footer, environment: node.environment.inside)
    }

    @MainActor func output(_ node: Node) -> Output {
        let children = ["header", "content", "footer"].flatMap { part -> [Element] in
            let elements = node.elements(part)
            guard part != "content", !elements.isEmpty else { return elements }
            var group = node.element(.group, part: part, elements)
            group.state[.role] = .text(part)
            if part == "header", let isExpanded {
                group.state[.expanded] = .bool(node.child(.part("content")) != nil)
                node.handle(.tap, of: &group) { _ in isExpanded.wrappedValue.toggle() }
            }
            return [group]
        }
        var output = Output(merging: node.children.map(\.output))
        output.elements = [node.element(.section, children)]
        return output
    }
}

extension Section where Parent: View, Content: View, Footer: View {
    /// Creates a section with a header and a footer.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.init(header: header(), content: content(), footer: footer(), isExpanded: nil)
    }
    /// Creates a section with a header and a footer.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: footer, isExpanded: nil)
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    /// Creates a section with a footer.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer(), isExpanded: nil)
    }
    /// Creates a section with a footer.
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: footer, isExpanded: nil)
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    /// Creates a section with a header.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView(), isExpanded: nil)
    }
    /// Creates a section with a header.
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: EmptyView(), isExpanded: nil)
    }
    /// Creates a section with a header that the user can expand and collapse.
    public init(isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView(), isExpanded: isExpanded)
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    /// Creates a section without a header and footer.
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView(), isExpanded: nil)
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    /// Creates a section with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView(), isExpanded: nil)
    }
    /// Creates a section with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content) where S: StringProtocol {
        self.init(header: Text(title), content: content(), footer: EmptyView(), isExpanded: nil)
    }
    /// Creates a section with a title that the user can expand and collapse.
    public init(_ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView(), isExpanded: isExpanded)
    }
    /// Creates a section with a title that the user can expand and collapse.
    @_disfavoredOverload public init<S>(_ title: S, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Content)
    where S: StringProtocol {
        self.init(header: Text(title), content: content(), footer: EmptyView(), isExpanded: isExpanded)
    }
}
