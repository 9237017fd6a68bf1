// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What views say of the page they are on.
struct PageTraits {
    var title: String?
    /// Writes the title, where the program lets the user edit it.
    var rename: ((String) -> Void)?
    var displayMode: String?
    var leading: [Element] = []
    var trailing: [Element] = []
    var isBackHidden = false
    var isBarHidden = false
    var search: [Element] = []
    var refresh: [Element] = []
}

/// The traits of a page. Of views beside one another the first says the title.
enum PageKey: PreferenceKey {
    static var defaultValue: PageTraits { PageTraits() }

    static func reduce(value: inout PageTraits, nextValue: () -> PageTraits) {
        let next = nextValue()
        if value.title == nil { (value.title, value.rename) = (next.title, next.rename) }
        value.displayMode = value.displayMode ?? next.displayMode
        value.leading += next.leading
        value.trailing += next.trailing
        value.isBackHidden = value.isBackHidden || next.isBackHidden
        value.isBarHidden = value.isBarHidden || next.isBarHidden
        value.search += next.search
        value.refresh += next.refresh
    }
}

/// A page that a view below has pushed.
struct PushedPage {
    let node: Node
    let output: Output
    let back: () -> Void
}

/// The pages that views below have pushed.
enum PushedKey: PreferenceKey {
    static var defaultValue: [PushedPage] { [] }
    static func reduce(value: inout [PushedPage], nextValue: () -> [PushedPage]) { value += nextValue() }
}

/// What is in front of a page: a sheet, an alert.
struct Presented {
    let element: Element
    let isAlert: Bool
}

/// What views below present.
enum PresentedKey: PreferenceKey {
    static var defaultValue: [Presented] { [] }
    static func reduce(value: inout [Presented], nextValue: () -> [Presented]) { value += nextValue() }
}

/// A view with a page of its own around it: its own edit mode, and its own way to be dismissed.
nonisolated struct PageScope<Content: View>: View, Primitive {
    let content: Content
    /// Ends the page; nil for one that nothing is behind.
    let end: (() -> Void)?
    /// Closes it at each tap of a button.
    var closesAtTap = false

    @MainActor private final class State {
        let dismissal = Dismissal()
        let editMode = StateCell(EditMode.inactive)
    }

    @MainActor func evaluate(_ node: Node) {
        let state = node.memory as? State ?? State()
        node.memory = state
        if let end { state.dismissal.end = end }
        node.child(
            .position(0), content,
            environment: node.environment.with {
                $0.editMode = Binding(state.editMode)
                $0.isLazy = false
                if end != nil { $0.dismiss = DismissAction(dismissal: state.dismissal) }
                $0.closing = closesAtTap ? state.dismissal : nil
            })
    }
}

/// Pages on top of one another, of which the user sees the last.
@MainActor struct PageStack {
    let node: Node

    /// The element of the top page, with what all pages present.
    func output(root: Node, pushed: [PushedPage]) -> Output {
        var pages: [PushedPage] = []
        var presented: [Presented] = []
        func add(_ page: PushedPage) {
            var output = page.output
            let above = output.take(PushedKey.self)
            presented += output.take(PresentedKey.self)
            pages.append(PushedPage(node: page.node, output: output, back: page.back))
            for page in above { add(page) }
        }
        add(PushedPage(node: root, output: root.output, back: {}))
        for page in pushed { add(page) }
        for page in pages { page.node.visibility = .hidden }
        guard let top = pages.last else { return Output() }
        top.node.visibility = .with(node)
        var output = top.output
        let traits = output.take(PageKey.self)
        let behind = pages.count > 1 ? pages[pages.count - 2].output[PageKey.self].title ?? "Back" : nil
        output.elements = [page(top, output.elements, traits, behind: behind, depth: pages.count - 1)]
        if !presented.isEmpty { output[PresentedKey.self] = presented }
        return output
    }

    private func page(
        _ page: PushedPage, _ content: [Element], _ traits: PageTraits, behind: String?, depth: Int
    ) -> Element {
        let key = page.node.serial
        var element = node.element(.page, part: "page \(key)")
        element.state[.title] = .text(traits.title ?? "")
        element.state[.level] = .number(Double(depth))
        var bar = node.element(.bar, part: "bar \(key)")
        if let behind, !traits.isBackHidden {
            var back = node.element(.button, part: "back \(key)")
            back.access[.label] = behind
            back.state[.role] = .text("back")
            node.handle(.tap, of: &back) { _ in page.back() }
            bar.children.append(back)
        }
        bar.children += traits.leading
        if let title = traits.title, !title.isEmpty { bar.children.append(heading(title, key, traits)) }
        bar.children += traits.trailing + traits.refresh + traits.search
        if let mode = traits.displayMode { bar.look[.classes] = mode }
        if behind != nil { node.handle(.back, of: &element) { _ in page.back() } }
        element.children = (traits.isBarHidden || bar.children.isEmpty ? [] : [bar]) + content
        return element
    }

    private func heading(_ title: String, _ key: Int, _ traits: PageTraits) -> Element {
        var heading = node.element(traits.rename == nil ? .text : .field, part: "title \(key)")
        heading.state[.level] = .number(1)
        if let rename = traits.rename {
            heading.access[.label] = "Title"
            heading.state[.value] = .text(title)
            node.handle(.input, of: &heading) { value in
                if case .text(let text) = value { rename(text) }
            }
        } else {
            heading.runs = [TextRun(text: title)]
        }
        return heading
    }
}

/// The view of a whole window: its content, and in front of it what views present.
nonisolated struct RootView<Content: View>: View, Primitive {
    let content: Content

    @MainActor func evaluate(_ node: Node) {
        let openURL = OpenURLAction(graph: node.graph)
        node.child(
            .position(0), PageScope(content: content, end: nil),
            environment: node.environment.with {
                $0.openURL = openURL
                node.graph.describeWindow(&$0)
            })
    }

    @MainActor func output(_ node: Node) -> Output {
        guard let root = node.children.first else { return Output() }
        let pushed = root.output[PushedKey.self]
        let hasPages = root.output.elements.contains { $0.kind == .page || $0.kind == .tabs }
        var output = hasPages && pushed.isEmpty ? root.output : PageStack(node: node).output(root: root, pushed: [])
        if hasPages { root.visibility = .inherited }
        let presented = output.take(PresentedKey.self)
        // Of several alerts at once the later ones wait.
        let firstAlert = presented.firstIndex(where: \.isAlert)
        let shown = presented.enumerated().filter { !$1.isAlert || $0 == firstAlert }.map(\.element.element)
        output.elements = [node.element(.group, part: "window", output.elements + shown)]
        return output
    }
}
