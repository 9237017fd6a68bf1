// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmStorage
import RealmTestSupport
import RealmValues
import Testing

@Suite struct RecordedWriteTests {
    /// The other writer waits for the write lock, and commits as soon as it's released.
    @Test func theChangesOfAWriteContainNoneOfAnotherWriter() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shared.realm"
        let database = try Database.open(path)
        let (table, column) = try database.write { write in
            let table = try write.schema.addTable("class_Item")
            return (table, try write.schema.addColumn("number", .int, to: table))
        }
        let objects = try database.write { write in
            try (0..<2).map { _ in try write.createObject(in: table) }
        }
        let (rounds, group) = (300, DispatchGroup())
        let other = try Database.open(path)
        DispatchQueue.global().async(group: group) {
            for round in 0..<rounds {
                try? other.write { try $0.set(.int(Int64(round)), column, of: objects[1], in: table) }
            }
        }
        for round in 1...rounds {
            let changes = try database.recordedWrite(label: "test") { write, _ in
                try write.set(.int(Int64(-round)), column, of: objects[0], in: table)
            }.changes
            #expect(changes.tables[table]?.modified == [objects[0]: [column]])
            #expect(changes.new.version == changes.old.version + 1)
        }
        group.wait()
        let version = try database.snapshot()
        let number = try version.table(table)?.value(column, of: objects[1])
        #expect(number == .int(Int64(rounds - 1)), "the other writer has failed")
    }
}
