// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI

/// What an element is to a user and to assistive technology.
public enum UIRole: String, Sendable {
    case text, image, button, link, field, toggle, picker, option, date, slider, stepper, progress, list, section, row
    case form, page, dialog, alert, tab, menu, group, other
}

/// An element of the user interface, as it was when it was found.
public struct UIElement {
    let element: Element

    /// What it is.
    public var role: UIRole { element.role }
    /// Its accessible name.
    public var name: String { element.name.trimmingCharacters(in: .whitespacesAndNewlines) }
    /// What a control says: the text of a field, the number of a slider, the name of the choice of a picker.
    public var value: String? {
        if let value = element.access[.value] { return value }
        if element.kind == .picker { return element.children.first { $0.state[.selected] == .bool(true) }?.name }
        return element.state[.value]?.text
    }
    /// Whether a switch is on.
    public var isOn: Bool { element.state[.checked] == .bool(true) }
    /// Whether a row, tab or option is selected.
    public var isSelected: Bool { element.state[.selected] == .bool(true) }
    /// Whether the user can use it.
    public var isEnabled: Bool { element.state[.disabled] != .bool(true) }
    /// Whether it shows that something goes on.
    public var isBusy: Bool { element.state[.busy] == .bool(true) }
    /// Whether it has the focus, as the program says.
    public var isFocused: Bool { element.state[.focused] == .bool(true) }
    /// Its name for tests.
    public var identifier: String? { element.access[.identifier] }
    /// What is read of what it does.
    public var hint: String? { element.access[.hint] }
    /// The number or text beside it.
    public var badge: String? { element.state[.badge]?.text }
    /// A property of its look, as a style sheet names it.
    public func look(_ name: String) -> String? { Element.LookName(rawValue: name).flatMap { element.look[$0] } }
    /// What a field tells a keyboard on screen: `inputMode`, `capitalization`, `correction` and so on.
    public func attribute(_ name: String) -> String? {
        Element.AccessName(rawValue: name).flatMap { element.access[$0] }
    }
    /// The elements in it.
    public var children: [UIElement] { element.children.filter { !$0.isHidden }.map { UIElement(element: $0) } }
    /// The element and all in it as indented text.
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

    /// The tree as text, of what a user perceives.
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
