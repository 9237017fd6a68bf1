// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import TestTraits
import Testing

/// Instructions recorded for single writes (§3.5).
@Suite(.scope(TestCleanup.perform)) struct ChangesetRecorderTests {
    private struct Kennel {
        let client: ClientDatabase
        let dog: TableKey
        let columns: [String: ColumnKey]
        let rex: ObjectKey

        init() throws {
            let client = try ClientDatabase()
            self.client = client
            var columns: [String: ColumnKey] = [:]
            (dog, rex) = try client.database.write { transaction in
                let dog = try transaction.schema.addTable("class_Dog")
                let chip = try transaction.schema.addTable("class_Chip", kind: .embedded)
                columns["_id"] = try transaction.schema.addColumn("_id", .int, to: dog)
                try transaction.schema.setPrimaryKey(columns["_id"], of: dog)
                columns["age"] = try transaction.schema.addColumn("age", .int, to: dog)
                columns["friend"] = try transaction.schema.addColumn("friend", .link, target: dog, to: dog)
                columns["pack"] = try transaction.schema.addColumn("pack", .link, .list, target: dog, to: dog)
                columns["chip"] = try transaction.schema.addColumn("chip", .link, target: chip, to: dog)
                columns["chips"] = try transaction.schema.addColumn("chips", .link, .list, target: chip, to: dog)
                columns["named"] = try transaction.schema.addColumn("named", .link, .dictionary, target: chip, to: dog)
                columns["any"] = try transaction.schema.addColumn("any", .mixed, to: dog)
                columns["weight"] = try transaction.schema.addColumn("weight", .double, to: dog)
                columns["code"] = try transaction.schema.addColumn("code", .string, .nullable, to: chip)
                let id = try transaction.table(named: "class_Dog")?.primaryKey
                return (dog, try transaction.createObject(in: dog, id.map { [$0: .int(1)] } ?? [:]))
            }
            self.columns = columns
            nonisolated(unsafe) let audited = client
            TestCleanup.add { try audited.close() }
        }

        func column(_ name: String) throws -> ColumnKey { try #require(columns[name]) }

        func path(_ name: String) throws -> CollectionPath { CollectionPath(try column(name), of: rex, in: dog) }

        func recorded(_ body: (WriteTransaction) throws -> Void) throws -> [String] {
            let version = try client.database.snapshot().version
            try client.database.write(body)
            return try client.recorded(after: version).flatMap { $0.instructions.map(\.description) }
        }
    }

    @Test func schemaInstructionsAreFirst() throws {
        let kennel = try Kennel()
        let lines = try kennel.client.recorded(after: 0).flatMap { $0.instructions.map(\.description) }
        #expect(
            lines == [
                "AddTable Dog (primary key _id: int)", "AddTable Chip (embedded)", "AddColumn Dog.age: int",
                "AddColumn Dog.friend: link to Dog?", "AddColumn Dog.pack: list of link to Dog",
                "AddColumn Dog.chip: link to Chip?", "AddColumn Dog.chips: list of link to Chip",
                "AddColumn Dog.named: dictionary of link to Chip?", "AddColumn Dog.any: mixed?",
                "AddColumn Dog.weight: double", "AddColumn Chip.code: string?", "CreateObject Dog[1]",
            ])
    }

    @Test func valuesAndDefaults() throws {
        let kennel = try Kennel()
        let (dog, age) = (kennel.dog, try kennel.column("age"))
        let lines = try kennel.recorded { transaction in
            transaction.givesDefaults = true
            let other = try transaction.createObject(in: dog, [try kennel.column("_id"): .int(2), age: .int(3)])
            try transaction.set(.null, kennel.column("friend"), of: other, in: dog)
            transaction.givesDefaults = false
            try transaction.set(.link(kennel.rex), kennel.column("friend"), of: other, in: dog)
            try transaction.addInteger(-2, age, of: other, in: dog)
        }
        #expect(
            lines == [
                "CreateObject Dog[2]", "Update Dog[2].age = 3 (default)", "Update Dog[2].friend = →Dog[1]",
                "AddInteger Dog[2].age -2",
            ])
    }

    @Test(.behaviour("Y06")) func aNegativeZeroReplacesAZero() throws {
        let kennel = try Kennel()
        let (dog, rex) = (kennel.dog, kennel.rex)
        for name in ["weight", "any"] {
            let column = try kennel.column(name)
            _ = try kennel.recorded { try $0.set(.double(0), column, of: rex, in: dog) }
            let lines = try kennel.recorded { try $0.set(.double(-0.0), column, of: rex, in: dog) }
            #expect(lines == ["Update Dog[1].\(name) = -0.0"])
            let stored = try kennel.client.database.snapshot().table(dog)?.value(column, of: rex)
            guard case .double(let number) = stored else { throw Failure("\(name) is no number") }
            #expect(number == 0 && number.sign == .minus)
        }
    }

    @Test func embeddedObjects() throws {
        let kennel = try Kennel()
        let (dog, rex) = (kennel.dog, kennel.rex)
        let lines = try kennel.recorded { transaction in
            let chip = try #require(try transaction.table(named: "class_Chip"))
            let code = try #require(chip.column(named: "code")).key
            _ = try transaction.links.createEmbedded(kennel.column("chip"), of: rex, in: dog)
            let second = try transaction.links.createEmbedded(kennel.column("chip"), of: rex, in: dog)
            try transaction.set(.string("a"), code, of: second, in: chip.key)
            let third = try transaction.list(kennel.column("chips"), of: rex, in: dog).createEmbedded(at: 0)
            _ = try transaction.list(kennel.column("chips"), of: rex, in: dog).createEmbedded(at: 0)
            try transaction.set(.string("b"), code, of: third, in: chip.key)
            let fourth = try transaction.dictionary(kennel.column("named"), of: rex, in: dog).createEmbedded(
                forKey: "k")
            try transaction.set(.string("c"), code, of: fourth, in: chip.key)
            try transaction.removeObject(third, from: chip.key)
        }
        #expect(
            lines == [
                "Update Dog[1].chip = object", "Update Dog[1].chip = null", "Update Dog[1].chip = object",
                "Update Dog[1].chip[\"code\"] = \"a\"", "ArrayInsert Dog[1].chips[0] of 0 = object",
                "ArrayInsert Dog[1].chips[0] of 1 = object", "Update Dog[1].chips[1][\"code\"] = \"b\"",
                "Update Dog[1].named[\"k\"] = null", "Update Dog[1].named[\"k\"] = object",
                "Update Dog[1].named[\"k\"][\"code\"] = \"c\"", "ArrayErase Dog[1].chips[1] of 2",
            ])
    }

    @Test func theValuesOfANewEmbeddedObjectAreRecordedAsAssignments() throws {
        let kennel = try Kennel()
        let (dog, rex) = (kennel.dog, kennel.rex)
        let lines = try kennel.recorded { transaction in
            let chip = try #require(try transaction.table(named: "class_Chip"))
            let code = try #require(chip.column(named: "code")).key
            func values(_ text: String) -> RowValues { RowValues([code: .string(text)]) }
            _ = try transaction.links.createEmbedded(kennel.column("chip"), of: rex, in: dog, values("a"))
            _ = try transaction.list(kennel.column("chips"), of: rex, in: dog).createEmbedded(at: 0, values("b"))
            let named = try kennel.column("named")
            let child = try transaction.dictionary(named, of: rex, in: dog).createEmbedded(forKey: "k", values("c"))
            #expect(try chip.value(code, of: child) == .string("c"))
        }
        #expect(
            lines == [
                "Update Dog[1].chip = object", "Update Dog[1].chip[\"code\"] = \"a\"",
                "ArrayInsert Dog[1].chips[0] of 0 = object", "Update Dog[1].chips[0][\"code\"] = \"b\"",
                "Update Dog[1].named[\"k\"] = null", "Update Dog[1].named[\"k\"] = object",
                "Update Dog[1].named[\"k\"][\"code\"] = \"c\"",
            ])
    }

    @Test func removalsRecordTheirEffects() throws {
        let kennel = try Kennel()
        let (dog, rex) = (kennel.dog, kennel.rex)
        let lines = try kennel.recorded { transaction in
            let other = try transaction.createObject(in: dog, [try kennel.column("_id"): .int(2)])
            try transaction.set(.link(other), kennel.column("friend"), of: rex, in: dog)
            for _ in 0..<2 { try transaction.list(at: kennel.path("pack")).insert(.link(other), at: 0) }
            try transaction.set(
                .typedLink(ObjectLink(table: dog, object: other)), kennel.column("any"), of: rex, in: dog)
            try transaction.removeObject(other, from: dog)
        }
        #expect(
            Set(lines.suffix(5)) == [
                "Update Dog[1].friend = null", "ArrayErase Dog[1].pack[1] of 2", "ArrayErase Dog[1].pack[0] of 1",
                "Update Dog[1].any = null", "EraseObject Dog[2]",
            ], "\(lines)")
        #expect(lines.last == "EraseObject Dog[2]")
    }

    /// Avoids two faults of the original's merge: no instruction creates a list where one exists.
    @Test func nestedCollections() throws {
        let kennel = try Kennel()
        let path = try kennel.path("any")
        let lines = try kennel.recorded { transaction in
            try transaction.setCollection(.list, at: path)
            try transaction.setCollection(.list, at: path)
            try transaction.list(at: path).insert(contentsOf: [.int(1), .int(2), .int(3)], at: 0)
            try transaction.list(at: path).swap(0, 2)
            try transaction.setCollection(.dictionary, at: path.appending(.index(1)))
            try transaction.dictionary(at: path.appending(.index(1))).set(.int(9), forKey: "k")
            try transaction.dictionary(at: path.appending(.index(1))).erase("k")
            try transaction.list(at: path).clear()
            try transaction.list(at: path).clear()
        }
        #expect(
            lines == [
                "Update Dog[1].any = list", "ArrayInsert Dog[1].any[0] of 0 = 1", "ArrayInsert Dog[1].any[1] of 1 = 2",
                "ArrayInsert Dog[1].any[2] of 2 = 3", "ArrayMove Dog[1].any[2] of 3 to 0",
                "ArrayMove Dog[1].any[1] of 3 to 2", "Update Dog[1].any[1] of 3 = dictionary",
                "Update Dog[1].any[1][\"k\"] = 9", "Update Dog[1].any[1][\"k\"] = erased", "Clear Dog[1].any (list)",
            ])
    }

    @Test func changesWithoutAnInstructionAreRejected() throws {
        let kennel = try Kennel()
        let (dog, age) = (kennel.dog, try kennel.column("age"))
        let changes: [(WriteTransaction) throws -> Void] = [
            { try $0.schema.renameColumn(age, of: dog, to: "years") },
            { _ = try $0.schema.setNullable(true, age, of: dog) }, { try $0.schema.setPrimaryKey(nil, of: dog) },
            { transaction in
                let table = try transaction.schema.addTable("class_Keyless")
                _ = try transaction.createObject(in: table)
            },
        ]
        for change in changes {
            #expect(throws: StorageError.self) { try kennel.client.database.write(change) }
        }
        #expect(try kennel.recorded { _ = try $0.schema.addTable("internal") } == [])
    }

    /// Objects of asymmetric classes are for the server only.
    @Test func asymmetricObjectsAreRemovedByTheCommit() throws {
        let kennel = try Kennel()
        let lines = try kennel.recorded { transaction in
            let table = try transaction.schema.addTable("class_Event", kind: .asymmetric)
            let key = try transaction.schema.addColumn("_id", .int, to: table)
            try transaction.schema.setPrimaryKey(key, of: table)
            _ = try transaction.createObject(in: table, [key: .int(4)])
        }
        #expect(lines == ["AddTable Event (asymmetric, primary key _id: int)", "CreateObject Event[4]"])
        #expect(try kennel.client.database.snapshot().table(named: "class_Event")?.count() == 0)
    }
}
