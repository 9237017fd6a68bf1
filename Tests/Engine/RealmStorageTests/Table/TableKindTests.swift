// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Tables that become embedded or stop being embedded (realm 9).
@Suite struct TableKindTests {
    private struct Fixture {
        let parent, child: TableKey
        let link, list: ColumnKey

        init(_ transaction: WriteTransaction) throws {
            parent = try transaction.schema.addTable("class_Parent")
            child = try transaction.schema.addTable("class_Child")
            try transaction.schema.addColumn("name", .string, .indexed, to: child)
            link = try transaction.schema.addColumn("link", .link, target: child, to: parent)
            list = try transaction.schema.addColumn("list", .link, .list, target: child, to: parent)
        }
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as StorageError {
            return error.code == .invalidArgument ? error.message : "\(error)"
        } catch {
            return "\(error)"
        }
    }

    @Test func dataMustAllowIt() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let fixture = try Fixture(transaction)
                let child = try transaction.createObject(in: fixture.child)
                func convert() throws { try transaction.schema.setKind(.embedded, of: fixture.child) }
                let before = transaction.clock.value
                #expect(
                    refusal(convert)
                        == "Cannot convert 'Child' to embedded: at least one object has no incoming links and would be deleted."
                )
                #expect(transaction.clock.value == before)
                let parent = try transaction.createObject(in: fixture.parent)
                try transaction.set(.link(child), fixture.link, of: parent, in: fixture.parent)
                try transaction.list(fixture.list, of: parent, in: fixture.parent).insert(.link(child), at: 0)
                #expect(
                    refusal(convert)
                        == "Cannot convert 'Child' to embedded: at least one object has more than one incoming link.")
                try transaction.list(fixture.list, of: parent, in: fixture.parent).erase(at: 0)
                let any = try transaction.schema.addColumn("any", .mixed, to: fixture.parent)
                try transaction.set(
                    .typedLink(ObjectLink(table: fixture.child, object: child)), any, of: parent, in: fixture.parent)
                #expect(refusal(convert)?.contains("'any' cannot hold embedded objects") == true)
                try transaction.set(.null, any, of: parent, in: fixture.parent)
                let set = try transaction.schema.addColumn(
                    "set", .link, .set, target: fixture.child, to: fixture.parent)
                #expect(refusal(convert)?.contains("'set' cannot hold embedded objects") == true)
                try transaction.schema.removeColumn(set, of: fixture.parent)
                let id = try transaction.schema.addColumn("id", .int, to: fixture.child)
                try transaction.schema.setPrimaryKey(id, of: fixture.child)
                #expect(refusal(convert) == "Embedded object type 'Child' cannot have a primary key.")
                try transaction.schema.setPrimaryKey(nil, of: fixture.child)
                #expect(refusal(convert) == nil)
            }
        }
    }

    @Test func objectsStay() throws {
        try TestDatabase.using { test in
            let fixture = try test.write { try Fixture($0) }
            var children: [ObjectKey] = []
            try test.write { transaction in
                for number in 0..<300 {
                    let parent = try transaction.createObject(in: fixture.parent)
                    let child = try transaction.createObject(in: fixture.child)
                    children.append(child)
                    if number & 1 == 0 {
                        try transaction.set(.link(child), fixture.link, of: parent, in: fixture.parent)
                    } else {
                        try transaction.list(fixture.list, of: parent, in: fixture.parent).insert(.link(child), at: 0)
                        let missing = try transaction.tombstones.key(
                            for: ObjectKey(Int64(1_000_000 + number)), in: fixture.child)
                        try transaction.list(fixture.list, of: parent, in: fixture.parent).insert(.link(missing), at: 0)
                    }
                }
            }
            try test.audit()
            try test.write { try $0.schema.setKind(.embedded, of: fixture.child) }
            try test.auditTwice()
            try test.write { transaction in
                let table = try #require(try transaction.table(fixture.child))
                #expect(try table.kind == .embedded && table.count() == 300 && table.tombstones == nil)
                // Embedded objects are removed with their parents.
                let parents = try #require(try transaction.table(fixture.parent))
                for index in stride(from: 290, through: 0, by: -10) {
                    let position = try parents.clusters.position(at: index)
                    try transaction.removeObject(position.leaf.key(at: position.row), from: fixture.parent)
                }
                #expect(try table.count() == 270)
            }
            try test.audit()
            try test.write { transaction in
                try transaction.schema.setKind(.topLevel, of: fixture.child)
                _ = try transaction.createObject(in: fixture.child)
            }
            try PythonChecker.requireClean(path: test.path)
        }
    }

    @Test func namesAreValidated() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let a = try transaction.schema.addTable("class_A")
                let b = try transaction.schema.addTable("class_B")
                let long = String(repeating: "n", count: 64)
                for name in ["", "class_B", long] {
                    #expect(refusal { _ = try transaction.schema.addTable(name) } != nil, "\(name)")
                }
                let column = try transaction.schema.addColumn("x", .int, to: b)
                try transaction.schema.addColumn("y", .int, to: b)
                for name in ["y", long] {
                    #expect(refusal { try transaction.schema.renameColumn(column, of: b, to: name) } != nil, "\(name)")
                }
                try transaction.schema.renameColumn(column, of: b, to: String(long.dropLast()))
                try transaction.schema.addColumn("link", .link, target: b, to: a)
                let back = try #require(try transaction.table(b)?.backlinkColumns.first)
                #expect(refusal { try transaction.schema.renameColumn(back.key, of: b, to: "z") } != nil)
                #expect(try transaction.table(a)?.name == "class_A")
            }
        }
    }
}
