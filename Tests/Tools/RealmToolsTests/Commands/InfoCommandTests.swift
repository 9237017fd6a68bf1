// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@Suite struct InfoCommandTests {
    @Test func textIsAligned() throws {
        guard let fixture = Fixture.inSchema else { return }
        let expected = """
            file            \(fixture.path)
            format          24, plain form
            version         5
            history         local, 1 changeset
            schema version  7
            file size       131,072 bytes
            logical size    131,072 bytes
            free            56,400 bytes in 52 blocks
            evacuation      idle
            objects         651 in 8 tables

            table           kind       objects  columns  backlinks  indexes
            metadata        top-level        1        1          0
            class_Address   embedded       128        4          2
            class_Company   top-level        6        5          0  _id (primary key), motto (full text)
            class_Dog       top-level      199        9          1  _id (primary key), name
            class_DogClub   top-level        8        4          0  _id (primary key)
            class_DogToy    top-level       20        2          1  _id (primary key)
            class_Employee  top-level      149        8          2  _id (primary key)
            class_Person    top-level      140        6          2  _id (primary key)

            """
        #expect(ToolRun("info", fixture.path).output == expected)
    }

    @Test(arguments: Fixture.readable) func jsonAgreesWithTheDump(_ fixture: Fixture) throws {
        let info = try InfoCommandTests.object(ToolRun("info", "--json", fixture.path).output)
        let dump = try InfoCommandTests.object(fixture.json())
        let file = try #require(dump["file"] as? [String: Any])
        let shared = [
            "formatVersion", "version", "historyType", "historySchemaVersion", "historyEntries", "schemaVersion",
            "fileSize", "logicalFileSize", "freeBlocks", "evacuationPoint",
        ]
        for name in shared { #expect("\(info[name] ?? "absent")" == "\(file[name] ?? "absent")") }
        let tables = try #require(info["tables"] as? [[String: Any]])
        let dumped = try #require(dump["tables"] as? [[String: Any]])
        #expect(tables.map { $0["name"] as? String } == dumped.map { $0["name"] as? String })
        #expect(tables.map { $0["objects"] as? Int } == dumped.map { $0["size"] as? Int })
        #expect(tables.map { $0["columns"] as? Int } == dumped.map { ($0["columns"] as? [Any])?.count })
    }

    @Test func theStateOfTheFileIsDescribedInWords() throws {
        let lines = [
            "empty": "version         none yet", "no-history": "history         none",
            "write-copy": "format          24, streaming form", "evacuating": "evacuation      under way",
            "group-write": "free            not listed in this file",
            "history-held": "history         local, 300 changesets",
        ]
        for fixture in Fixture.all {
            guard let line = lines[fixture.name] else { continue }
            #expect(ToolRun("info", fixture.path).output.contains(line + "\n"))
        }
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
