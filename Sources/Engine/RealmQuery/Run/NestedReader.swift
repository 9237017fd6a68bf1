// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the values at the end of subscripts, inside a Mixed value, a list or a dictionary.
///
/// A key that a dictionary doesn't have leads to null, so that a missing key compares as null; after `#any` it leads to
/// no value. An index beyond the end of a list leads to no value, and so does a subscript of a value without elements.
/// A key of a link is a property of its object.
struct NestedReader {
    private let steps: [PathSubscript]
    private let source: any TableSource
    private let space: NodeSpace

    init(_ steps: [PathSubscript], in source: any TableSource, _ space: NodeSpace) {
        self.steps = steps
        self.source = source
        self.space = space
    }

    /// Calls `body` with each value until it returns true. Returns whether it did.
    func contains(_ value: StoredValue, where body: (StoredValue) throws -> Bool) throws -> Bool {
        try contains(value, steps[...], body)
    }

    /// Calls `body` with each value at the end of the steps from a list or a dictionary, until it returns true. `type`
    /// is that of the collection's elements. Returns whether it did.
    func contains(
        _ collection: StoredCollection, type: ColumnType, where body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        try contains(collection, steps[...]) { value in
            if type == .link, case .typedLink(let link) = value { return try body(.link(link.object)) }
            return try body(value)
        }
    }

    private func contains(
        _ value: StoredValue, _ rest: ArraySlice<PathSubscript>, _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        let value = value.withoutUnresolved
        guard let step = rest.first else { return try body(value) }
        if case .typedLink(let link) = value {
            guard case .key(let name) = step else { return false }
            return try contains(name, of: link, rest.dropFirst(), body)
        }
        guard let collection = try StoredCollection(value: value, in: space) else { return false }
        return try contains(collection, rest, body)
    }

    private func contains(
        _ collection: StoredCollection, _ rest: ArraySlice<PathSubscript>, _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        guard let step = rest.first else { return false }
        switch (step, collection) {
        case (.any, _): return try collection.values().contains { try contains($0, rest.dropFirst(), body) }
        case (.key(let key), .dictionary(let tree)):
            if let value = try tree.find(key) { return try contains(value, rest.dropFirst(), body) }
            return steps[..<rest.startIndex].contains(.any)
                ? false : try contains(.null, rest.dropFirst(), body)
        case (_, .list(let tree)):
            guard let place = step.place(in: tree.count) else { return false }
            return try contains(tree.value(at: place), rest.dropFirst(), body)
        default: return false
        }
    }

    private func contains(
        _ name: String, of link: ObjectLink, _ rest: ArraySlice<PathSubscript>, _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        guard let table = try source.table(link.table), let column = table.column(named: name),
            let position = try table.find(link.object)
        else { return false }
        if column.key.isCollection {
            let collection = try StoredCollection(of: column.key, column.dictionaryKeyType, at: position)
            return try contains(collection, rest) { try body($0) }
        }
        var value = try table.value(column, at: position)
        if column.type == .link, case .link(let key) = value {
            value = .typedLink(ObjectLink(table: table.target(of: column), object: key))
        }
        return try contains(value, rest, body)
    }
}

extension PathSubscript {
    fileprivate func place(in count: Int) -> Int? {
        switch self {
        case .index(let index): index < count ? index : nil
        case .first: count > 0 ? 0 : nil
        case .last: count > 0 ? count - 1 : nil
        case .key, .any: nil
        }
    }
}
