// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The suites with servers run on both stores, except for those that CONTRIBUTING.md lists.
@Suite struct StoreSuiteTests {
    private static let folders = ["Tests/Server/RealmSyncServerTests", "Tests/Sync/RealmSwiftSyncTests"]
    /// The types of tests that start servers on the store of `REGNUM_TEST_STORE`.
    private static let servers = ["TestServer", "SyncedServer", "SubscribedClient", "DocumentScene", "TestDatabases"]

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: SharedFiles.packageRoot + "/" + path, encoding: .utf8)
    }

    private static func suites(in text: some StringProtocol) -> Set<String> {
        Set(text.split(whereSeparator: { !$0.isLetter }).map { String($0) }.filter { $0.first?.isUppercase == true })
    }

    @Test func eachSuiteWithServersRunsOnPostgreSQLOrIsListed() throws {
        let script = try Self.text("Scripts/test-postgres")
        let begin = try #require(script.range(of: "suites='")?.upperBound)
        let end = try #require(script.range(of: "; do", range: begin..<script.endIndex)?.lowerBound)
        let run = Self.suites(in: script[begin..<end])
        let page = try Self.text("CONTRIBUTING.md")
        let title = try #require(page.range(of: "These suites have servers and don't run there:")?.upperBound)
        let last = try #require(page.range(of: "\n\n", range: title..<page.endIndex)?.lowerBound)
        let listed = Self.suites(
            in: page[title..<last].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
                .map(\.element).joined(separator: " "))
        var found: Set<String> = []
        for file in try SourceFile.all(in: Self.folders) where file.path.hasSuffix("Tests.swift") {
            guard Self.servers.contains(where: { name in file.lines.contains { $0.containsBytes(of: name) } }) else {
                continue
            }
            let name = (file.path as NSString).lastPathComponent.replacingOccurrences(of: "Tests.swift", with: "")
            found.insert(name)
            #expect(
                run.contains(name) != listed.contains(name), "\(file.path): on PostgreSQL, or listed in CONTRIBUTING.md"
            )
        }
        #expect(found.count > 30)
        #expect(listed.subtracting(found).isEmpty)
    }
}
