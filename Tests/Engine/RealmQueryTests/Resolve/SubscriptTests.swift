// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Subscripts of mixed values and dictionaries compared with plain Swift values.
@Suite struct SubscriptTests {
    private indirect enum Node {
        case value(StoredValue)
        case list([Node])
        case dictionary([String: Node])
    }

    private static let keys = ["a", "b", "c d", "it's"]

    private func node(_ random: inout SeededGenerator, depth: Int) -> Node {
        switch depth == 0 ? 0 : random.below(4) {
        case 0, 1: return .value(value(&random))
        case 2: return .list((0..<random.below(4)).map { _ in node(&random, depth: depth - 1) })
        default:
            var entries: [String: Node] = [:]
            for key in Self.keys.prefix(2) where random.chance(60) { entries[key] = node(&random, depth: depth - 1) }
            return .dictionary(entries)
        }
    }

    private func value(_ random: inout SeededGenerator) -> StoredValue {
        [.null, .int(1), .int(2), .double(2), .string("x"), .bool(true)].randomElement(using: &random)!
    }

    // MARK: Model

    /// Returns the values at the end of a path. A missing key of a dictionary is null, unless `isAfterAny`.
    private func values(
        _ node: Node, _ steps: ArraySlice<PathSubscript>, isAfterAny: Bool = false
    ) -> [StoredValue] {
        guard let step = steps.first else {
            if case .value(let value) = node { return [value] }
            // No value in the queries equals a collection, not even null.
            return [.binary([])]
        }
        switch (step, node) {
        case (.index(let index), .list(let nodes)):
            return index < nodes.count ? values(nodes[index], steps.dropFirst(), isAfterAny: isAfterAny) : []
        case (.key(let key), .dictionary(let entries)):
            if entries[key] == nil, isAfterAny { return [] }
            return values(entries[key] ?? .value(.null), steps.dropFirst(), isAfterAny: isAfterAny)
        case (.any, .list(let nodes)): return nodes.flatMap { values($0, steps.dropFirst(), isAfterAny: true) }
        case (.any, .dictionary(let entries)):
            return entries.values.flatMap { values($0, steps.dropFirst(), isAfterAny: true) }
        default: return []
        }
    }

    private func holds(_ node: Node, _ steps: [PathSubscript], _ isEqual: Bool, _ wanted: StoredValue) -> Bool {
        values(node, steps[...]).contains { value in
            let matches: Bool =
                switch (value, wanted) {
                case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Double(a) == b
                default: value == wanted
                }
            return matches == isEqual
        }
    }

    // MARK: Comparison

    @Test func randomPathsMatchSwiftValues() throws {
        var random = SeededGenerator(for: "SubscriptTests")
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let transaction = try database.beginWrite()
        let table = try transaction.schema.addTable("class_C")
        let any = try transaction.schema.addColumn("any", .mixed, .nullable, to: table)
        let map = try transaction.schema.addColumn("map", .mixed, [.nullable, .dictionary], to: table)
        var nodes: [ObjectKey: (any: Node, map: [String: Node])] = [:]
        for _ in 0..<400 {
            let object = try transaction.createObject(in: table)
            let root = node(&random, depth: 3)
            try store(root, at: CollectionPath(any, of: object, in: table), transaction) {
                try transaction.set($0, any, of: object, in: table)
            }
            let entriesPath = CollectionPath(map, of: object, in: table)
            var entries: [String: Node] = [:]
            for key in Self.keys.dropFirst(2) where random.chance(70) {
                entries[key] = node(&random, depth: 2)
                try store(entries[key]!, forKey: key, in: entriesPath, transaction)
            }
            nodes[object] = (root, entries)
        }
        try transaction.commit()
        let snapshot = try database.snapshot(label: "subscripts")
        let all = nodes.keys.sorted { $0.rawValue < $1.rawValue }
        for _ in 0..<1500 {
            let isMap = random.chance(40)
            var steps: [PathSubscript] = isMap ? [.key(Self.keys.dropFirst(2).randomElement(using: &random)!)] : []
            for _ in 0..<(1 + random.below(3)) where !isMap || random.chance(60) { steps.append(step(&random)) }
            let wanted = value(&random)
            let isEqual = random.chance(70)
            let path = PropertyPath([.property(isMap ? "map" : "any")] + steps.map { .subscript($0) })
            let predicate = Predicate.compare(path, isEqual ? .equal : .notEqual, wanted)
            let found = try Query.compile(predicate, on: table, in: snapshot).objects(in: snapshot)
            let expected = all.filter { key in
                let model = nodes[key]!
                return holds(isMap ? .dictionary(model.map) : model.any, steps, isEqual, wanted)
            }
            #expect(found == expected, "\(predicate)")
            #expect(try Predicate(parsing: predicate.description) == predicate, "\(predicate)")
            #expect(PropertyPath(path.description) == path || path.description.contains("\\"), "\(path)")
        }
    }

