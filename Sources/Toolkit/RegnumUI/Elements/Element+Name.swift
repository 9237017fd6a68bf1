// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Element {
    package var text: String { runs.map(\.text).joined() }

    /// The accessible name, as computed by assistive technology.
    package var name: String {
        if access[.hidden] == "true" { return "" }
        if let label = access[.label] { return label }
        switch kind {
        case .text: return text
        case .page, .dialog: return state[.title]?.text ?? ""
        case .field, .secureField, .editor, .slider, .date, .stepper, .toggle, .picker, .menu, .divider, .spacer,
            .shape:
            return ""
        case .section: return children.first { $0.state[.role] == .text("header") }?.name ?? ""
        default:
            // The additional actions of a row aren't part of its name.
            let named = children.filter { $0.kind != .menu || $0.state[.role] == nil }
            return named.map(\.name).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
}
