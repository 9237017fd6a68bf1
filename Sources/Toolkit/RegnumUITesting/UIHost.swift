// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RegnumUI

/// An error that prevents a test step, such as a query without a match.
public struct UIError: Error, CustomStringConvertible {
    /// The cause of the error, followed by the tree of elements.
    public let description: String
}

/// A host that shows views without a screen, for tests. It finds elements and performs a user's actions on them.
///
/// Each action returns after the app has handled it: see `settle()`. Multiple hosts in a process are independent.
@MainActor public final class UIHost {
    private let graph: Graph
    /// The texts of secure fields, to which typing appends. The tree doesn't contain them.
    private var secrets: [ElementID: String] = [:]
    private var mirror: ElementMirror?
    private var shown: Element?
    private var hostLog: [String] = []
    /// The URLs that the app has opened, in order.
    public private(set) var openedAddresses: [URL] = []

    /// Creates a host that shows a view in a window of a size, in points. `environment` changes the initial
    /// environment.
    public init<V: View>(
        _ view: V, environment: (inout EnvironmentValues) -> Void = { _ in },
        size: CGSize = CGSize(width: 390, height: 844)
    ) {
        graph = Graph(view, size: size, environment: environment)
        graph.openAddress = { [weak self] in self?.openedAddresses.append($0) }
    }

    /// Creates a host that shows the first window of an app.
    public convenience init<A: App>(_ app: A) { self.init(AppView(app)) }

    /// Returns a host that also checks the operations sent to browsers: it applies them to a second tree, and logs each
    /// difference between the trees.
    public static func pair<V: View>(
        _ view: V, environment: (inout EnvironmentValues) -> Void = { _ in },
        size: CGSize = CGSize(width: 390, height: 844)
    ) -> UIHost {
        let host = UIHost(view, environment: environment, size: size)
        host.mirror = ElementMirror()
        host.follow(host.graph.element)
        host.graph.didChange = { [weak host] in host?.follow($0) }
        return host
    }

    isolated deinit { graph.close() }

    private func follow(_ element: Element) {
        let operations = Difference.operations(from: shown, to: element)
        shown = element
        mirror?.apply(operations)
        if mirror?.element != element {
            hostLog.append("The second tree differs after \(operations.count) operations.")
        }
    }

    /// Closes the window: cancels its tasks and subscriptions, and runs the `onDisappear` actions.
    public func close() { graph.close() }

    /// The warnings about the app, such as a `ForEach` with elements of equal identity.
    public var log: [String] { graph.log + hostLog }

    /// The causes of the last 500 to 1,000 evaluations: the type of the view, and the change that invalidated it.
    public var changes: [String] { graph.changes }

    /// Returns the number of evaluations of a view type's body.
    public func evaluations<V: View>(of type: V.Type) -> Int { graph.evaluationCount(of: type) }
}

// MARK: - Queries

extension UIHost {
    /// The topmost sheet or alert, or the window if none is presented.
    private var front: Element { presentedElement ?? graph.element }

    private var presentedElement: Element? { graph.element.children.last { $0.kind == .dialog } }

    private var pageElement: Element {
        func last(_ element: Element) -> Element? {
            for child in element.children.reversed() where !child.isHidden {
                if let found = last(child) { return found }
            }
            return element.kind == .page ? element : nil
        }
        return last(front) ?? front
    }

    /// The visible page.
    public var page: UIElement { UIElement(element: pageElement) }
    /// The topmost sheet or alert, or `nil`.
    public var presented: UIElement? { presentedElement.map { UIElement(element: $0) } }
    /// The title of the visible page.
    public var title: String { pageElement.name }
    /// The tree of elements as indented text.
    public var dump: String { graph.element.lines(0).joined(separator: "\n") }
    /// Returns the elements that match a query, in reading order. If a sheet or alert is presented, only its elements
    /// match.
    public func all(_ query: UIQuery) -> [UIElement] { query.find(in: front).map { UIElement(element: $0) } }
    /// Returns whether any element matches a query.
    public func exists(_ query: UIQuery) -> Bool { !all(query).isEmpty }

    /// Returns the element that matches a query.
    ///
    /// - Throws: `UIError` unless exactly one element matches.
    public func find(_ query: UIQuery) throws -> UIElement { UIElement(element: try element(query)) }

    private func element(_ query: UIQuery) throws -> Element {
        let found = query.find(in: front)
        guard found.count == 1 else {
            throw UIError(description: "\(found.count) elements are \(query):\n\(dump)")
        }
        return found[0]
    }

