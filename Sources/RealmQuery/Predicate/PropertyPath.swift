// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The way from an object to a value: through links and collections to a property. Without steps, the object itself.
package struct PropertyPath: Sendable, Hashable {
    package var steps: [PathStep]

    package init(_ steps: [PathStep]) { self.steps = steps }

    /// The path whose steps are the names between the dots; names that begin with `@` as in the predicate language.
    package init(_ text: String) {
        var names = text.split(separator: ".").map { String($0) }[...]
        steps = []
        while let name = names.popFirst() {
            if name == "@links", names.count >= 2 {
                steps.append(.backlinks(className: names.removeFirst(), property: names.removeFirst()))
            } else {
                steps.append(CollectionOperation(rawValue: name).map { .operation($0) } ?? .property(name))
            }
        }
    }
}

extension PropertyPath: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}

package enum PathStep: Sendable, Hashable {
    case property(String)
    /// `@links.Class.property`: the objects of that class which link here through that property.
    case backlinks(className: String, property: String)
    case operation(CollectionOperation)
}

/// What `.@name` in a path computes.
package enum CollectionOperation: String, Sendable, CaseIterable {
    /// The number of elements.
    case count = "@count"
    /// The number of elements, or of the bytes of a string or data.
    case size = "@size"
    case min = "@min"
    case max = "@max"
    case sum = "@sum"
    case average = "@avg"
    /// The keys of a dictionary.
    case allKeys = "@allKeys"
    /// The values of a dictionary, which the dictionary itself stands for as well.
    case allValues = "@allValues"

    var isAggregate: Bool {
        switch self {
        case .min, .max, .sum, .average: true
        default: false
        }
    }

    var isCount: Bool { self == .count || self == .size }
}
