// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Old forms of collections, larger and stranger than in the files of the original engine.
///
/// Our writer creates the files, and then the old form is stored in the cells and another format in the header.
@Suite struct UpgradedCollectionsTests {
    private static let name = "class_Thing"

    private static func path(
        in folder: TemporaryFolder, format: UInt8, _ type: ColumnType, _ attributes: ColumnAttributes,
        _ body: (NodeStore) throws -> Ref
    ) throws -> String {
        let path = folder.path + "/old.realm"
        do {
            let database = try Database.open(path)
            try database.write { transaction in
                let key = try transaction.schema.addTable(name)
                let column = try transaction.schema.addColumn("values", type, attributes, to: key)
                let object = try transaction.createObject(in: key)
                let table = try transaction.require(key)
                let root = try body(transaction.store)
                try ClusterTreeEditor(transaction.store).modify(
                    &table.clusterRoot, key: object, column: column.leafIndex
                ) {
                    try ColumnLeafEditor(transaction.store, .collection).setRaw(&$0, at: $1, Int64(root))
                }
            }
        }
        var bytes = try Images.read(path)
        for place in 20...21 where bytes[place] == FileFormat.version { bytes[place] = format }
        try Images.write(bytes, to: path)
        return path
    }

    private static func texts(
        _ path: String, _ tree: (Table, Column, ClusterTree.Position) throws -> BPlusTree?
    ) throws -> [[UInt8]?] {
        func read(_ snapshot: Snapshot) throws -> [[UInt8]?] {
            let table = try #require(try snapshot.table(named: name))
            let column = try #require(table.column(named: "values"))
            var texts: [[UInt8]?] = []
            try tree(table, column, table.clusters.position(at: 0))?.forEachLeaf { leaf in
                for row in 0..<leaf.leaf.count {
                    texts.append(
                        leaf.leaf.kind == .binary ? try leaf.leaf.binary(at: row) : try leaf.leaf.text(at: row))
                }
                return true
            }
            return texts
        }
        let before = try read(Database.open(path, readOnly: true).snapshot())
        let after = try read(Database.open(path).snapshot())
        #expect(before == after)
        try FileAudit.requireCleanTwice(path: path)
        return after
    }

    private static func words(_ count: Int, _ generator: inout SeededGenerator) -> [[UInt8]] {
        var words: Set<[UInt8]> = [[]]
        while words.count < count {
            let length = generator.below(generator.chance(5) ? 90 : 12)
            words.insert(
                Array((0..<length).flatMap { _ in Array(generator.pick(["a", "Z", "ß", "é", "漢", "0"]).utf8) }))
        }
        return words.sorted { ByteOrder.compare($0, $1) < 0 }
    }

    @Test(arguments: [1, 200, 1000, 3500]) func setsOfStringsAreSorted(_ count: Int) throws {
        var generator = SeededGenerator(for: "sets \(count)")
        let words = Self.words(count, &generator)
        let shuffled = words.shuffled(using: &generator)
        let folder = try TemporaryFolder()
        for (type, kind) in [(ColumnType.string, LeafKind.string), (.binary, .binary)] {
            try? Folder.removeFile(folder.path + "/old.realm")
            try? Folder.removeFile(folder.path + "/old.v23.backup.realm")
            let path = try Self.path(in: folder, format: 23, type, [.set, .nullable]) { store in
                let values = shuffled.map { type == .string ? ExactValue.text($0) : .other(.binary($0)) }
                return try BPlusTreeEditor(store, kind).create([.other(.null)] + values)
            }
            #expect(try Self.texts(path) { try $0.list($1, at: $2) } == [nil] + words)
        }
    }

    @Test(arguments: [UInt8(21), 22, 23]) func setsOfMixedAreSorted(_ format: UInt8) throws {
        var generator = SeededGenerator(for: "mixed sets \(format)")
        let words = Self.words(700, &generator)
        let binaries = words.map { $0 + [0xFF, 0, 0x7F] }
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder, format: format, .mixed, [.set, .nullable]) { store in
            let middle = words.map { ExactValue.text($0) } + binaries.map { .other(.binary($0)) }
            let first: [ExactValue] = [.other(.null), .other(.bool(true)), .other(.int(7))]
            let last = ExactValue.other(.timestamp(Timestamp(seconds: 1, nanoseconds: 2)))
            return try BPlusTreeEditor(store, .mixed).create(first + middle.shuffled(using: &generator) + [last])
        }
        let texts = try Self.texts(path) { try $0.list($1, at: $2) }
        #expect(texts.compactMap(\.self) == words)
        #expect(texts.count == 3 + words.count + binaries.count + 1)
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        defer { withExtendedLifetime(snapshot) {} }
        let table = try #require(try snapshot.table(named: Self.name))
        let values = try table.list(try #require(table.column(named: "values")), at: table.clusters.position(at: 0))
            .values()
        #expect(zip(values, values.dropFirst()).allSatisfy { StoredValue.compare($0, $1) < 0 })
    }

    private static let layout = ClusterLayout(columns: [
        ClusterLayout.Column(leafIndex: 0, kind: .string, defaultValue: .string("")),
        ClusterLayout.Column(leafIndex: 1, kind: .mixed, defaultValue: .null),
    ])

