// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RegnumUI

/// An error that describes why a test step couldn't be performed.
public struct UIError: Error, CustomStringConvertible {
    /// The cause of the error, followed by the tree of elements.
    public let description: String
}

/// A host that shows views without a screen, for tests. It finds elements and performs a user's actions on them.
///
/// Everything runs on the main actor. Two hosts in one process are independent.
@MainActor public final class UIHost {
    private let graph: Graph
    /// The texts of secret fields, which aren't in the tree. Typing appends to them.
    private var secrets: [ElementID: String] = [:]
    private var mirror: ElementMirror?
    private var shown: Element?
    private var hostLog: [String] = []
    /// The URLs that the app has opened.
    public private(set) var openedAddresses: [URL] = []

    /// Creates a host that shows a view.
    public init<V: View>(
        _ view: V, environment: (inout EnvironmentValues) -> Void = { _ in },
        size: CGSize = CGSize(width: 390, height: 844)
    ) {
        graph = Graph(view, size: size, environment: environment)
        graph.openAddress = { [weak self] in self?.openedAddresses.append($0) }
    }

    /// Creates a host that shows the first window of an app.
    public convenience init<A: App>(_ app: A) { self.init(AppView(app)) }

    /// Returns a host that maintains a second tree by applying the operations sent to browsers, and logs differences
    /// between the trees.
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

    /// The messages that the toolkit has logged about the app.
    public var log: [String] { graph.log + hostLog }

    /// The causes of the last 1,000 evaluations: the type of the view and the change that required the evaluation.
    public var changes: [String] { graph.changes }

    /// Returns the number of times that the body of a view type was evaluated.
    public func evaluations<V: View>(of type: V.Type) -> Int { graph.evaluationCount(of: type) }
}

// MARK: - Queries

extension UIHost {
    /// The elements that the user can reach: those in front of the page if any are presented, otherwise all.
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
    /// The sheet or alert in front of the page; nil if there isn't one.
    public var presented: UIElement? { presentedElement.map { UIElement(element: $0) } }
    /// The title of the page.
    public var title: String { pageElement.name }
    /// The tree of elements as indented text.
    public var dump: String { graph.element.lines(0).joined(separator: "\n") }
    /// Returns all elements that match a query.
    public func all(_ query: UIQuery) -> [UIElement] { query.find(in: front).map { UIElement(element: $0) } }
    /// Returns whether an element matches a query.
    public func exists(_ query: UIQuery) -> Bool { !all(query).isEmpty }

    /// Returns the element that matches a query.
    /// - Throws: `UIError`, which includes the tree, unless exactly one element matches.
    public func find(_ query: UIQuery) throws -> UIElement { UIElement(element: try element(query)) }

    private func element(_ query: UIQuery) throws -> Element {
        let found = query.find(in: front)
        guard found.count == 1 else {
            throw UIError(description: "\(found.count) elements are \(query):\n\(dump)")
        }
        return found[0]
    }

    /// Returns the element that matches a query, or a related one that supports the action: a link in a row, or the
    /// button around a text.
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
    /// Performs an action and waits until its consequences are complete.
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
    public func tap(_ query: UIQuery) async throws { try await perform(.tap, query) }
    /// Performs a long press on an element.
    public func longPress(_ query: UIQuery) async throws { try await perform(.longPress, query) }

    /// Drags an element. `meanwhile` runs before the drag ends.
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

    /// Types a text at the end of a field's text, one character at a time.
    public func type(_ text: String, into query: UIQuery) async throws {
        let field = try element(query, thatCan: .input)
        try await perform(.focus, field, .bool(true))
        let start = secrets[field.id] ?? graph.element.first { $0.id == field.id }?.state[.value]?.text ?? ""
        for end in text.indices { try await perform(.input, field, .text(start + text[...end])) }
        if field.kind == .secureField { secrets[field.id] = start + text }
    }

    /// Clears a field.
    public func clear(_ query: UIQuery) async throws {
        let field = try element(query, thatCan: .input)
        secrets[field.id] = nil
        try await perform(.focus, field, .bool(true))
        try await perform(.input, field, .text(""))
    }

    /// Presses Return in a field.
    public func submit(_ query: UIQuery) async throws { try await perform(.commit, query) }

    /// Moves the focus away from the focused field.
    public func blur() async throws {
        graph.moveFocus(to: nil)
        guard await isSettled() else { throw UIError(description: "The program did not come to rest in 5 seconds.") }
    }

