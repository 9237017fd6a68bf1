// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageMessages

extension JSONValue {
    package init(_ id: ElementID) { self = .number(Double(id)) }

    package var elementID: ElementID? { double.flatMap { ElementID(exactly: $0) } }
}

extension PropertyValue {
    var json: JSONValue {
        switch self {
        case .bool(let value): .bool(value)
        case .number(let value): .number(value)
        case .text(let value): .text(value)
        }
    }
}