    @Test(arguments: [UInt8(21), 22], [0, 1, 300, 2500]) func dictionariesAreRebuilt(
        _ format: UInt8, _ count: Int
    ) throws {
        var generator = SeededGenerator(for: "dictionaries \(format) \(count)")
        let words = count == 0 ? [] : Self.words(count, &generator)
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder, format: format, .int, [.dictionary, .nullable]) { store in
            var root = try ClusterTreeEditor(store).create(Self.layout)
            for (number, word) in words.enumerated() {
                let hash = ObjectKey(Int64(generator.next() >> 1) & ~0xFFFF | Int64(number))
                try ClusterTreeEditor(store).insert(&root, Self.layout, key: hash) { column in
                    if column.leafIndex == 0 { return .string(String(decoding: word, as: UTF8.self)) }
                    return number % 7 == 3 ? .null : .int(Int64(number))
                }
            }
            return root
        }
        let keys = try Self.texts(path) { table, column, position in
            try DictionaryTree(table.space, table.collectionRoot(column, at: position)).keys
        }
        #expect(keys == words)
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        defer { withExtendedLifetime(snapshot) {} }
        let table = try #require(try snapshot.table(named: Self.name))
        let root = try table.collectionRoot(
            try #require(table.column(named: "values")), at: table.clusters.position(at: 0))
        let values = try DictionaryTree(table.space, root).values()
        #expect(values == words.indices.map { $0 % 7 == 3 ? .null : .int(Int64($0)) })
    }

    /// Format 23 has two trees already, but another order of keys.
    @Test func keysOfFormat23AreSorted() throws {
        var generator = SeededGenerator(for: "dictionaries 23")
        let words = Self.words(1500, &generator)
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder, format: 23, .string, [.dictionary, .nullable]) { store in
            let shuffled = words.shuffled(using: &generator).map { ExactValue.text($0) }
            let trees = [
                try BPlusTreeEditor(store, .string).create(shuffled),
                try BPlusTreeEditor(store, .mixed).create(shuffled),
            ]
            return try store.create(trees.map { Int64($0) }, flags: NodeHeader.Flags.hasRefs)
        }
        for part in 0...1 {
            let texts = try Self.texts(path) { table, column, position in
                let tree = try DictionaryTree(table.space, table.collectionRoot(column, at: position))
                return part == 0 ? tree.keys : tree.valuesTree
            }
            #expect(texts == words)
        }
    }

    /// Swift strings can't have these bytes.
    @Test func stringsThatAreNotTextKeepTheirBytes() throws {
        let bytes: [[UInt8]] = [[0xFF], [0xC3], [0x41, 0x80], [0xE6, 0xBC], Array(repeating: 0xFE, count: 70)]
        let sorted = bytes.sorted { ByteOrder.compare($0, $1) < 0 }
        let folder = try TemporaryFolder()
        let path = try Self.path(in: folder, format: 23, .mixed, [.set, .nullable]) { store in
            try BPlusTreeEditor(store, .mixed).create(bytes.map { .text($0) })
        }
        let before = FileChecker.check(bytes: try Images.read(path))
        #expect(before.isClean)
        _ = try Database.open(path)
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        defer { withExtendedLifetime(snapshot) {} }
        let table = try #require(try snapshot.table(named: Self.name))
        let tree = try table.list(try #require(table.column(named: "values")), at: table.clusters.position(at: 0))
        let leaf = try tree.leaf(holding: 0).leaf
        #expect(try (0..<leaf.count).map { try leaf.text(at: $0) } == sorted)
    }

    /// A tree with small nodes is accepted if everything else about the objects agrees.
    @Test func smallClustersAreNotMistakenForThoseOfTestBuilds() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/small.realm"
        do {
            let database = try Database.open(path)
            try database.write { transaction in
                let key = try transaction.schema.addTable(Self.name)
                let column = try transaction.schema.addColumn("_id", .int, to: key)
                try transaction.schema.setPrimaryKey(column, of: key)
                for number in 0..<600 { _ = try transaction.createObject(in: key, [column: .int(Int64(number))]) }
            }
            try database.write { transaction in
                let key = try #require(try transaction.table(named: Self.name)).key
                for number in (260..<512).reversed() {
                    try transaction.removeObject(ObjectKey(Int64(number)), from: key)
                }
                for number in (4..<256).reversed() {
                    try transaction.removeObject(ObjectKey(Int64(number)), from: key)
                }
                for number in (516..<600).reversed() {
                    try transaction.removeObject(ObjectKey(Int64(number)), from: key)
                }
            }
        }
        var bytes = try Images.read(path)
        for place in 20...21 where bytes[place] == FileFormat.version { bytes[place] = 22 }
        try Images.write(bytes, to: path)
        let view = try Database.open(path, readOnly: true).snapshot()
        defer { withExtendedLifetime(view) {} }
        #expect(try view.table(named: Self.name)?.count() == 12)
        let snapshot = try Database.open(path).snapshot()
        defer { withExtendedLifetime(snapshot) {} }
        let table = try #require(try snapshot.table(named: Self.name))
        #expect(try table.object(primaryKey: .int(514)) == ObjectKey(514))
    }
}
