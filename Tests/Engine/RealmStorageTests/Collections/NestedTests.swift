// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

@Suite(.scope(TestCleanup.perform)) struct NestedTests {
    @Test func putsEditsAndReplaces() throws {
        let bench = try CollectionFixture()
        try bench.test.write { transaction in
            try transaction.setCollection(.list, at: bench.path("any"))
            try transaction.list(at: bench.path("any")).insert(.int(1), at: 0)
            try transaction.list(at: bench.path("any")).insertCollection(.dictionary, at: 1)
            try transaction.dictionary(at: bench.path("any", .index(1))).set(.string("x"), forKey: "k")
            try transaction.setCollection(.list, at: bench.path("any", .index(1), .key("inner")))
            try transaction.list(at: bench.path("any", .index(1), .key("inner"))).insert(.bool(true), at: 0)
            try transaction.setCollection(.dictionary, at: bench.path("any", .index(0)))
            // An equal collection exists, so nothing changes.
            let before = try SnapshotText.lines(of: transaction)
            try transaction.setCollection(.list, at: bench.path("any"))
            try transaction.setCollection(.list, at: bench.path("any", .index(1), .key("inner")))
            try transaction.setCollection(.dictionary, at: bench.path("any", .index(0)))
            #expect(try SnapshotText.lines(of: transaction) == before)
        }
        let snapshot = try bench.test.database.snapshot()
        let inner = ModelValue.dictionary([
            .init(key: "inner", value: .list([.value(.bool(true))])), .init(key: "k", value: .value(.string("x"))),
        ])
        let stored = try bench.value("any", in: snapshot)
        #expect(stored.isIdentical(to: .list([.dictionary([]), inner])), "\(stored)")
        #expect(try snapshot.collection(bench.path("any", .index(1))).dictionary?.find("k") == .string("x"))
        #expect(try snapshot.collectionIfPresent(bench.path("any", .index(2))) == nil)
        #expect(throws: StorageError.self) { try snapshot.collection(bench.path("any", .key("k"))) }
        try bench.test.write { transaction in
            try transaction.list(at: bench.path("any")).set(.null, at: 1)
            try transaction.setCollection(.dictionary, at: bench.path("any"))
            try transaction.set(.int(3), bench.column("any"), of: bench.object, in: bench.table)
        }
    }

    /// A handle with collection keys follows its collection, and becomes invalid with it.
    @Test func stablePathsFollowTheirCollection() throws {
        let bench = try CollectionFixture()
        try bench.test.write { transaction in
            try transaction.setCollection(.list, at: bench.path("any"))
            for index in 0..<3 { try transaction.list(at: bench.path("any")).insertCollection(.list, at: index) }
            let stable = try transaction.stable(bench.path("any", .index(1)))
            try transaction.list(at: stable).insert(.string("mine"), at: 0)
            try transaction.list(at: bench.path("any")).move(from: 1, to: 2)
            try transaction.list(at: bench.path("any")).insert(.int(0), at: 0)
            try transaction.list(at: bench.path("any")).swap(3, 1)
            #expect(try transaction.collection(stable).list?.values() == [.string("mine")])
            #expect(try transaction.collection(bench.path("any", .index(1))).list?.values() == [.string("mine")])
            try transaction.setCollection(.dictionary, at: bench.path("any", .index(1)))
            #expect(try transaction.collectionIfPresent(stable) == nil)
            let root = try transaction.stable(bench.path("any"))
            #expect(try transaction.collection(root).count == 4)
            try transaction.set(.null, bench.column("any"), of: bench.object, in: bench.table)
            try transaction.setCollection(.list, at: bench.path("any"))
            #expect(try transaction.collectionIfPresent(root) == nil)
        }
    }

    @Test(arguments: [false, true]) func everyMoveAndSwap(_ isNested: Bool) throws {
        let bench = try CollectionFixture()
        let path = isNested ? bench.path("any", .index(0)) : bench.path("mixed list?")
        try bench.test.write { transaction in
            transaction.store.treeCapacity = 3
            if isNested {
                try transaction.setCollection(.list, at: bench.path("any"))
                try transaction.list(at: bench.path("any")).insertCollection(.list, at: 0)
            }
            for index in 0..<8 {
                if index % 3 == 1 {
                    try transaction.list(at: path).insert(.string("value \(index)"), at: index)
                } else {
                    try transaction.list(at: path).insertCollection(index % 3 == 0 ? .list : .dictionary, at: index)
                }
            }
            for index in [0, 6] {
                try transaction.list(at: path.appending(.index(index))).insert(.int(Int64(index)), at: 0)
            }
            for index in [2] {
                try transaction.dictionary(at: path.appending(.index(index))).set(bench.link(0), forKey: "k")
            }
            for first in 0..<8 {
                for second in 0..<8 {
                    var values = try transaction.collection(path).list?.values() ?? []
                    try transaction.list(at: path).move(from: first, to: second)
                    values.insert(values.remove(at: first), at: second)
                    #expect(try transaction.collection(path).list?.values() == values)
                    try transaction.list(at: path).swap(first, second)
                    values.swapAt(first, second)
                    #expect(try transaction.collection(path).list?.values() == values)
                }
            }
            #expect(try bench.backlinkCount(0, in: transaction) == 1)
        }
    }

    @Test func oneHundredLevels() throws {
        let bench = try CollectionFixture()
        for (name, base) in [("any", 1), ("mixed list?", 1), ("mixed dictionary?", 1)] {
            try bench.test.write { transaction in
                var path = bench.path(name)
                if name == "any" { try transaction.setCollection(.list, at: path) }
                var level = base
                var isDictionary = name == "mixed dictionary?"
                while level < 100 {
                    let step: CollectionPath.Step
                    if isDictionary {
                        step = .key("deeper")
                    } else {
                        step = .index(0)
                        try transaction.list(at: path).insert(.null, at: 0)
                    }
                    isDictionary = level % 2 == 0
                    path.steps.append(step)
                    try transaction.setCollection(isDictionary ? .dictionary : .list, at: path)
                    level += 1
                }
                #expect(path.level == 100)
                func deepest(_ value: StoredValue) throws {
                    if isDictionary {
                        try transaction.dictionary(at: path).set(value, forKey: "end")
                    } else {
                        try transaction.list(at: path).insert(value, at: 0)
                    }
                }
                try deepest(bench.link(1))
                try bench.refuses(.limitExceeded, transaction) {
                    try $0.setCollection(.list, at: path.appending(isDictionary ? .key("end") : .index(0)))
                }
                if !isDictionary {
                    try bench.refuses(.limitExceeded, transaction) {
                        try $0.list(at: path).insertCollection(.list, at: 0)
                    }
                }
                #expect(try bench.value(name, in: transaction).depth == 100)
            }
        }
        try bench.test.auditTwice()
        // The innermost links are removed with their target, one from each column.
        try bench.test.write { transaction in
            #expect(try bench.backlinkCount(1, in: transaction) == 3)
            try transaction.removeObject(bench.targets[1], from: bench.target)
        }
        try bench.test.audit()
        try bench.test.write { try $0.removeObject(bench.object, from: bench.table) }
    }

    @Test func linksAtEveryDepth() throws {
        let bench = try CollectionFixture()
        let (object, table) = (bench.object, bench.table)
        func counts(_ transaction: WriteTransaction) throws -> [Int] {
            try (0..<3).map { try bench.backlinkCount($0, in: transaction) }
        }
        try bench.test.write { transaction in
            func fill(_ path: CollectionPath) throws {
                for index in 0..<3 { try transaction.list(at: path).insert(bench.link(index), at: 0) }
            }
            try transaction.setCollection(.list, at: bench.path("any"))
            try fill(bench.path("any"))
            try transaction.list(at: bench.path("any")).insertCollection(.list, at: 0)
            try fill(bench.path("any", .index(0)))
            try transaction.list(at: bench.path("any", .index(0))).insertCollection(.dictionary, at: 0)
            try transaction.dictionary(at: bench.path("any", .index(0), .index(0))).set(bench.link(0), forKey: "a")
            #expect(try counts(transaction) == [3, 2, 2])
            // The outer collection's element is removed first, then the nested ones.
            try transaction.list(at: bench.path("any")).erase(at: 3)
            #expect(try counts(transaction) == [2, 2, 2])
            try transaction.list(at: bench.path("any")).set(.int(0), at: 0)
            #expect(try counts(transaction) == [0, 1, 1])
            // Replaces the list that holds a link by this link, and reverts it.
            try transaction.list(at: bench.path("any")).erase(at: 0)
            try transaction.list(at: bench.path("any")).erase(at: 0)
            #expect(try transaction.collection(bench.path("any")).list?.values() == [bench.link(1)])
            try transaction.set(bench.link(1), bench.column("any"), of: object, in: table)
            #expect(try bench.value("any", in: transaction).isIdentical(to: .value(bench.link(1))))
            #expect(try counts(transaction) == [0, 1, 0])
            try transaction.setCollection(.dictionary, at: bench.path("any"))
            #expect(try counts(transaction) == [0, 0, 0])
        }
        try bench.test.audit()
        try bench.test.write { transaction in
            let path = bench.path("any", .key("list"))
            try transaction.setCollection(.list, at: path)
            for index in [0, 1, 0, 2, 0] { try transaction.list(at: path).insert(bench.link(index), at: 0) }
            try transaction.dictionary(at: bench.path("any")).set(bench.link(0), forKey: "zero")
            try transaction.removeObject(bench.targets[0], from: bench.target)
            #expect(try transaction.collection(path).list?.values() == [bench.link(2), bench.link(1)])
            #expect(try transaction.collection(bench.path("any")).dictionary?.find("zero") == .null)
            try transaction.dictionary(at: bench.path("any")).erase("list")
            #expect(try bench.backlinkCount(1, in: transaction) == 0)
        }
    }

    /// The index files a collection by its type, regardless of its content (content 9.1).
    @Test func indexedProperty() throws {
        let bench = try CollectionFixture()
        let (object, table, column) = (bench.object, bench.table, bench.column("indexed"))
        try bench.test.write { transaction in
            func found(_ value: StoredValue) throws -> Bool {
                try !transaction.require(table).objects(column, equalTo: value).isEmpty
            }
            try transaction.set(.string("text"), column, of: object, in: table)
            try transaction.setCollection(.list, at: bench.path("indexed"))
            #expect(try !found(.string("text")))
            #expect(try found(.list(0, key: 0)))
            try transaction.list(at: bench.path("indexed")).insert(bench.link(0), at: 0)
            #expect(try found(.list(0, key: 0)))
            try transaction.setCollection(.dictionary, at: bench.path("indexed"))
            #expect(try !found(.list(0, key: 0)))
            #expect(try found(.dictionary(0, key: 0)))
            try transaction.set(bench.link(0), column, of: object, in: table)
            #expect(try found(bench.link(0)))
            // The NaN pattern that represents null is null in the index too.
            let pattern = StoredValue.double(Double(bitPattern: 0x7FF8_0000_0000_00AA))
            try transaction.set(pattern, column, of: object, in: table)
            #expect(try found(.null))
            try transaction.set(bench.link(0), column, of: object, in: table)
            // Weak spot 7: once the target is removed, the index files the object under null.
            try transaction.removeObject(bench.targets[0], from: bench.target)
            #expect(try found(.null))
        }
    }

    @Test func refusals() throws {
        let bench = try CollectionFixture()
        try bench.test.write { transaction in
            try transaction.setCollection(.list, at: bench.path("any"))
            try transaction.list(at: bench.path("any")).insert(.int(1), at: 0)
            try transaction.dictionary(at: bench.path("mixed dictionary?")).set(.int(1), forKey: "a")
            func refused(_ body: (WriteTransaction) throws -> Void) throws {
                try bench.refuses(.invalidArgument, transaction, body)
            }
            try refused { try $0.list(at: bench.path("any")).insert(.int(1), at: 2) }
            try refused { try $0.list(at: bench.path("any")).insert(.link(bench.targets[0]), at: 0) }
            try refused { try $0.list(at: bench.path("any")).insert(.list(0, key: 5), at: 0) }
            try refused { try $0.list(at: bench.path("any")).set(.null, at: 1) }
            try refused { try $0.list(at: bench.path("any")).erase(at: -1) }
            try refused { try $0.list(at: bench.path("any")).move(from: 0, to: 1) }
            try refused { try $0.list(at: bench.path("any")).swap(0, 1) }
            try refused { try $0.list(at: bench.path("any")).insertCollection(.list, at: 2) }
            try refused { try $0.list(at: bench.path("int list")).insertCollection(.list, at: 0) }
            try refused { try $0.setCollection(.list, at: bench.path("any", .index(1))) }
            try refused { try $0.setCollection(.list, at: bench.path("any", .key("a"))) }
            try refused { try $0.setCollection(.list, at: bench.path("any", .index(0), .index(0))) }
            try refused { try $0.setCollection(.list, at: bench.path("int list")) }
            try refused { try $0.setCollection(.list, at: bench.path("mixed list?")) }
            try refused { try $0.setCollection(.list, at: bench.path("mixed set?", .index(0))) }
            try refused { try $0.setCollection(.list, at: bench.path("mixed dictionary?", .key("a.b"))) }
            try refused { try $0.setCollection(.list, at: bench.path("mixed dictionary?", .nested(7))) }
            try refused { try $0.setCollection(.list, at: bench.path("int dictionary", .key("a"))) }
            try refused { try $0.dictionary(at: bench.path("any")).set(.int(1), forKey: "a") }
            try refused { try $0.list(at: bench.path("mixed dictionary?")).clear() }
            try refused { try $0.list(at: bench.path("indexed")).clear() }
            var stranger = bench.path("any")
            stranger.object = ObjectKey(77)
            try refused { try $0.setCollection(.dictionary, at: stranger) }
            let big = StoredValue.binary([UInt8](repeating: 0, count: FileFormat.maximumBinaryByteCount))
            try bench.refuses(.limitExceeded, transaction) { try $0.list(at: bench.path("any")).insert(big, at: 0) }
        }
    }

    /// Leaves of older formats have four slots. Once any leaf of their tree stores a collection, all get six, and their
    /// collections get keys of full length (content 13.3, 13.4).
    @Test(arguments: [false, true]) func leavesOfOlderFormats(_ inDictionary: Bool) throws {
        let bench = try CollectionFixture()
        let path = bench.path(inDictionary ? "mixed dictionary?" : "mixed list?")
        try bench.test.write { transaction in
            transaction.store.treeCapacity = 3
            for index in 0..<10 {
                if inDictionary {
                    try transaction.dictionary(at: path).set(.int(Int64(index)), forKey: "\(index)")
                } else {
                    try transaction.list(at: path).insert(.int(Int64(index)), at: index)
                }
            }
            try NestedWriter(transaction: transaction, path: path).change(transaction.resolve(path)) { root in
                func truncate(_ elements: inout Ref) throws {
                    for index in 0..<10 {
                        try BPlusTreeEditor(transaction.store, .mixed).modifyLeaf(&elements, holding: index) {
                            _, leaf, _ in
                            try transaction.store.truncate(&leaf, to: 4)
                        }
                    }
                }
                if !inDictionary { return try truncate(&root) }
                try DictionaryEditor(transaction.store).changeValues(&root) { try truncate(&$0) }
            }
        }
        try bench.test.write { transaction in
            try transaction.setCollection(.list, at: path.appending(inDictionary ? .key("4") : .index(4)))
        }
    }

    /// Only a damaged file has a list that contains itself. Walks end with an error.
    @Test func circlesEnd() throws {
        let bench = try CollectionFixture()
        let transaction = try bench.test.database.beginWrite()
        defer { transaction.rollback() }
        try transaction.setCollection(.list, at: bench.path("any"))
        try transaction.list(at: bench.path("any")).insertCollection(.list, at: 0)
        try transaction.list(at: bench.path("any")).insertCollection(.list, at: 1)
        try transaction.list(at: bench.path("any")).change(transaction.resolve(bench.path("any"))) { root in
            for row in 0..<2 {
                let own = root
                try BPlusTreeEditor(transaction.store, .mixed).modifyLeaf(&root, holding: row) { leaves, leaf, row in
                    try leaves.setRaw(&leaf, at: row, Int64(own))
                }
            }
        }
        #expect(throws: StorageError.self) {
            try transaction.set(.null, bench.column("any"), of: bench.object, in: bench.table)
        }
        var finder = LinkFinder(transaction.space, ObjectLink(table: bench.target, object: bench.targets[0]))
        let found = try finder.find(in: try transaction.collection(bench.path("any")))
        #expect(found == nil)
    }
}
