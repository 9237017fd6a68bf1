// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Human-readable instructions: the name of the instruction, the location, and the new value.
extension Instruction: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addTable(let table): "AddTable \(table)"
        case .eraseTable(let name): "EraseTable \(name)"
        case .addColumn(let column): "AddColumn \(column)"
        case .eraseColumn(let column): "EraseColumn \(column)"
        case .createObject(let object): "CreateObject \(object)"
        case .eraseObject(let object): "EraseObject \(object)"
        case .change(let place, let change): change.text(at: place)
        }
    }
}

extension Change {
    fileprivate func text(at place: Place) -> String {
        switch self {
        case .update(let value, let isDefault): "Update \(place) = \(value)" + (isDefault ? " (default)" : "")
        case .updateElement(let value, let size): "Update \(place) of \(size) = \(value)"
        case .addInteger(let amount): "AddInteger \(place) \(amount < 0 ? "" : "+")\(amount)"
        case .insert(let value, let size): "ArrayInsert \(place) of \(size) = \(value)"
        case .move(let target, let size): "ArrayMove \(place) of \(size) to \(target)"
        case .erase(let size): "ArrayErase \(place) of \(size)"
        case .clear(let kind): "Clear \(place) (\(kind))"
        case .setInsert(let value): "SetInsert \(place) \(value)"
        case .setErase(let value): "SetErase \(place) \(value)"
        }
    }
}

extension Place: CustomStringConvertible {
    package var description: String {
        path.elements.reduce("\(object).\(column)") { text, element in
            switch element {
            case .index(let index): "\(text)[\(index)]"
            case .key(let key): "\(text)[\(key.string.debugDescription)]"
            }
        }
    }
}

extension TableDefinition: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .topLevel(let key): "\(name) (\(key))"
        case .embedded: "\(name) (embedded)"
        case .asymmetric(let key): "\(name) (asymmetric, \(key))"
        }
    }
}

extension PrimaryKeyColumn: CustomStringConvertible {
    package var description: String {
        type == .globalKey ? "no primary key" : "primary key \(name): \(type)\(isNullable ? "?" : "")"
    }
}

extension ColumnDefinition: CustomStringConvertible {
    package var description: String {
        let element = type == .null ? "mixed" : type == .link ? "link to \(targetName)" : "\(type)"
        let name = element + (isNullable ? "?" : "")
        return "\(column): " + (collection == .single ? name : "\(collection) of \(name)")
    }

    private var targetName: String { target.map { $0.isEmpty ? "any" : $0.string } ?? "any" }
}

extension ColumnReference: CustomStringConvertible {
    package var description: String { "\(table).\(name)" }
}

extension Changeset: CustomStringConvertible {
    package var description: String { instructions.map(\.description).joined(separator: "\n") }
}
