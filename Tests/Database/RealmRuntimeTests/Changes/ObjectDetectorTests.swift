// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import Testing

/// Changes of one object, found from two snapshots.
@Suite struct ObjectDetectorTests {
    @Test func changedColumnsAndTheDeletion() throws {
        let database = try RuntimeDatabase().host.database
        var transaction = try database.beginWrite()
        let table = try transaction.schema.addTable("class_A")
        let columns = try ["a", "b"].map { try transaction.schema.addColumn($0, .int, to: table) }
        let objects = try (0..<2).map { _ in try transaction.createObject(in: table) }
        try transaction.commit()
        let detector = ObjectDetector(table: table, columns: columns, object: objects[0], filter: nil)

        let first = try database.snapshot(label: "test")
        transaction = try database.beginWrite()
        try transaction.set(.int(1), columns[1], of: objects[0], in: table)
        try transaction.commit()
        let second = try database.snapshot(label: "test")
        let changed = try VersionChanges(from: first, to: second)
        #expect(try detector.mayHaveChanged(changed))
        guard case .properties(let indexes)? = try detector.find(changed).change else {
            Issue.record("no properties")
            return
        }
        #expect(indexes == [1])

        transaction = try database.beginWrite()
        try transaction.set(.int(1), columns[0], of: objects[1], in: table)
        try transaction.commit()
        let third = try database.snapshot(label: "test")
        #expect(try detector.find(VersionChanges(from: second, to: third)).change == nil)

        transaction = try database.beginWrite()
        _ = try transaction.removeObject(objects[0], from: table)
        try transaction.commit()
        let last = try detector.find(VersionChanges(from: third, to: database.snapshot(label: "test")))
        guard case .deleted? = last.change else {
            Issue.record("not deleted")
            return
        }
        #expect(last.isLast)
    }
}
