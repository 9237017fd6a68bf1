// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the values that subscripts lead to, inside a Mixed value or a dictionary.
///
/// Where there is no such element the value is null, so that a missing key compares as null; behind `#any` there is no
/// value at all then.
struct NestedReader {
    private let steps: [PathSubscript]
    private let space: NodeSpace
    private let hasWildcard: Bool

    init(_ steps: [PathSubscript], in space: NodeSpace) {
        self.steps = steps
        self.space = space
        hasWildcard = steps.contains(.any)
    }

    /// Calls `body` with each value until it returns true. Returns whether it did.
    func contains(_ value: StoredValue, where body: (StoredValue) throws -> Bool) throws -> Bool {
        try contains(value, steps[...], body)
    }

    /// As above, from a list; the first step is a place in it.
    func contains(_ list: BPlusTree, where body: (StoredValue) throws -> Bool) throws -> Bool {
        guard let step = steps.first, let value = try element(step, of: list) else { return try nothing(body) }
        return try contains(value, steps.dropFirst(), body)
    }

    private func element(_ step: PathSubscript, of list: BPlusTree) throws -> StoredValue? {
        switch step {
        case .index(let index) where index < list.count: try list.value(at: index)
        case .first where list.count > 0: try list.value(at: 0)
        case .last where list.count > 0: try list.value(at: list.count - 1)
        default: nil
        }
    }

    /// As above, from a dictionary of values of `type`; the first step is one of its keys.
    func contains(
        _ dictionary: DictionaryTree, type: ColumnType, where body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        guard case .key(let key)? = steps.first, var value = try dictionary.find(key) else { return try nothing(body) }
        if type == .link, case .typedLink(let link) = value { value = .link(link.object) }
        return try contains(value, steps.dropFirst(), body)
    }

    private func contains(
        _ value: StoredValue, _ rest: ArraySlice<PathSubscript>, _ body: (StoredValue) throws -> Bool
    ) throws -> Bool {
        guard let step = rest.first else { return try body(value.withoutUnresolved) }
        let collection = try StoredCollection(value: value, in: space)
        switch (step, collection) {
        case (.index, .list(let tree)?), (.first, .list(let tree)?), (.last, .list(let tree)?):
            guard let value = try element(step, of: tree) else { break }
            return try contains(value, rest.dropFirst(), body)
        case (.key(let key), .dictionary(let tree)?):
            guard let value = try tree.find(key) else { break }
            return try contains(value, rest.dropFirst(), body)
        case (.any, .list(let tree)?):
            return try tree.values().contains { try contains($0, rest.dropFirst(), body) }
        case (.any, .dictionary(let tree)?):
            return try tree.values().contains { try contains($0, rest.dropFirst(), body) }
        default: break
        }
        return try nothing(body)
    }

    private func nothing(_ body: (StoredValue) throws -> Bool) throws -> Bool {
        hasWildcard ? false : try body(.null)
    }
}
