// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Indexes that the reference wrote: every entry is found, and they can be emptied and rebuilt.
struct IndexFixtureTests {
    static let names = Fixtures.names(in: "v24").filter { !$0.hasPrefix("encrypted-") }

    @Test(arguments: names) func everyObjectIsFound(_ name: String) throws {
        let snapshot = try IndexFixtureTests.open(name)
        let columns = try IndexFixtureTests.indexedColumns(of: snapshot)
        #expect(name != "indexes" || Set(columns.map(\.column.type)).count == 7, "not every type was tried")
        for column in columns {
            if column.words == nil { try checkValues(column) } else { try checkWords(column) }
        }
    }

    @Test(arguments: names) func indexesAreEmptiedAndRebuilt(_ name: String) throws {
        let snapshot = try IndexFixtureTests.open(name)
        var random = SplitMix(state: randomSeed("\(#function) \(name)"))
        let file = try DiskFile.open(snapshot.database.path, readOnly: true)
        let mapping = try file.map(fileWindow: 1 << 26, slabWindow: 1 << 30)
        for column in try IndexFixtureTests.indexedColumns(of: snapshot) {
            let store = NodeStore(
                space: NodeSpace(mapping: mapping, fileEnd: snapshot.space.fileEnd, writable: true))
            var root = try column.root
            for key in column.keys.shuffled(using: &random) { try column.erase(key, from: &root, store) }
            #expect(try IndexWalk.keys(store.space, root) == [], "\(column)")
            for key in column.keys.shuffled(using: &random) { try column.insert(key, into: &root, store) }
            let verifier = try IndexVerifier(store.space, root, capacity: 1000)
            if let words = column.words {
                verifier.checkWords(words)
            } else {
                verifier.checkValues(column.values)
            }
        }
        withExtendedLifetime(mapping) {}
    }

    private func checkValues(_ column: IndexedColumn) throws {
        let index = SearchIndex(column.table.space, root: try column.root, isMixed: column.column.type == .mixed)
        let valueOf: (ObjectKey) -> StoredValue? = { column.values[$0] }
        for value in Set(column.values.values) {
            let expected = column.values.filter { StoredValue.compare($0.value, value) == 0 }.keys.sorted()
            #expect(try index.keys(equalTo: value, valueOf: valueOf) == expected, "\(column) \(value)")
            #expect(try index.count(equalTo: value, valueOf: valueOf) == expected.count, "\(column) \(value)")
            #expect(try index.first(equalTo: value, valueOf: valueOf).map(expected.contains) == true)
        }
        #expect(try index.allKeys().sorted() == column.keys)
    }

    private func checkWords(_ column: IndexedColumn) throws {
        let index = FullTextIndex(column.table.space, root: try column.root)
        var objects: [[UInt8]?: [ObjectKey]] = [:]
        for key in column.keys {
            for word in column.words?[key] ?? [] { objects[word, default: []].append(key) }
        }
        for (word, expected) in objects {
            let found = try index.keys(containing: word)
            #expect(found.filter { column.words?[$0]?.contains(word) == true } == expected, "\(column)")
            if column.column.isFullTextIndexed { #expect(found == expected, "\(column)") }
            guard let word else { continue }
            for length in [1, 3, 4, 5] where length < word.count {
                let prefixed = try index.keys(withPrefix: Array(word.prefix(length)))
                #expect(Set(expected).isSubset(of: prefixed), "\(column)")
            }
        }
    }

    private static func open(_ name: String) throws -> Snapshot {
        let path = Fixtures.path("v24/\(name).realm")
        return try Database.open(path, readOnly: true).snapshot()
    }

    private static func indexedColumns(of snapshot: Snapshot) throws -> [IndexedColumn] {
        try snapshot.tableKeys().compactMap { try snapshot.table($0) }.flatMap { table in
            try table.publicColumns.filter { table.hasIndex($0.key) }.map { try IndexedColumn(table, $0) }
        }
    }
}

private struct IndexedColumn: CustomStringConvertible {
    let table: Table
    let column: Column
    var keys: [ObjectKey] = []
    var values: [ObjectKey: StoredValue] = [:]
    /// Nil for a value index.
    var words: [ObjectKey: Set<[UInt8]?>]?

    init(_ table: Table, _ column: Column) throws {
        self.table = table
        self.column = column
        try table.clusters.forEachLeaf { leaf in
            keys += (0..<leaf.count).map { leaf.key(at: $0) }
            return true
        }
        if column.key.isCollection || column.isFullTextIndexed { words = [:] }
        for key in keys {
            if column.key.isCollection {
                words?[key] = Set(try table.list(column.key, of: key).values().map(IndexedColumn.bytes))
            } else if column.isFullTextIndexed {
                let text = IndexedColumn.bytes(try table.value(column.key, of: key))
                words?[key] = Set(FullTextTokenizer.tokens(of: text ?? []).map { $0 })
            } else {
                values[key] = try table.value(column.key, of: key)
            }
        }
    }

    var root: Ref { get throws { try table.indexRoot(column.leafIndex) } }
    var description: String { "\(table.name).\(column.name)" }

    func insert(_ key: ObjectKey, into root: inout Ref, _ store: NodeStore) throws {
        guard let words else {
            return try SearchIndexEditor(store).insert(&root, values[key]!, key, isMixed: column.type == .mixed) {
                values[$0]
            }
        }
        for word in words[key] ?? [] { try SearchIndexEditor(store).insert(&root, word: word, key) }
    }

    func erase(_ key: ObjectKey, from root: inout Ref, _ store: NodeStore) throws {
        guard let words else {
            #expect(
                try SearchIndexEditor(store).erase(&root, values[key]!, key, isMixed: column.type == .mixed) {
                    values[$0]
                })
            return
        }
        for word in words[key] ?? [] { try SearchIndexEditor(store).erase(&root, word: word, key) }
    }

    private static func bytes(_ value: StoredValue) -> [UInt8]? {
        if case .string(let text) = value { Array(text.utf8) } else { nil }
    }
}