    /// The element can be a descendant of the match, such as a link in a row, or an ancestor, such as the button around
    /// a text.
    private func element(_ query: UIQuery, thatCan action: ActionKind) throws -> Element {
        let element = try element(query)
        if element.actions.contains(action) { return element }
        if let inner = element.first(where: { $0.actions.contains(action) && !$0.isHidden }) { return inner }
        var path: [Element] = []
        func climb(_ root: Element) -> Bool {
            if root.id == element.id { return true }
            guard root.children.contains(where: climb) else { return false }
            path.append(root)
            return true
        }
        _ = climb(graph.element)
        if let around = path.first(where: { $0.actions.contains(action) }) { return around }
        throw UIError(description: "\(query) cannot \(action.rawValue):\n\(dump)")
    }
}

// MARK: - Actions

extension UIHost {
    private func perform(_ action: ActionKind, _ element: Element, _ value: ActionValue = .none) async throws {
        guard graph.perform(action, on: element.id, value) else {
            throw UIError(description: "\(element.kind.rawValue) “\(element.name)” is disabled:\n\(dump)")
        }
        guard await isSettled() else { throw UIError(description: "The program did not come to rest in 5 seconds.") }
    }

    private func perform(_ action: ActionKind, _ query: UIQuery, _ value: ActionValue = .none) async throws {
        try await perform(action, try element(query, thatCan: action), value)
    }

    /// Taps an element.
    ///
    /// - Throws: `UIError` unless exactly one element matches and it's enabled.
    public func tap(_ query: UIQuery) async throws { try await perform(.tap, query) }
    /// Performs a long press on an element.
    public func longPress(_ query: UIQuery) async throws { try await perform(.longPress, query) }

    /// Drags an element by a translation, in points. `meanwhile` runs before the drag ends.
    public func drag(
        _ query: UIQuery, by translation: CGSize, meanwhile: @MainActor () async throws -> Void = {}
    ) async throws {
        let element = try element(query, thatCan: .drag)
        let (x, y) = (translation.width, translation.height)
        func move(_ share: CGFloat, isEnd: Bool = false) async throws {
            try await perform(
                .drag, element,
                .drag(
                    .init(
                        start: .zero, location: CGPoint(x: x * share, y: y * share),
                        distance: (x * x + y * y).squareRoot() * share, isEnd: isEnd)))
        }
        try await move(0.5)
        try await move(1)
        try await meanwhile()
        try await move(1, isEnd: true)
    }

    /// Moves the focus to a field and appends a text to the field's text, one character at a time.
    public func type(_ text: String, into query: UIQuery) async throws {
        let field = try element(query, thatCan: .input)
        try await perform(.focus, field, .bool(true))
        let start = secrets[field.id] ?? graph.element.first { $0.id == field.id }?.state[.value]?.text ?? ""
        for end in text.indices { try await perform(.input, field, .text(start + text[...end])) }
        if field.kind == .secureField { secrets[field.id] = start + text }
    }

    /// Moves the focus to a field and removes its text.
    public func clear(_ query: UIQuery) async throws {
        let field = try element(query, thatCan: .input)
        secrets[field.id] = nil
        try await perform(.focus, field, .bool(true))
        try await perform(.input, field, .text(""))
    }

    /// Presses Return in a field.
    public func submit(_ query: UIQuery) async throws { try await perform(.commit, query) }

    /// Removes the focus from the focused field.
    public func blur() async throws {
        graph.moveFocus(to: nil)
        guard await isSettled() else { throw UIError(description: "The program did not come to rest in 5 seconds.") }
    }

    /// Switches a toggle.
    public func toggle(_ query: UIQuery) async throws {
        let element = try element(query, thatCan: .input)
        try await perform(.input, element, .bool(element.state[.checked] != .bool(true)))
    }

    /// Chooses an option of a picker, by the option's accessible name.
    public func choose(_ option: String, in query: UIQuery) async throws {
        let picker = try element(query)
        let found = UIQuery.option(option).find(in: picker)
        guard found.count == 1 else {
            throw UIError(description: "\(found.count) options of \(query) are “\(option)”:\n\(dump)")
        }
        try await perform(.choose, found[0])
    }

    /// Chooses the option that matches a query, such as a search suggestion.
    public func choose(_ query: UIQuery) async throws { try await perform(.choose, query) }
    /// Sets the date of a date picker.
    public func set(_ date: Date, of query: UIQuery) async throws { try await perform(.input, query, .date(date)) }
    /// Sets the number of a slider.
    public func set(_ number: Double, of query: UIQuery) async throws {
        try await perform(.input, query, .number(number))
    }
    /// Deletes a row, if its list allows that.
    public func delete(_ row: UIQuery) async throws { try await perform(.delete, try element(row, thatCan: .delete)) }

