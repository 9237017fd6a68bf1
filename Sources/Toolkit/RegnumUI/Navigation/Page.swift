// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct PageTraits {
    var title: String?
    /// `nil` if the user can't edit the title.
    var rename: ((String) -> Void)?
    var displayMode: String?
    var leading: [Element] = []
    var trailing: [Element] = []
    var isBackHidden = false
    var isBarHidden = false
    var search: [Element] = []
    var refresh: [Element] = []
}

/// The title of the first view wins.
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

struct PushedPage {
    let node: Node
    let output: Output
    let back: () -> Void
}

enum PushedKey: PreferenceKey {
    static var defaultValue: [PushedPage] { [] }
    static func reduce(value: inout [PushedPage], nextValue: () -> [PushedPage]) { value += nextValue() }
}

struct Presented {
    let element: Element
    let isAlert: Bool
}

enum PresentedKey: PreferenceKey {
    static var defaultValue: [Presented] { [] }
    static func reduce(value: inout [Presented], nextValue: () -> [Presented]) { value += nextValue() }
}

/// A view in a page of its own, with its own edit mode and dismissal.
nonisolated struct PageScope<Content: View>: View, Primitive {
    let content: Content
    /// Removes the page, or `nil` for a root page.
    let end: (() -> Void)?
    /// Whether a tap on any button of the page removes it.
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

@MainActor struct PageStack {
    let node: Node

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
        // Alerts are shown one at a time, in order.
        let firstAlert = presented.firstIndex(where: \.isAlert)
        let shown = presented.enumerated().filter { !$1.isAlert || $0 == firstAlert }.map(\.element.element)
        output.elements = [node.element(.group, part: "window", output.elements + shown)]
        return output
    }
}
