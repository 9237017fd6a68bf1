// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@Suite struct DiffCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// People by primary key, with dogs that have none, created in the order of `ids`.
    private func make(
        _ name: String, ids: [Int64], names: [String], _ change: (WriteTransaction) throws -> Void = { _ in }
    )
        throws -> String
    {
        let path = path(name)
        try Database.open(path).write { write in
            let person = try write.schema.addTable("class_Person")
            let id = try write.schema.addColumn("id", .int, to: person)
            let called = try write.schema.addColumn("name", .string, to: person)
            try write.schema.setPrimaryKey(id, of: person)
            let friends = try write.schema.addColumn("friends", .link, .set, target: person, to: person)
            for (number, text) in zip(ids, names) {
                _ = try write.createObject(in: person, [id: .int(number), called: .string(text)])
            }
            let all = try write.require(person)
            let (first, last) = (ids.min() ?? 0, ids.max() ?? 0)
            let least = try #require(try all.object(primaryKey: .int(first)))
            for friend in [last, first] {
                let key = try #require(try all.object(primaryKey: .int(friend)))
                _ = try write.set(friends, of: least, in: person).insert(.link(key))
            }
            try change(write)
        }
        return path
    }

    @Test func objectsAreTheSameByPrimaryKey() throws {
        let first = try make("1.realm", ids: [1, 2, 3], names: ["a", "b", "c"])
        // In another order, so that object keys and the order of the set differ.
        let second = try make("2.realm", ids: [3, 2, 1], names: ["c", "b", "a"])
        let run = ToolRun("diff", first, second)
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(ToolRun("diff", first, second, "--json").output == "{\"differences\":[],\"count\":0}\n")
    }

    @Test func valuesObjectsAndSchemasDiffer() throws {
        let first = try make("1.realm", ids: [1, 2, 3], names: ["a", "b", "c"])
        let second = try make("2.realm", ids: [1, 2, 4], names: ["a", "B", "d"]) { write in
            let person = try #require(try write.table(named: "class_Person"))
            _ = try write.schema.addColumn("age", .int, .nullable, to: person.key)
            _ = try write.schema.addTable("class_Cat")
        }
        let run = ToolRun("diff", first, second)
        #expect(run.status == 1)
        #expect(
            run.output == """
                + property Person.age: Int?
                ~ Person 1  friends: [1,3] → [1,4]
                ~ Person 2  name: "b" → "B"
                - Person 3
                + Person 4
                + class Cat
                6 differences

                """)
        let json = ToolRun("diff", first, second, "--json")
        #expect(json.status == 1)
        let result = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(result?["count"] as? Int == 6)
        #expect(
            json.output.contains(
                #"{"kind":"values","in":"both","class":"Person","object":2,"properties":{"name":["b","B"]}}"#))
    }

    @Test(arguments: Fixture.readable) func everyFileIsEqualToItself(_ fixture: Fixture) throws {
        let run = ToolRun("diff", fixture.path, fixture.path)
        #expect(run.status == 0)
        #expect(run.output == "")
    }
}