    /// Moves a row before the row that is currently at an index of the list, or to the end beyond its last row.
    public func move(_ row: UIQuery, to index: Int) async throws {
        let moved = try element(row, thatCan: .move)
        let list = graph.element.first { $0.children.contains { $0.id == moved.id } }
        let rows = (list?.children ?? []).filter { $0.kind == .row }
        try await perform(.move, moved, .before(rows.indices.contains(index) ? rows[index].id : nil))
    }

    /// Performs a swipe action, or an action of the context menu, of a row.
    public func swipe(_ row: UIQuery, action: String) async throws {
        let row = try element(row)
        let found = UIQuery.button(action).inside(.menu("More")).find(in: row)
        guard found.count == 1 else {
            throw UIError(description: "\(found.count) actions of the row are “\(action)”:\n\(dump)")
        }
        try await perform(.tap, found[0])
    }

    /// Returns to the previous page.
    ///
    /// - Throws: `UIError` if the visible page is a root page.
    public func back() async throws {
        let page = pageElement
        guard page.actions.contains(.back) else {
            throw UIError(description: "The page isn't above another one:\n\(dump)")
        }
        try await perform(.back, page)
    }

    /// Dismisses the topmost sheet or alert.
    ///
    /// - Throws: `UIError` if nothing is presented, or the user can't dismiss it.
    public func dismiss() async throws {
        guard let dialog = presentedElement, dialog.actions.contains(.dismiss) else {
            throw UIError(description: "There is nothing that can be dismissed:\n\(dump)")
        }
        try await perform(.dismiss, dialog)
    }

    /// Moves the focus to the search field of the page and replaces its text.
    public func search(_ text: String) async throws {
        guard let field = front.first(where: { $0.state[.role] == .text("search") && $0.kind == .field }) else {
            throw UIError(description: "The page doesn't have a search field:\n\(dump)")
        }
        try await perform(.focus, field, .bool(true))
        try await perform(.input, field, .text(text))
    }

    /// Clicks the reload button of the page, which runs the `refreshable` action.
    public func refresh() async throws { try await perform(.refresh, .button("Reload")) }
    /// Scrolls to the end of a list, which then creates more rows.
    public func scrollToEnd(_ query: UIQuery) async throws { try await perform(.more, query) }

    /// Presses Return in the focused field, or Escape to end the search or dismiss the topmost sheet or alert.
    ///
    /// - Throws: `UIError` for other keys, or if the key has no effect.
    public func press(key: KeyEquivalent) async throws {
        if key == .return, let id = graph.focused, let field = graph.element.first(where: { $0.id == id }) {
            return try await perform(.commit, field)
        }
        let focused = graph.element.first { $0.id == graph.focused && $0.actions.contains(.dismiss) }
        if key == .escape, let search = focused { return try await perform(.dismiss, search) }
        if key == .escape { return try await dismiss() }
        throw UIError(description: "Nothing waits for that key:\n\(dump)")
    }

    /// Opens the app with a URL, which runs the `onOpenURL` actions.
    public func open(_ url: URL) async {
        graph.open(url)
        await settle()
    }

    /// Advances the clock and updates the texts that depend on it.
    public func advance(by duration: Duration) { graph.advance(by: duration / .seconds(1)) }
}

// MARK: - Waiting

extension UIHost {
    /// The minimum number of turns before a time-out. A machine under load may need 5 seconds for a few turns.
    private static let fewTurns = 1000

    /// Waits until evaluations, main actor jobs, and started tasks have no more work to do. If that takes longer than 5
    /// seconds, the host adds a message to `log` and returns.
    public func settle() async {
        if !(await isSettled()) { hostLog.append("The program did not come to rest in 5 seconds.") }
    }

    /// Waits until a condition is true, for example as a result of work on other threads.
    ///
    /// - Throws: `UIError` if the condition isn't true after 5 seconds.
    public func settle(until condition: () -> Bool) async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(5)
        var turns = 0
        while !condition() {
            turns += 1
            guard clock.now < end || turns < Self.fewTurns else {
                throw UIError(description: "The condition did not come true:\n\(dump)")
            }
            await turn()
        }
        await settle()
    }

    private func isSettled() async -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(5)
        var (quiet, turns) = (0, 0)
        while quiet < (graph.runningActionCount > 0 ? 10 : 3) {
            turns += 1
            guard clock.now < end || turns < Self.fewTurns else { return false }
            let before = graph.turnCount
            await turn()
            graph.flush()
            quiet = graph.turnCount == before ? quiet + 1 : 0
        }
        return true
    }

    private func turn() async {
        await Task.detached {}.value
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        await Task.yield()
    }
}

/// A host for previews.
@MainActor public enum PreviewHost {
    /// Returns a host that shows the views of a preview.
    public static func render<T: PreviewProvider>(_ type: T.Type) -> UIHost { UIHost(T.previews) }
}
