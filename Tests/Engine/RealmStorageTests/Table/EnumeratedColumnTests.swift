// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// String columns stored as indexes into a list of distinct strings (content 4.5).
@Suite struct EnumeratedColumnTests {
    /// A new string moves the list of distinct strings, which the index reads next. The list's old node may be reused
    /// by then for the copy of a leaf.
    @Test func newStringsInAnIndexedColumn() throws {
        let source = Fixtures.path("v24/enumerated-strings.realm")
        var generator = SeededGenerator(for: "new enumerated strings")
        let folder = try TemporaryFolder()
        for round in 0..<100 {
            let path = folder.path + "/\(round).realm"
            try Images.write(try Images.read(source), to: path)
            let database = try Database.open(path)
            let table = try #require(try database.snapshot().table(named: "class_Enumerated"))
            let column = try #require(table.columns.first { $0.name == "indexed" })
            #expect(column.enumKeys != 0 && table.hasIndex(column.key))
            var objects: [ObjectKey] = []
            try table.clusters.forEachLeaf { leaf in
                objects += (0..<leaf.count).map(leaf.key(at:))
                return true
            }
            var texts: [ObjectKey: String] = [:]
            try database.write { transaction in
                for step in 0..<30 {
                    if generator.chance(30) {
                        objects.append(try transaction.createObject(in: table.key))
                    } else if generator.chance(20) {
                        let object = objects.remove(at: generator.below(objects.count))
                        texts[object] = nil
                        try transaction.removeObject(object, from: table.key)
                    } else {
                        let object = generator.pick(objects)
                        let text = "new \(step)" + String(repeating: "x", count: generator.below(100))
                        try transaction.set(.string(text), column.key, of: object, in: table.key)
                        texts[object] = text
                    }
                }
            }
            let read = try #require(try database.snapshot().table(table.key))
            for (object, text) in texts {
                #expect(try read.objects(column.key, equalTo: .string(text)) == [object], "round \(round)")
            }
            try FileAudit.requireClean(path: path)
        }
    }

    @Test func valuesOfTheReferenceAndNewOnes() throws {
        let source = Fixtures.path("v24/enumerated-strings.realm")
        var generator = SeededGenerator(for: "enumerated strings")
        let folder = try TemporaryFolder()
        let path = folder.path + "/enumerated.realm"
        try FileManager.default.copyItem(atPath: source, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let database = try Database.open(path)
        let key = try #require(try database.snapshot().table(named: "class_Enumerated")?.key)
        var model: [ObjectKey: [ColumnKey: StoredValue]] = [:]
        let first = try #require(try database.snapshot().table(key))
        let columns = Array(first.publicColumns)
        #expect(columns.count { $0.enumKeys != 0 } == 4)
        try first.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let position = ClusterTree.Position(leaf: leaf, row: row)
                for column in columns {
                    model[leaf.key(at: row), default: [:]][column.key] = try first.value(column, at: position)
                }
            }
            return true
        }
        let texts = (0..<12).map { "new \($0)" } + ["", "é", String(repeating: "long ", count: 100)]
        for round in 0..<4 {
            try database.write { transaction in
                for _ in 0..<200 {
                    let column = generator.pick(columns)
                    let isNull = column.key.isNullable && generator.chance(20)
                    let value: StoredValue = isNull ? .null : .string(generator.pick(texts))
                    if generator.chance(30) {
                        let object = try transaction.createObject(in: key, [column.key: value])
                        for other in columns { model[object, default: [:]][other.key] = other.defaultValue }
                        model[object]?[column.key] = value
                    } else {
                        let object = generator.pick(model.keys.sorted())
                        if generator.chance(10) {
                            try transaction.removeObject(object, from: key)
                            model[object] = nil
                        } else {
                            try transaction.set(value, column.key, of: object, in: key)
                            model[object]?[column.key] = value
                        }
                    }
                }
                if round == 1, let column = columns.first(where: { $0.name == "colourNull" }) {
                    try transaction.indexes.add(column.key, of: key)
                }
            }
            try FileAudit.requireCleanTwice(path: path)
            let read = try #require(try database.snapshot().table(key))
            #expect(read.columns.count { $0.enumKeys != 0 } == 4, "no column ceases to be enumerated")
            for (object, values) in model {
                for (column, value) in values {
                    let stored = try read.value(column, of: object)
                    #expect(stored == value, "\(column) of \(object)")
                    guard read.hasIndex(column) else { continue }
                    let found = try read.objects(column, equalTo: value).contains(object)
                    #expect(found, "\(value) of \(object)")
                }
            }
        }
        // One becomes optional, so its strings are stored one by one. One is removed with its list.
        try database.write { transaction in
            let indexed = try #require(columns.first { $0.name == "indexed" }).key
            let optional = try transaction.schema.setNullable(true, indexed, of: key)
            try transaction.schema.removeColumn(try #require(columns.first { $0.name == "long" }).key, of: key)
            let live = try #require(try transaction.table(key))
            for (object, values) in model {
                let stored = try live.value(optional, of: object)
                #expect(stored == values[indexed])
            }
        }
        try FileAudit.requireCleanTwice(path: path)
    }
}
