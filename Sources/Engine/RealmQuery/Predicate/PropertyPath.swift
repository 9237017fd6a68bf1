// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The path from an object to a value, through links and collections to a property. Without steps, it's the object
/// itself.
package struct PropertyPath: Sendable, Hashable {
    package var steps: [PathStep]

    package init(_ steps: [PathStep]) { self.steps = steps }

    /// Creates the path from the names between dots. Names that begin with `@`, and subscripts in brackets, have the
    /// syntax of the predicate language.
    package init(_ text: String) {
        steps = []
        if text.contains("["), let parsed = PropertyPath.subscripted(text) {
            steps = parsed
            return
        }
        var names = text.split(separator: ".").map { String($0) }[...]
        while let name = names.popFirst() {
            if name == "@links", names.count >= 2 {
                steps.append(.backlinks(className: names.removeFirst(), property: names.removeFirst()))
            } else {
                steps.append(CollectionOperation(rawValue: name).map { .operation($0) } ?? .property(name))
            }
        }
    }
}

extension PropertyPath {
    func appending(_ step: PathStep) -> PropertyPath { PropertyPath(steps + [step]) }

    private static func subscripted(_ text: String) -> [PathStep]? {
        var steps: [PathStep] = []
        var rest = text[...]
        while !rest.isEmpty {
            if rest.first == "[" {
                guard let (step, after) = PathSubscript.parse(rest) else { return nil }
                steps.append(.subscript(step))
                rest = after
                continue
            }
            if rest.first == "." { rest.removeFirst() }
            let name = rest.prefix { $0 != "." && $0 != "[" }
            guard !name.isEmpty, !name.hasPrefix("@") else { return nil }
            steps.append(.property(String(name)))
            rest = rest[name.endIndex...]
        }
        return steps
    }
}

extension PropertyPath: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}

package enum PathStep: Sendable, Hashable {
    case property(String)
    /// `@links.Class.property`: the objects of that class that link to this one through that property.
    case backlinks(className: String, property: String)
    /// `@links.@count`: the number of links to the object.
    case incomingLinks
    case operation(CollectionOperation)
    /// An element of a collection inside a mixed value, or the value of a dictionary's key.
    case `subscript`(PathSubscript)
}

extension PathStep {
    package static func == (a: PathStep, b: PathStep) -> Bool {
        switch (a, b) {
        case (.property(let a), .property(let b)): a.isIdentical(to: b)
        case (.backlinks(let classA, let a), .backlinks(let classB, let b)):
            classA.isIdentical(to: classB) && a.isIdentical(to: b)
        case (.incomingLinks, .incomingLinks): true
        case (.operation(let a), .operation(let b)): a == b
        case (.subscript(let a), .subscript(let b)): a == b
        case (.property, _), (.backlinks, _), (.incomingLinks, _), (.operation, _), (.subscript, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .property(let name): hasher.combine(ByteText(name))
        case .backlinks(let className, let property):
            hasher.combine(ByteText(className))
            hasher.combine(ByteText(property))
        case .incomingLinks: break
        case .operation(let operation): hasher.combine(operation)
        case .subscript(let position): hasher.combine(position)
        }
    }
}

extension PathStep {
    var isSubscript: Bool { if case .subscript = self { true } else { false } }
}

package enum PathSubscript: Sendable, Hashable {
    case index(Int)
    case key(String)
    /// `#any`: each element of a list or dictionary.
    case any
    /// The first and the last element of a list.
    case first
    case last

    package static func == (a: PathSubscript, b: PathSubscript) -> Bool {
        switch (a, b) {
        case (.index(let a), .index(let b)): a == b
        case (.key(let a), .key(let b)): a.isIdentical(to: b)
        case (.any, .any), (.first, .first), (.last, .last): true
        case (.index, _), (.key, _), (.any, _), (.first, _), (.last, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .index(let index): hasher.combine(index)
        case .key(let key): hasher.combine(ByteText(key))
        case .any, .first, .last: break
        }
    }

    fileprivate static func parse(_ text: Substring) -> (PathSubscript, rest: Substring)? {
        let content = text.dropFirst()
        if let quote = content.first, "'\"".contains(quote) {
            guard let end = content.dropFirst().firstIndex(of: quote) else { return nil }
            let rest = content[content.index(after: end)...]
            guard rest.first == "]" else { return nil }
            return (.key(String(content.dropFirst()[..<end])), rest.dropFirst())
        }
        guard let end = content.firstIndex(of: "]") else { return nil }
        let rest = content[content.index(after: end)...]
        if content[..<end] == "#any" { return (.any, rest) }
        guard let index = Int(content[..<end]), index >= 0 else { return nil }
        return (.index(index), rest)
    }
}

/// The operation of `.@name` in a path.
package enum CollectionOperation: String, Sendable, CaseIterable {
    case count = "@count"
    /// The number of elements, or of bytes of a string or data.
    case size = "@size"
    case min = "@min"
    case max = "@max"
    case sum = "@sum"
    case average = "@avg"
    case allKeys = "@allKeys"
    /// The values of a dictionary, equivalent to the dictionary itself.
    case allValues = "@allValues"
    case type = "@type"
}
