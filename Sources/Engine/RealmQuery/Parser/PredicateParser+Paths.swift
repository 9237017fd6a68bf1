// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension PredicateParser {
    mutating func path() throws(PredicateError) -> PropertyPath {
        var steps = try firstStep() + subscripts()
        while takeSymbol(".") { steps += try step() + subscripts() }
        return PropertyPath(steps)
    }

    mutating func orderPath() throws(PredicateError) -> PropertyPath {
        readsOrder = true
        defer { readsOrder = false }
        return try path()
    }

    private mutating func firstStep() throws(PredicateError) -> [PathStep] {
        // Inside a SUBQUERY a path begins at the element; its variable is optional.
        if let variable = variables.last, token == .variable(variable) {
            index += 1
            return []
        }
        return takeKeyword("self") ? [] : try step()
    }

    private mutating func step() throws(PredicateError) -> [PathStep] {
        switch token {
        case .word(let name, let escaped):
            guard escaped || readsOrder || isName || !Identifier.keywords.contains(name.lowercased()) else { break }
            index += 1
            return [.property(name)]
        case .at("links"):
            index += 1
            return [try backlinks()]
        case .at("keys") where dialect == .query:
            index += 1
            return [.operation(.allKeys)]
        case .at("values") where dialect == .query:
            index += 1
            return [.operation(.allValues)]
        case .at(let name):
            guard let operation = CollectionOperation(rawValue: "@" + name) else {
                throw PredicateError(
                    .invalidPredicate, "Unsupported collection operation '@\(name)'", position: position)
            }
            index += 1
            return [.operation(operation)]
        case .pathArgument: return try pathArgument()
        case .variable(let name) where name.first == "K" && Int(name.dropFirst()) != nil: return try pathArgument()
        default: break
        }
        throw expected("a property or a value")
    }

    /// `[0]['key'][#any]`, any number of times.
    private mutating func subscripts() throws(PredicateError) -> [PathStep] {
        var steps: [PathStep] = []
        while takeSymbol("[") {
            if let place = try listPlace() {
                steps.append(place)
            } else {
                steps.append(.subscript(try pathSubscript()))
            }
            guard takeSymbol("]") else { throw expected("']'") }
        }
        return steps
    }

    private mutating func listPlace() throws(PredicateError) -> PathStep? {
        guard dialect == .query else { return nil }
        if takeSymbol("*") { return .subscript(.any) }
        if takeKeyword("first") { return .subscript(.first) }
        if takeKeyword("last") { return .subscript(.last) }
        return takeKeyword("size") ? .operation(.size) : nil
    }

    private mutating func pathSubscript() throws(PredicateError) -> PathSubscript {
        if takeSymbol("#any") { return .any }
        let value: PredicateArgument
        switch token {
        case .value(let constant):
            index += 1
            value = .value(constant)
        case .argument:
            index += 1
            value = try takeArgument()
        case .pathArgument:
            index += 1
            guard case .value(.string("#any")) = try takeArgument() else { throw invalidSubscript() }
            return .any
        default: throw expected("an index, a key or #any")
        }
        switch value {
        case .value(.int(let index)) where index >= 0: return .index(Int(index))
        case .value(.string(let key)): return .key(key)
        default: throw invalidSubscript()
        }
    }

    private func invalidSubscript() -> PredicateError {
        PredicateError(
            .invalidSubscriptType,
            "Invalid subscript type '\(text)': Only `Strings` or index are allowed subscripts", position: position)
    }

    private mutating func backlinks() throws(PredicateError) -> PathStep {
        if token == .symbol("."), [.at("count"), .at("size")].contains(tokens[index + 1].token) {
            index += 2
            return .incomingLinks
        }
        guard takeSymbol("."), let className = takeName(), takeSymbol("."), let property = takeName() else {
            throw expected("'@links.Class.property'")
        }
        return .backlinks(className: className, property: property)
    }

    private mutating func pathArgument() throws(PredicateError) -> [PathStep] {
        var argument: PredicateArgument?
        if case .variable(let name) = token, let number = Int(name.dropFirst()) {
            guard arguments.indices.contains(number) else { throw expected("an argument that was passed") }
            argument = arguments[number]
        }
        index += 1
        if argument == nil { argument = try takeArgument() }
        guard case .value(.string(let text)) = argument else {
            index -= 1
            throw expected("a string as the argument for '%K'")
        }
        let path = PropertyPath(text)
        guard !path.steps.isEmpty else { throw expected("a property as the argument for '%K'") }
        return path.steps == [.property("self")] || path.steps == [.property("SELF")] ? [] : path.steps
    }

    private mutating func takeName() -> String? {
        guard case .word(let name, _) = token else { return nil }
        index += 1
        return name
    }
}
