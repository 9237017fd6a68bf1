// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

/// Compiles the classes printed by `realm schema --swift` with their library.
@Suite struct PrintedModelsTests {
    private static let names: Set = [
        "in-schema", "all-types", "columns-changed", "collections-list", "collections-set", "collections-dictionary",
        "mixed", "nested", "indexes",
    ]

    /// In one run of the compiler, which takes longer than everything else.
    @Test func theyCompile() throws {
        guard let check = TypeCheck() else { return }
        let head = "import Foundation\nimport RealmSwift\n\n"
        let files = Fixture.readable.filter { Self.names.contains($0.name) }.enumerated().map { number, fixture in
            let models = ToolRun("schema", "--swift", fixture.path).output
            #expect(models.hasPrefix(head), "\(fixture.name)")
            return "enum File\(number) {\n\(models.dropFirst(head.count))\n}\n"
        }
        #expect(files.count == Self.names.count)
        let complaints = try check.complaints(about: head + files.joined())
        #expect(complaints == "", "\(complaints)")
    }

    /// The wrapper of `id` is stored as `_id`.
    @Test(.behaviour("V03")) func namesThatDifferByAnUnderscoreCompile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        try Database.open(path).write { write in
            let table = try write.schema.addTable("class_A")
            for name in ["_id", "id", "__x", "x", "_x"] { try write.schema.addColumn(name, .int, to: table) }
        }
        let models = ToolRun("schema", "--swift", path).output
        #expect(models.contains("@Persisted var _id: Int\n    @Persisted var id_: Int\n"), "\(models)")
        #expect(models.contains("\"id_\": \"id\","))
        guard let check = TypeCheck() else { return }
        let complaints = try check.complaints(about: models)
        #expect(complaints == "", "\(complaints)")
    }
}
