// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// Skipped tests: a clone of the repository alone runs every test, except for those that `skips.txt` counts.
@Suite struct SkipTests {
    /// The code that can skip a test: files outside the repository, and conditions.
    private static let marks = [
        "SharedFiles.path(", "SharedFiles.folder(", "SharedFiles.names(", "OldFile.", "OlderFile.halfUpgraded",
        "Fixture.old",
        "Skip.report(", ".enabled(if:", "@Test(.disabled", "@Suite(.disabled",
    ]

    private static let sources = Result {
        let own = ["Tests/ProjectTests/SkipTests.swift", "Tests/TestSupport/SharedFiles.swift"]
        return try SourceFile.all(in: ["Tests"]).filter { !own.contains($0.path) }
    }

    private static func expected() throws -> [String: Int] {
        let path = SharedFiles.packageRoot + "/Tests/ProjectTests/skips.txt"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return try lines.filter { !$0.hasPrefix("#") }.reduce(into: [:]) { counts, line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let count = Int(parts[0]) else { throw Failure("not `COUNT PATH REASON`: \(line)") }
            counts[String(parts[1])] = count
        }
    }

    private static func isSkip(_ line: String) -> Bool {
        marks.contains { line.containsBytes(of: $0) } && !line.trimmingPrefix(while: { $0 == " " }).hasPrefix("//")
    }

    @Test func everyTestThatCanBeSkippedIsCounted() throws {
        var counts: [String: Int] = [:]
        for file in try Self.sources.get() { counts[file.path] = file.lines.count(where: Self.isSkip) }
        let expected = try Self.expected()
        for path in Set(counts.keys).union(expected.keys).sorted() {
            let (count, limit) = (counts[path] ?? 0, expected[path] ?? 0)
            #expect(count == limit, "\(path) has \(count) places that can skip a test, and skips.txt counts \(limit)")
        }
        #expect(counts.values.reduce(0, +) > 50)
    }

    /// `Scripts/skips` reads the reason.
    @Test func everySkipHasAReason() throws {
        for file in try Self.sources.get() {
            for (number, line) in file.lines.enumerated() {
                let place = "\(file.path):\(number + 1)"
                let isPrinted = line.containsBytes(of: "print(") && line.containsBytes(of: "skip" + "ped")
                #expect(!isPrinted || file.path == "Tests/TestSupport/Skip.swift", "\(place): use Skip.report")
                #expect(
                    !line.containsBytes(of: ".enabled(if:") || line.contains("\")"),
                    "\(place): a condition without a reason")
            }
        }
    }

    @Test func theFixturesAreSmallAndUnpack() throws {
        let folder = SharedFiles.packageRoot + "/Tests/Fixtures"
        let sizes = try FileManager.default.subpathsOfDirectory(atPath: folder).map {
            try FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.size] as? Int ?? 0
        }
        #expect(sizes.reduce(0, +) < 25_000_000)
        #expect(Fixtures.folders.count == 13)
        for name in Fixtures.folders {
            #expect(try !FileManager.default.contentsOfDirectory(atPath: Fixtures.folder(name)).isEmpty, "\(name)")
        }
    }
}
