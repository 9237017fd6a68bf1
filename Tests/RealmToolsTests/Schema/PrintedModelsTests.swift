// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
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
        let modules = ExecutableTests.buildFolder.appendingPathComponent("Modules").path
        guard FileManager.default.fileExists(atPath: modules + "/RealmSwift.swiftmodule") else {
            print("skipped: RealmSwift was not built beside the tests")
            return
        }
        let folder = try TemporaryFolder()
        let file = folder.path + "/Models.swift"
        try ToolRun("schema", "--swift", fixture.path).output.write(toFile: file, atomically: true, encoding: .utf8)
        let compiler = ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, file]
        #expect(try ExecutableTests.run("/usr/bin/env", compiler).status == 0)
    }
}
