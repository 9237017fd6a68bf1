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
        let includes = ([modules] + PrintedModelsTests.cModules).flatMap { ["-I", $0] }
        let compiler = ["swiftc", "-typecheck", "-swift-version", "6"] + includes + [file]
        #expect(try ExecutableTests.run("/usr/bin/env", compiler).status == 0)
    }

    /// The folders of the C modules that RealmSwift and its dependencies consist of in part.
    private static var cModules: [String] {
        let build = ExecutableTests.buildFolder.deletingLastPathComponent().deletingLastPathComponent()
        let package = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folders = [build.appendingPathComponent("checkouts"), package.appendingPathComponent("Sources")]
        return folders.flatMap { folder in
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return (files?.allObjects ?? []).compactMap { $0 as? URL }
                .filter { $0.lastPathComponent == "module.modulemap" }
                .map { $0.deletingLastPathComponent().path }
        }
    }
}
