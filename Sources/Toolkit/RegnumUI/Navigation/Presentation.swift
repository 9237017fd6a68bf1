// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

nonisolated struct PresentationModification<C: View>: Modification {
    enum Kind: String { case sheet, cover, popover, alert, dialog }

    let kind: Kind
    /// Content of another identity is a new view.
    let content: () -> (AnyHashable, C)?
    let end: () -> Void
    var onDismiss: (() -> Void)?

    private final class State {
        var isPresented = false
        var isDismissDisabled = false
    }

    private var isAlert: Bool { kind == .alert || kind == .dialog }

    @MainActor func evaluate(_ node: Node) {
        let state = node.memory as? State ?? State()
        node.memory = state
        let shown = node.run(content)
        if state.isPresented, shown == nil, let onDismiss { node.graph.afterPass { onDismiss() } }
        state.isPresented = shown != nil
        guard let (id, view) = shown else { return }
        node.child(.id(id, -2), PageScope(content: view, end: end, closesAtTap: isAlert))
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        guard node.children.count > 1, let shown = node.children.last else { return }
        var inner = shown.output
        let presented = inner.take(PresentedKey.self)
        let isDismissDisabled = inner.take(DismissDisabledKey.self)
        let height = inner.take(DetentKey.self)
        var page = inner
        if !isAlert, !inner.elements.contains(where: { $0.kind == .page || $0.kind == .tabs }) {
            page = PageStack(node: node).output(root: shown, pushed: [])
            _ = page.take(PresentedKey.self)
            shown.visibility = .inherited
        }
        var dialog = node.element(.dialog, part: shown.serial, page.elements)
        dialog.state[.role] = .text(kind.rawValue)
        dialog.state[.title] = .text(title(of: page.elements))
        dialog.look[.height] = height
        if isAlert { dialog.state[.alert] = .bool(true) }
        if !isAlert && !isDismissDisabled || kind == .dialog { node.handle(.dismiss, of: &dialog) { _ in end() } }
        var all = output[PresentedKey.self]
        all.append(Presented(element: dialog, isAlert: isAlert))
        output[PresentedKey.self] = all + presented
    }

    private func title(of elements: [Element]) -> String {
        let heading = elements.lazy.compactMap { $0.first { $0.state[.level] == .number(1) } }.first
        return heading?.name ?? ""
    }
}

enum DismissDisabledKey: PreferenceKey {
    static var defaultValue: Bool { false }
    static func reduce(value: inout Bool, nextValue: () -> Bool) { value = value || nextValue() }
}

/// A height at which a sheet rests.
public struct PresentationDetent: Hashable, Sendable {
    let css: String
    let share: CGFloat
    /// Half of the window's height.
    public static let medium = fraction(0.5)
    /// The full height of the window.
    public static let large = fraction(1)
    /// Returns a fraction of the window's height, from 0 to 1.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(css: "\(Int(fraction * 100))vh", share: fraction)
    }
    /// Returns a fixed height, in points.
    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(css: RegnumUI.css(height), share: height / 844)
    }
}

enum DetentKey: PreferenceKey {
    static var defaultValue: String? { nil }
    static func reduce(value: inout String?, nextValue: () -> String?) { value = value ?? nextValue() }
}

/// An alert without buttons has a button that closes it; a dialog always has a cancel button.
nonisolated struct AlertView<Actions: View, Message: View>: View, Primitive {
    let title: Text
    let isDialog: Bool
    let actions: Actions
    let message: Message

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("title"), title)
        node.child(.part("message"), message)
        node.child(.part("actions"), actions)
    }

    @MainActor func output(_ node: Node) -> Output {
        var heading = node.elements("title")
        for index in heading.indices { heading[index].state[.level] = .number(1) }
        var buttons = node.elements("actions")
        let hasCancel = buttons.contains { $0.state[.role] == .text("cancel") }
        if buttons.isEmpty && !isDialog { buttons.append(closing("OK", node)) }
        if isDialog && !hasCancel { buttons.append(closing("Cancel", node)) }
        var output = Output()
        output.elements = heading + node.elements("message") + buttons
        return output
    }

    @MainActor private func closing(_ name: String, _ node: Node) -> Element {
        var button = node.element(.button, part: name)
        button.access[.label] = name
        button.state[.role] = .text("cancel")
        let closing = node.environment.closing
        node.handle(.tap, of: &button) { _ in closing?.end() }
        return button
    }
}

