// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The expected content of one column of one object: a value or a collection, to any depth.
package indirect enum ModelValue: Sendable {
    case value(StoredValue)
    case list([ModelValue])
    /// Elements in the expected order of the file.
    case set([StoredValue])
    /// Ascending by the bytes of the keys.
    case dictionary([Entry])

    package struct Entry: Sendable {
        package let key: String
        package var value: ModelValue

        package init(key: String, value: ModelValue) {
            self.key = key
            self.value = value
        }
    }

    package static let null = ModelValue.value(.null)

    package var plain: StoredValue { if case .value(let value) = self { value } else { .null } }

    /// The value that an index files: all lists are alike, and so are dictionaries.
    package var indexed: StoredValue {
        switch self {
        case .value(let value): value
        case .list, .set: .list(0, key: 0)
        case .dictionary: .dictionary(0, key: 0)
        }
    }

    package var isCollection: Bool { if case .value = self { false } else { true } }

    package var count: Int {
        switch self {
        case .value: 0
        case .list(let elements): elements.count
        case .set(let elements): elements.count
        case .dictionary(let entries): entries.count
        }
    }

    package var depth: Int {
        switch self {
        case .value: 0
        case .list(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .set: 1
        case .dictionary(let entries): 1 + (entries.map(\.value.depth).max() ?? 0)
        }
    }

    package static func empty(_ kind: NestedKind) -> ModelValue { kind == .list ? .list([]) : .dictionary([]) }

    package func isKind(_ kind: NestedKind) -> Bool {
        switch (self, kind) {
        case (.list, .list), (.dictionary, .dictionary): true
        default: false
        }
    }

    // MARK: Reading

    package var elements: [ModelValue] {
        switch self {
        case .value: []
        case .list(let elements): elements
        case .set(let elements): elements.map { .value($0) }
        case .dictionary(let entries): entries.map(\.value)
        }
    }

    package var leaves: [StoredValue] {
        if case .value(let value) = self { [value] } else { elements.flatMap(\.leaves) }
    }

    package func element(_ step: CollectionPath.Step) -> ModelValue? {
        switch (self, step) {
        case (.list(let elements), .index(let index)): elements.indices ~= index ? elements[index] : nil
        case (.dictionary(let entries), .key(let key)): entries.first { isSameKey($0.key, key) }?.value
        default: nil
        }
    }

    package var nestedSteps: [CollectionPath.Step] {
        switch self {
        case .list(let elements): elements.indices.filter { elements[$0].isCollection }.map { .index($0) }
        case .dictionary(let entries): entries.filter(\.value.isCollection).map { .key($0.key) }
        default: []
        }
    }

    // MARK: Changing

    package mutating func change(at steps: ArraySlice<CollectionPath.Step>, _ body: (inout ModelValue) -> Void) {
        guard let step = steps.first else { return body(&self) }
        guard var inner = element(step) else { return }
        inner.change(at: steps.dropFirst(), body)
        switch step {
        case .index(let index): changeList { $0[index] = inner }
        case .key(let key): setEntry(key, inner)
        case .nested: break
        }
    }

    package mutating func changeList(_ body: (inout [ModelValue]) -> Void) {
        guard case .list(var elements) = self else { return }
        self = .null
        body(&elements)
        self = .list(elements)
    }

    package mutating func setEntry(_ key: String, _ value: ModelValue) {
        guard case .dictionary(var entries) = self else { return }
        self = .null
        if let index = entries.firstIndex(where: { isSameKey($0.key, key) }) {
            entries[index].value = value
        } else {
            let index = entries.firstIndex { $0.key.utf8.lexicographicallyPrecedes(key.utf8) == false }
            entries.insert(Entry(key: key, value: value), at: index ?? entries.count)
        }
        self = .dictionary(entries)
    }

    @discardableResult
    package mutating func eraseEntry(_ key: String) -> Bool {
        guard case .dictionary(var entries) = self else { return false }
        let count = entries.count
        entries.removeAll { isSameKey($0.key, key) }
        self = .dictionary(entries)
        return entries.count < count
    }

    /// The index of an equal element of a set, or the index for its insertion. A set of decimals uses the raw encoding,
    /// where null is one of the NaNs (content 8.3).
    package func place(of value: StoredValue, in type: ColumnType) -> (index: Int, isFound: Bool) {
        guard case .set(let elements) = self else { return (0, false) }
        func compare(_ element: StoredValue) -> Int {
            guard type == .decimal else { return StoredValue.compare(element, value) }
            return StoredValue.compare(
                element.isNull ? .decimal(.null) : element, value.isNull ? .decimal(.null) : value)
        }
        if let index = elements.firstIndex(where: { compare($0) == 0 }) { return (index, true) }
        return (elements.firstIndex { compare($0) > 0 } ?? elements.count, false)
    }

    package mutating func changeSet(_ body: (inout [StoredValue]) -> Void) {
        guard case .set(var elements) = self else { return }
        body(&elements)
        self = .set(elements)
    }

    /// Removes a link: from lists and sets, or by setting values of dictionaries and properties to null.
    package mutating func removeLinks(_ isLink: (StoredValue) -> Bool) {
        switch self {
        case .value(let value):
            if isLink(value) { self = .null }
        case .list(var elements):
            elements.removeAll { isLink($0.plain) }
            for index in elements.indices where elements[index].isCollection { elements[index].removeLinks(isLink) }
            self = .list(elements)
        case .set(var elements):
            elements.removeAll(where: isLink)
            self = .set(elements)
        case .dictionary(var entries):
            for index in entries.indices { entries[index].value.removeLinks(isLink) }
            self = .dictionary(entries)
        }
    }

    private func isSameKey(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}

extension ModelValue {
    package init(_ column: Column, of table: Table, at position: ClusterTree.Position) throws {
        if column.key.isList {
            self = try ModelValue(.list(try table.list(column, at: position)), in: table.space)
        } else if column.key.isSet {
            self = try ModelValue(.set(try table.set(column, at: position)), in: table.space)
        } else if column.key.isDictionary {
            self = try ModelValue(.dictionary(try table.dictionary(column, at: position)), in: table.space)
        } else {
            self = try ModelValue(try table.value(column, at: position), in: table.space)
        }
    }

    private init(_ value: StoredValue, in space: NodeSpace) throws {
        if let collection = try StoredCollection(value: value, in: space) {
            self = try ModelValue(collection, in: space)
        } else {
            self = .value(value)
        }
    }

    package init(_ collection: StoredCollection, in space: NodeSpace) throws {
        switch collection {
        case .list(let tree): self = .list(try tree.values().map { try ModelValue($0, in: space) })
        case .set(let set): self = .set(try set.values())
        case .dictionary(let dictionary):
            let entries = try dictionary.entries().enumerated().map { index, entry in
                Entry(key: try dictionary.key(at: index), value: try ModelValue(entry.value, in: space))
            }
            self = .dictionary(entries)
        }
    }

    package func isIdentical(to other: ModelValue) -> Bool {
        switch (self, other) {
        case (.value(let a), .value(let b)): a.isIdentical(to: b)
        case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
        case (.set(let a), .set(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count
                && zip(a, b).allSatisfy {
                    $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isIdentical(to: $1.value)
                }
        default: false
        }
    }
}

extension StoredValue {
    /// The initial value of a required column.
    package static func initial(of type: ColumnType) -> StoredValue {
        switch type {
        case .int: .int(0)
        case .bool: .bool(false)
        case .string: .string("")
        case .binary: .binary([])
        case .timestamp: .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
        case .float: .float(0)
        case .double: .double(0)
        case .decimal: .decimal(.zero)
        case .objectId: .objectId(ObjectIdBytes(high: 0, low: 0))
        case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
        default: .null
        }
    }
}
