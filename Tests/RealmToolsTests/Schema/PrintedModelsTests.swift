// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

/// The classes that `realm schema --swift` prints are handed to the compiler, beside the library they are for.
@Suite struct PrintedModelsTests {
    private static let names: Set = [
        "in-schema", "all-types", "columns-changed", "collections-list", "collections-set", "collections-dictionary",
        "mixed", "nested", "indexes",
    ]

    @Test(arguments: Fixture.readable.filter { names.contains($0.name) })
    func theyCompile(_ fixture: Fixture) throws {
        guard let check = TypeCheck() else { return }
        let complaints = try check.complaints(about: ToolRun("schema", "--swift", fixture.path).output)
        #expect(complaints == "", "\(complaints)")
    }
}
