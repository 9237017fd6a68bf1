// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Added and removed tables and columns, in cases found by random instructions.
@Suite struct TableLifeTests {
    /// Two tables created in one transaction, with one vacant slot.
    @Test func aVacantSlotIsTakenOnce() throws {
        try TestDatabase.using { test in
            let old = try test.write { try $0.schema.addTable("class_Old") }
            let keep = try test.write { try $0.schema.addTable("class_Keep") }
            try test.write { try $0.schema.removeTable(old) }
            let (first, second) = try test.write {
                (try $0.schema.addTable("class_First"), try $0.schema.addTable("class_Second"))
            }
            #expect(first == TableKey(slot: old.slot, tag: 1))
            #expect(second == TableKey(slot: keep.slot + 1, tag: 0))
            let snapshot = try test.database.snapshot()
            #expect(try snapshot.tableKeys() == [first, keep, second])
            #expect(try snapshot.table(old) == nil)
        }
    }

    @Test func spellingsOfANameAreTwoNames() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let first = try transaction.schema.addTable("class_caf\u{e9}")
                let second = try transaction.schema.addTable("class_cafe\u{301}")
                let columns = (
                    try transaction.schema.addColumn("caf\u{e9}", .int, to: first),
                    try transaction.schema.addColumn("cafe\u{301}", .int, to: first)
                )
                #expect(try transaction.table(named: "class_cafe\u{301}")?.key == second)
                #expect(try transaction.table(first)?.column(named: "caf\u{e9}")?.key == columns.0)
                #expect(try transaction.table(first)?.column(named: "cafe\u{301}")?.key == columns.1)
            }
            #expect(try test.database.snapshot().table(named: "class_cafe\u{301}")?.publicColumns.count == 0)
        }
    }

    @Test func aRemovedTableLeavesNothing() throws {
        try TestDatabase.using { test in
            let other = try test.write { try $0.schema.addTable("class_Other") }
            let table = try test.write { transaction in
                let table = try transaction.schema.addTable("class_Gone")
                let name = try transaction.schema.addColumn("name", .string, .indexed, to: table)
                try transaction.schema.addColumn("list", .int, .list, to: table)
                let link = try transaction.schema.addColumn("link", .link, .nullable, target: other, to: table)
                let any = try transaction.schema.addColumn("any", .mixed, .nullable, to: table)
                let target = try transaction.createObject(in: other)
                for number in 0..<20 {
                    let object = try transaction.createObject(in: table, [name: .string("name \(number)")])
                    try transaction.set(.link(target), link, of: object, in: table)
                    try transaction.set(
                        .typedLink(ObjectLink(table: other, object: target)), any, of: object, in: table)
                }
                return table
            }
            try test.audit()
            try test.write { try $0.schema.removeTable(table) }
            try test.audit()
            let snapshot = try test.database.snapshot()
            #expect(try snapshot.tableKeys() == [other])
            #expect(try snapshot.table(other)?.backlinkColumns.isEmpty == true)
        }
    }

    /// A zero that replaces the other zero is stored with its sign.
    @Test func negativeZeroIsAnotherValue() throws {
        try TestDatabase.using { test in
            try test.write { transaction in
                let table = try transaction.schema.addTable("class_Zero")
                let any = try transaction.schema.addColumn("any", .mixed, [.nullable, .indexed], to: table)
                let list = try transaction.schema.addColumn("list", .double, .list, to: table)
                let object = try transaction.createObject(in: table)
                try transaction.list(list, of: object, in: table).insert(.double(0), at: 0)
                try transaction.list(list, of: object, in: table).set(.double(-0.0), at: 0)
                try transaction.set(.double(0), any, of: object, in: table)
                try transaction.set(.double(-0.0), any, of: object, in: table)
                guard let live = try transaction.table(table) else { throw Failure("no table") }
                for value in [try live.list(list, of: object).value(at: 0), try live.value(any, of: object)] {
                    try require(value.isIdentical(to: .double(-0.0)), "the value is \(value)")
                }
            }
        }
    }
}