    private func store(
        _ node: Node, at path: CollectionPath, _ transaction: WriteTransaction, set: (StoredValue) throws -> Void
    ) throws {
        switch node {
        case .value(let value): try set(value)
        case .list(let nodes):
            try transaction.setCollection(.list, at: path)
            for (index, node) in nodes.enumerated() {
                try transaction.list(at: path).insert(.null, at: index)
                try store(node, at: path.appending(.index(index)), transaction) {
                    try transaction.list(at: path).set($0, at: index)
                }
            }
        case .dictionary(let entries):
            try transaction.setCollection(.dictionary, at: path)
            for (key, node) in entries { try store(node, forKey: key, in: path, transaction) }
        }
    }

    private func store(
        _ node: Node, forKey key: String, in path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        _ = try transaction.dictionary(at: path).set(.null, forKey: key)
        try store(node, at: path.appending(.key(key)), transaction) {
            _ = try transaction.dictionary(at: path).set($0, forKey: key)
        }
    }

    private func step(_ random: inout SeededGenerator) -> PathSubscript {
        switch random.below(5) {
        case 0, 1: .index(random.below(3))
        case 2, 3: .key(Self.keys[random.below(2)])
        default: .any
        }
    }

    // MARK: Text

    @Test(arguments: [
        ("any[0] == 3", "\\any[0] == 3"), ("any['k'] == 'x'", "\\any['k'] == 'x'"),
        ("any[\"k\"][#any] == 1", "\\any['k'][#any] == 1"), ("owner.map['it\\'s'] > 1", "owner.map[\"it's\"] > 1"),
        ("ANY dogs.any[1] == nil", "ANY dogs.\\any[1] == NULL"),
    ])
    func texts(_ text: String, _ expected: String) throws {
        let predicate = try Predicate(parsing: text)
        #expect(predicate.description == expected)
        #expect(try Predicate(parsing: expected) == predicate)
    }

    @Test func argumentsInBrackets() throws {
        let arguments: [PredicateArgument] = [
            .value(.string("k")), .value(.int(2)), .value(.string("#any")), .value(.int(3)),
        ]
        #expect(
            try Predicate(parsing: "m[%@][%@][%K] == %@", arguments: arguments).description
                == "m['k'][2][#any] == 3")
    }

    @Test(arguments: [
        ("any[1.5] == 1", "Invalid subscript type 'any[1.5] == 1': Only `Strings` or index are allowed subscripts"),
        ("any[-1] == 1", "Only `Strings` or index are allowed subscripts"),
        ("any[x] == 1", "expected an index, a key or #any"), ("any[1 == 1", "expected ']'"),
    ])
    func badText(_ text: String, _ message: String) {
        let error = #expect(throws: PredicateError.self) { try Predicate(parsing: text) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("name[0] == 'x'", "Invalid predicate", "only dictionaries and realm `Any` support subscript predicates."),
        ("list[0] == 1", "Invalid predicate", "only dictionaries and realm `Any` support subscript predicates."),
        ("ints['a']['b'] == 1", "Invalid subscript size", "only allowed in mixed properties."),
        ("ints[0] == 1", "Invalid subscript type", "only string keys are allowed as subscripts"),
        ("ints[#any] == 1", "Invalid subscript type", "only string keys are allowed as subscripts"),
    ])
    func badPaths(_ text: String, _ name: String, _ message: String) throws {
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let transaction = try database.beginWrite()
        let table = try transaction.schema.addTable("class_C")
        _ = try transaction.schema.addColumn("name", .string, to: table)
        _ = try transaction.schema.addColumn("list", .int, .list, to: table)
        _ = try transaction.schema.addColumn("ints", .int, .dictionary, to: table)
        try transaction.commit()
        let snapshot = try database.snapshot(label: "errors")
        let predicate = try Predicate(parsing: text)
        let error = #expect(throws: PredicateError.self) {
            try Query.compile(predicate, on: table, in: snapshot, dialect: .predicate)
        }
        #expect(error?.name.rawValue == name && error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