    /// Switches a toggle.
    public func toggle(_ query: UIQuery) async throws {
        let element = try element(query, thatCan: .input)
        try await perform(.input, element, .bool(element.state[.checked] != .bool(true)))
    }

    /// Chooses an option of a picker by its name.
    public func choose(_ option: String, in query: UIQuery) async throws {
        let picker = try element(query)
        let found = UIQuery.option(option).find(in: picker)
        guard found.count == 1 else {
            throw UIError(description: "\(found.count) options of \(query) are “\(option)”:\n\(dump)")
        }
        try await perform(.choose, found[0])
    }

    /// Chooses the element that matches a query, such as a search suggestion.
    public func choose(_ query: UIQuery) async throws { try await perform(.choose, query) }
    /// Sets a date.
    public func set(_ date: Date, of query: UIQuery) async throws { try await perform(.input, query, .date(date)) }
    /// Sets a number.
    public func set(_ number: Double, of query: UIQuery) async throws {
        try await perform(.input, query, .number(number))
    }
    /// Deletes a row.
    public func delete(_ row: UIQuery) async throws { try await perform(.delete, try element(row, thatCan: .delete)) }

    /// Moves a row before the row that is currently at an index of its list, or to the end.
    public func move(_ row: UIQuery, to index: Int) async throws {
        let moved = try element(row, thatCan: .move)
        let list = graph.element.first { $0.children.contains { $0.id == moved.id } }
        let rows = (list?.children ?? []).filter { $0.kind == .row }
        try await perform(.move, moved, .before(rows.indices.contains(index) ? rows[index].id : nil))
    }

    /// Performs a swipe action or a context menu action of a row.
    public func swipe(_ row: UIQuery, action: String) async throws {
        let row = try element(row)
        let found = UIQuery.button(action).inside(.menu("More")).find(in: row)
        guard found.count == 1 else {
            throw UIError(description: "\(found.count) actions of the row are “\(action)”:\n\(dump)")
        }
        try await perform(.tap, found[0])
    }

    /// Returns to the previous page.
    public func back() async throws {
        let page = pageElement
        guard page.actions.contains(.back) else { throw UIError(description: "There is no page before:\n\(dump)") }
        try await perform(.back, page)
    }

    /// Dismisses the sheet or alert in front of the page.
    public func dismiss() async throws {
        guard let dialog = presentedElement, dialog.actions.contains(.dismiss) else {
            throw UIError(description: "There is nothing that can be dismissed:\n\(dump)")
        }
        try await perform(.dismiss, dialog)
    }

    /// Enters a text into the search field of the page.
    public func search(_ text: String) async throws {
        guard let field = front.first(where: { $0.state[.role] == .text("search") && $0.kind == .field }) else {
            throw UIError(description: "There is no search field:\n\(dump)")
        }
        try await perform(.focus, field, .bool(true))
        try await perform(.input, field, .text(text))
    }

    /// Reloads the page.
    public func refresh() async throws { try await perform(.refresh, .button("Reload")) }
    /// Scrolls to the end of a list, which then creates further rows.
    public func scrollToEnd(_ query: UIQuery) async throws { try await perform(.more, query) }

    /// Presses a key: `return` commits the focused field, `escape` ends a search or dismisses a sheet or alert.
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

    /// Advances the clock, and updates the texts that depend on it.
    public func advance(by seconds: TimeInterval) { graph.advance(by: seconds) }
}

// MARK: - Waiting

extension UIHost {
    /// A machine under load may need 5 seconds for a few turns, so only an app with more turns than this times out.
    private static let fewTurns = 1000

    /// Waits until no evaluation, main actor job, or step of a started task is pending. If this takes longer than 5
    /// seconds, the host logs it and stops waiting.
    public func settle() async {
        if !(await isSettled()) { hostLog.append("The program did not come to rest in 5 seconds.") }
    }

    /// Waits until a condition is true, for example because of work on other threads.
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

    /// Waits for the pending work of the main queue and other threads.
    private func turn() async {
        await Task.detached {}.value
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        await Task.yield()
    }
}

/// A host of previews.
@MainActor public enum PreviewHost {
    /// Returns a host that shows the views of a preview.
    public static func render<T: PreviewProvider>(_ type: T.Type) -> UIHost { UIHost(T.previews) }
}