/// An alert with up to two buttons, in SwiftUI's older form.
public struct Alert {
    /// A button of an alert.
    public struct Button {
        let label: Text
        let role: ButtonRole?
        let action: () -> Void

        /// Returns a button without a role.
        public static func `default`(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, role: nil, action: action ?? {})
        }
        /// Returns a button that cancels the operation.
        public static func cancel(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, role: .cancel, action: action ?? {})
        }
        /// Returns a button titled “Cancel” that cancels the operation.
        public static func cancel(_ action: (() -> Void)? = {}) -> Button { cancel(Text("Cancel"), action: action) }
        /// Returns a button that deletes data.
        public static func destructive(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, role: .destructive, action: action ?? {})
        }
    }

    let title: Text
    let message: Text?
    let buttons: [Button]

    /// Creates an alert with one button, titled “OK” by default.
    public init(title: Text, message: Text? = nil, dismissButton: Button? = nil) {
        (self.title, self.message, buttons) = (title, message, dismissButton.map { [$0] } ?? [])
    }

    /// Creates an alert with two buttons.
    public init(title: Text, message: Text? = nil, primaryButton: Button, secondaryButton: Button) {
        (self.title, self.message, buttons) = (title, message, [primaryButton, secondaryButton])
    }

    fileprivate var view: some View { Self.view(title, message, buttons, isDialog: false) }

    fileprivate static func view(_ title: Text, _ message: Text?, _ buttons: [Button], isDialog: Bool) -> some View {
        // Immutable, and read on the main actor only, where views are evaluated.
        nonisolated(unsafe) let buttons = buttons
        return AlertView(
            title: title, isDialog: isDialog,
            actions: ForEach(buttons.indices, id: \.self) { index in
                RegnumUI.Button(role: buttons[index].role, action: { buttons[index].action() }) { buttons[index].label }
            }, message: message)
    }
}

/// A dialog for choosing an action, in SwiftUI's older form.
public struct ActionSheet {
    /// A button of an action sheet.
    public typealias Button = Alert.Button

    private let title: Text
    private let message: Text?
    private let buttons: [Button]

    /// Creates an action sheet with a title, a message, and buttons.
    public init(title: Text, message: Text? = nil, buttons: [Button] = [.cancel()]) {
        (self.title, self.message, self.buttons) = (title, message, buttons)
    }

    fileprivate var view: some View { Alert.view(title, message, buttons, isDialog: true) }
}

/// The anchor of a popover. Has no effect in the browser host, which shows a popover in front of the page.
public enum PopoverAttachmentAnchor: Sendable {
    /// The source of an anchor's rectangle.
    public enum Source: Sendable { case bounds }
    case rect(Source)
    case point(UnitPoint)
}

extension View {
    nonisolated private func present<C: View>(
        _ kind: PresentationModification<C>.Kind, _ isPresented: Binding<Bool>, _ onDismiss: (() -> Void)? = nil,
        _ content: @escaping () -> C
    ) -> some View {
        modifier(
            PresentationModification(
                kind: kind, content: { isPresented.wrappedValue ? (AnyHashable(true), content()) : nil },
                end: { isPresented.wrappedValue = false }, onDismiss: onDismiss))
    }

    nonisolated private func present<Item: Identifiable, C: View>(
        _ kind: PresentationModification<C>.Kind, _ item: Binding<Item?>, _ onDismiss: (() -> Void)? = nil,
        _ content: @escaping (Item) -> C
    ) -> some View {
        modifier(
            PresentationModification(
                kind: kind, content: { item.wrappedValue.map { (AnyHashable($0.id), content($0)) } },
                end: { item.wrappedValue = nil }, onDismiss: onDismiss))
    }

