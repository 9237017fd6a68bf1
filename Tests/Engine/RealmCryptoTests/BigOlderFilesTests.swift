// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmStorage
import RealmTestSupport
import Testing

/// Files of format 9 with a million rows, whose trees have three levels. The expected content is a hash over the JSON
/// text of the only column.
@Suite struct BigOlderFilesTests {
    private struct Dump: Decodable {
        struct Table: Decodable {
            let size: Int
            let columnSha256: [String]
        }
        let tables: [Table]
    }

    private static func hash(_ snapshot: Snapshot) throws -> (text: String, count: Int) {
        let table = try #require(try snapshot.table(named: "class_Big"))
        let column = try #require(table.columns.first)
        let hash = try SHA256()
        var count = 0
        try table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            var text: [UInt8] = []
            for row in 0..<leaf.count {
                text.append(UInt8(ascii: count == 0 ? "[" : ","))
                count += 1
                switch try values.value(at: row) {
                case .int(let value): text += Array(String(value).utf8)
                case .string(let value): text += Array("\"\(value)\"".utf8)
                case .null: text += Array("null".utf8)
                default: throw Failure("neither a number nor a text")
                }
            }
            hash.update(text)
            return true
        }
        hash.update([UInt8(ascii: "]")])
        return (hash.finish().map { String(format: "%02x", $0) }.joined(), count)
    }

    @Test(arguments: ["big-int-3-levels", "big-string-3-levels"])
    func aMillionRowsAreReadAndUpgraded(_ name: String) throws {
        let bytes = try GzipFile.read(Fixtures.path("older/v9/\(name).realm.gz"))
        let json = Fixtures.path("older/v9/\(name).json")
        let dump = try JSONDecoder().decode(Dump.self, from: Data(contentsOf: URL(fileURLWithPath: json)))
        let expected = try #require(dump.tables.first)
        let folder = try TemporaryFolder()
        let path = folder.path + "/big.realm"
        try Images.write(bytes, to: path)
        for isReadOnly in [true, false] {
            let found = try Self.hash(Database.open(path, readOnly: isReadOnly).snapshot())
            #expect(found.count == expected.size && found.text == expected.columnSha256.first)
        }
        #expect(try Images.read(path)[20...21].contains(24))
    }
}
