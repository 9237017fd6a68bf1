// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI

/// The role of an element for users and assistive technology.
public enum UIRole: String, Sendable {
    case text, image, button, link, field, toggle, picker, option, date, slider, stepper, progress, list, section, row
    case form, page, dialog, alert, tab, menu, group, other
}

/// A snapshot of an element of the user interface.
public struct UIElement {
    let element: Element

    /// The role of the element.
    public var role: UIRole { element.role }
    /// The accessible name of the element, without surrounding white space.
    public var name: String { element.name.trimmingCharacters(in: .whitespacesAndNewlines) }
    /// The value of a control: its accessibility value, the text of a field, the number of a slider, or the name of a
    /// picker's selected option. `nil` for other elements.
    public var value: String? {
        if let value = element.access[.value] { return value }
        if element.kind == .picker { return element.children.first { $0.state[.selected] == .bool(true) }?.name }
        return element.state[.value]?.text
    }
    /// A Boolean value that indicates whether a toggle is on.
    public var isOn: Bool { element.state[.checked] == .bool(true) }
    /// A Boolean value that indicates whether a row, tab, or option is selected.
    public var isSelected: Bool { element.state[.selected] == .bool(true) }
    /// A Boolean value that indicates whether the element isn't disabled.
    public var isEnabled: Bool { element.state[.disabled] != .bool(true) }
    /// A Boolean value that indicates whether the element shows a running operation.
    public var isBusy: Bool { element.state[.busy] == .bool(true) }
    /// A Boolean value that indicates whether a `FocusState` of the app has the focus on this element.
    public var isFocused: Bool { element.state[.focused] == .bool(true) }
    /// The accessibility identifier of the element.
    public var identifier: String? { element.access[.identifier] }
    /// The accessibility hint of the element, which describes its action.
    public var hint: String? { element.access[.hint] }
    /// The text of the row's or tab's badge.
    public var badge: String? { element.state[.badge]?.text }
    /// Returns the value that the app sets for a CSS property of the element, such as `font-weight`, or `nil`.
    public func look(_ name: String) -> String? { Element.LookName(rawValue: name).flatMap { element.look[$0] } }
    /// Returns the value of a keyboard attribute of a field, such as `inputMode`, `capitalization`, or `correction`.
    public func attribute(_ name: String) -> String? {
        Element.AccessName(rawValue: name).flatMap { element.access[$0] }
    }
    /// The children of the element that aren't hidden from assistive technology.
    public var children: [UIElement] { element.children.filter { !$0.isHidden }.map { UIElement(element: $0) } }
    /// The element and its descendants as indented text, for debugging.
    public var dump: String { element.lines(0).joined(separator: "\n") }
}

extension Element {
    var isHidden: Bool { access[.hidden] == "true" }

    var role: UIRole {
        switch kind {
        case .secureField, .editor, .field: .field
        case .dialog: state[.alert] == .bool(true) ? .alert : .dialog
        case .vstack, .hstack, .zstack, .grid, .scroll, .group, .box: .group
        case .bar, .tabs, .divider, .spacer, .shape, .search: .other
        default: UIRole(rawValue: kind.rawValue) ?? .other
        }
    }

    func lines(_ depth: Int) -> [String] {
        if isHidden || kind == .spacer { return [] }
        var line = String(repeating: "  ", count: depth) + kind.rawValue
        let isContainer = !children.isEmpty && access[.label] == nil
        let name = self.name
        if !name.isEmpty, !isContainer || kind == .page || kind == .dialog { line += " \"\(name)\"" }
        for (key, value) in state.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where ![.title, .placeholder, .source, .path, .level, .day, .hour].contains(key) && value != .bool(false) {
            line += value == .bool(true) ? " \(key.rawValue)" : " \(key.rawValue)=\(value.text)"
        }
        if let identifier = access[.identifier] { line += " #\(identifier)" }
        return [line] + children.flatMap { $0.lines(depth + 1) }
    }
}