    /// Shows a sheet while `isPresented` is true.
    nonisolated public func sheet<Content>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        present(.sheet, isPresented, onDismiss, content)
    }
    /// Shows a sheet while `item` isn't `nil`.
    nonisolated public func sheet<Item, Content>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        present(.sheet, item, onDismiss, content)
    }
    /// Shows a full-screen sheet while `isPresented` is true.
    nonisolated public func fullScreenCover<Content>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        present(.cover, isPresented, onDismiss, content)
    }
    /// Shows a full-screen sheet while `item` isn't `nil`.
    nonisolated public func fullScreenCover<Item, Content>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        present(.cover, item, onDismiss, content)
    }
    /// Shows a popover while `isPresented` is true. The anchor and the arrow have no effect in the browser host.
    nonisolated public func popover<Content>(
        isPresented: Binding<Bool>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds), arrowEdge: Edge = .top,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View where Content: View {
        present(.popover, isPresented, nil, content)
    }
    /// Shows a popover while `item` isn't `nil`. The anchor and the arrow have no effect in the browser host.
    nonisolated public func popover<Item, Content>(
        item: Binding<Item?>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds), arrowEdge: Edge = .top,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        present(.popover, item, nil, content)
    }
    /// Sets the heights at which a sheet rests. The browser host uses the lowest one.
    nonisolated public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        preference(key: DetentKey.self, value: detents.min { $0.share < $1.share }?.css)
    }
    /// Sets whether the user can't dismiss a sheet except by its own controls.
    nonisolated public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        preference(key: DismissDisabledKey.self, value: isDisabled)
    }

    /// Shows an alert while `isPresented` is true.
    nonisolated public func alert(isPresented: Binding<Bool>, content: @escaping () -> Alert) -> some View {
        present(.alert, isPresented) { content().view }
    }
    /// Shows an alert while `item` isn't `nil`.
    nonisolated public func alert<Item>(item: Binding<Item?>, content: @escaping (Item) -> Alert) -> some View
    where Item: Identifiable {
        present(.alert, item) { content($0).view }
    }

    /// Shows a dialog while `isPresented` is true.
    nonisolated public func actionSheet(isPresented: Binding<Bool>, content: @escaping () -> ActionSheet) -> some View {
        present(.dialog, isPresented) { content().view }
    }
    /// Shows a dialog while `item` isn't `nil`.
    nonisolated public func actionSheet<T>(item: Binding<T?>, content: @escaping (T) -> ActionSheet) -> some View
    where T: Identifiable {
        present(.dialog, item) { content($0).view }
    }

    /// Shows nothing while `actions` is `nil`.
    nonisolated private func ask<A: View, M: View>(
        _ title: Text, isDialog: Bool, _ isPresented: Binding<Bool>, _ actions: A?, _ message: M
    ) -> some View {
        let kind = isDialog ? PresentationModification<AlertView<A, M>>.Kind.dialog : .alert
        return modifier(
            PresentationModification(
                kind: kind,
                content: {
                    guard isPresented.wrappedValue, let actions else { return nil }
                    return (true, AlertView(title: title, isDialog: isDialog, actions: actions, message: message))
                }, end: { isPresented.wrappedValue = false }))
    }

    /// Shows an alert while `isPresented` is true.
    nonisolated public func alert<A>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        ask(title, isDialog: false, isPresented, actions(), EmptyView())
    }
    /// Shows an alert while `isPresented` is true.
    nonisolated public func alert<A>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        ask(Text(titleKey), isDialog: false, isPresented, actions(), EmptyView())
    }
    /// Shows an alert while `isPresented` is true.
    @_disfavoredOverload nonisolated public func alert<S, A>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View where S: StringProtocol, A: View {
        ask(Text(title), isDialog: false, isPresented, actions(), EmptyView())
    }
    /// Shows an alert with a message while `isPresented` is true.
    nonisolated public func alert<A, M>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        ask(title, isDialog: false, isPresented, actions(), message())
    }
    /// Shows an alert with a message while `isPresented` is true.
    nonisolated public func alert<A, M>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        ask(Text(titleKey), isDialog: false, isPresented, actions(), message())
    }
    /// Shows an alert with a message while `isPresented` is true.
    @_disfavoredOverload nonisolated public func alert<S, A, M>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        ask(Text(title), isDialog: false, isPresented, actions(), message())
    }
    /// Shows an alert about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func alert<A, T>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        ask(title, isDialog: false, isPresented, data.map(actions), EmptyView())
    }
    /// Shows an alert about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func alert<A, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        ask(Text(titleKey), isDialog: false, isPresented, data.map(actions), EmptyView())
    }
    /// Shows an alert about `data` while `isPresented` is true and `data` isn't `nil`.
    @_disfavoredOverload nonisolated public func alert<S, A, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View where S: StringProtocol, A: View {
        ask(Text(title), isDialog: false, isPresented, data.map(actions), EmptyView())
    }
    /// Shows an alert with a message about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func alert<A, M, T>(
        _ title: Text, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        ask(title, isDialog: false, isPresented, data.map(actions), data.map(message))
    }
    /// Shows an alert with a message about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func alert<A, M, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        ask(Text(titleKey), isDialog: false, isPresented, data.map(actions), data.map(message))
    }
    /// Shows an alert with a message about `data` while `isPresented` is true and `data` isn't `nil`.
    @_disfavoredOverload nonisolated public func alert<S, A, M, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        ask(Text(title), isDialog: false, isPresented, data.map(actions), data.map(message))
    }
    /// Shows an alert titled with the description of `error` while `isPresented` is true and `error` isn't `nil`.
    nonisolated public func alert<E, A>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: () -> A
    ) -> some View where E: LocalizedError, A: View {
        let title = Text(verbatim: error?.errorDescription ?? "")
        return ask(title, isDialog: false, isPresented, error.map { _ in actions() }, EmptyView())
    }
    /// Shows an alert titled with the description of `error` while `isPresented` is true and `error` isn't `nil`.
    nonisolated public func alert<E, A, M>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: (E) -> A, @ViewBuilder message: (E) -> M
    ) -> some View where E: LocalizedError, A: View, M: View {
        let title = Text(verbatim: error?.errorDescription ?? "")
        return ask(title, isDialog: false, isPresented, error.map(actions), error.map(message))
    }

    /// Shows a dialog while `isPresented` is true.
    nonisolated public func confirmationDialog<A>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        ask(title, isDialog: true, isPresented, actions(), EmptyView())
    }
    /// Shows a dialog while `isPresented` is true.
    nonisolated public func confirmationDialog<A>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View where A: View {
        ask(Text(titleKey), isDialog: true, isPresented, actions(), EmptyView())
    }
    /// Shows a dialog while `isPresented` is true.
    @_disfavoredOverload nonisolated public func confirmationDialog<S, A>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A
    ) -> some View where S: StringProtocol, A: View {
        ask(Text(title), isDialog: true, isPresented, actions(), EmptyView())
    }
    /// Shows a dialog with a message while `isPresented` is true.
    nonisolated public func confirmationDialog<A, M>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        ask(title, isDialog: true, isPresented, actions(), message())
    }
    /// Shows a dialog with a message while `isPresented` is true.
    nonisolated public func confirmationDialog<A, M>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View where A: View, M: View {
        ask(Text(titleKey), isDialog: true, isPresented, actions(), message())
    }
    /// Shows a dialog with a message while `isPresented` is true.
    @_disfavoredOverload nonisolated public func confirmationDialog<S, A, M>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        ask(Text(title), isDialog: true, isPresented, actions(), message())
    }
    /// Shows a dialog about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func confirmationDialog<A, T>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
        @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        ask(title, isDialog: true, isPresented, data.map(actions), EmptyView())
    }
    /// Shows a dialog about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func confirmationDialog<A, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View where A: View {
        ask(Text(titleKey), isDialog: true, isPresented, data.map(actions), EmptyView())
    }
    /// Shows a dialog about `data` while `isPresented` is true and `data` isn't `nil`.
    @_disfavoredOverload nonisolated public func confirmationDialog<S, A, T>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
        @ViewBuilder actions: (T) -> A
    ) -> some View where S: StringProtocol, A: View {
        ask(Text(title), isDialog: true, isPresented, data.map(actions), EmptyView())
    }
    /// Shows a dialog with a message about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func confirmationDialog<A, M, T>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
        @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        ask(title, isDialog: true, isPresented, data.map(actions), data.map(message))
    }
    /// Shows a dialog with a message about `data` while `isPresented` is true and `data` isn't `nil`.
    nonisolated public func confirmationDialog<A, M, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View where A: View, M: View {
        ask(Text(titleKey), isDialog: true, isPresented, data.map(actions), data.map(message))
    }
    /// Shows a dialog with a message about `data` while `isPresented` is true and `data` isn't `nil`.
    @_disfavoredOverload nonisolated public func confirmationDialog<S, A, M, T>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
        @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View where S: StringProtocol, A: View, M: View {
        ask(Text(title), isDialog: true, isPresented, data.map(actions), data.map(message))
    }
}
