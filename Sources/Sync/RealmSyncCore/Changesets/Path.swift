// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum PathElement: Hashable, Sendable {
    case index(Int)
    case key(Text)
}

/// The path from a property to the value inside it that an instruction concerns. Most paths are empty or have one
/// element, which is stored without an array.
package enum Path: Hashable, Sendable {
    case empty
    case one(PathElement)
    case many([PathElement])

    package init(_ elements: [PathElement]) {
        switch elements.count {
        case 0: self = .empty
        case 1: self = .one(elements[0])
        default: self = .many(elements)
        }
    }

    package var count: Int {
        switch self {
        case .empty: 0
        case .one: 1
        case .many(let elements): elements.count
        }
    }

    package var elements: [PathElement] {
        switch self {
        case .empty: []
        case .one(let element): [element]
        case .many(let elements): elements
        }
    }

    package var last: PathElement? {
        switch self {
        case .empty: nil
        case .one(let element): element
        case .many(let elements): elements.last
        }
    }

    package var lastIndex: Int? {
        if case .index(let index)? = last { index } else { nil }
    }

    /// - Precondition: `position` is below `count`.
    package subscript(position: Int) -> PathElement {
        get {
            switch self {
            case .many(let elements): return elements[position]
            case .one(let element) where position == 0: return element
            default: preconditionFailure("a path has no element \(position)")
            }
        }
        set {
            switch self {
            case .many(var elements):
                self = .empty
                elements[position] = newValue
                self = .many(elements)
            case .one where position == 0: self = .one(newValue)
            default: preconditionFailure("a path has no element \(position)")
            }
        }
    }

    package func shares(_ count: Int, with other: Path) -> Bool {
        guard self.count >= count, other.count >= count else { return false }
        for position in 0..<count where self[position] != other[position] { return false }
        return true
    }
}

/// The location of a change. The path starts at the property.
package struct Place: Hashable, Sendable {
    package var object: ObjectReference
    package var column: Text
    package var path: Path

    package init(_ object: ObjectReference, _ column: Text, _ path: Path = .empty) {
        self.object = object
        self.column = column
        self.path = path
    }
}
