// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The version, which the changelog, the tool, README, and the guides state.
@Suite struct VersionTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: SharedFiles.packageRoot + "/" + path, encoding: .utf8)
    }

    /// The versions of the changelog, the newest first.
    private static func versions() throws -> [String] {
        try text("CHANGELOG.md").matches(of: /(?m)^## (\d+\.\d+\.\d+)$/).map { String($0.1) }
    }

    @Test func theChangelogOpensWithTheUnreleasedChanges() throws {
        let titles = try Self.text("CHANGELOG.md").matches(of: /(?m)^## (.+)$/).map { String($0.1) }
        #expect(titles.first == "Unreleased")
        #expect(try Array(titles.dropFirst()) == Self.versions())
        let numbers = try Self.versions().map { $0.split(separator: ".").compactMap { Int($0) } }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1.lexicographicallyPrecedes($0) })
    }

    @Test(arguments: ["Tools/RealmTools/RealmTool", "Server/RealmSyncServer/RealmServer"])
    func theProgramsPrintTheNewestVersion(_ file: String) throws {
        let text = try Self.text("Sources/\(file).swift")
        let program = try #require(text.firstMatch(of: /static let version = "(.*)"/))
        #expect(try String(program.1) == Self.versions().first)
    }

    @Test func everyDocumentAddsThePackageInTheNewestVersion() throws {
        let newest = try #require(Self.versions().first)
        var pages: Set<String> = []
        for document in try SourceFile.documents() {
            for (index, line) in document.lines.enumerated() where line.contains("/Regnum\", ") {
                #expect(line.contains("/Regnum\", from: \"\(newest)\""), "\(document.path):\(index + 1)")
                pages.insert((document.path as NSString).lastPathComponent)
            }
        }
        #expect(pages.isSuperset(of: ["README.md", "Sync.md", "GettingStarted.md"]))
    }

    /// The notes are the section of the version, and nothing of another.
    @Test func theReleaseTakesItsNotesFromTheChangelog() throws {
        let newest = try #require(Self.versions().first)
        let sections = try Self.text("CHANGELOG.md").components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix(newest + "\n") })
        let release = try Self.release("--dry-run")
        let written = section.dropFirst(newest.count).trimmingCharacters(in: .newlines)
        #expect(release.status == 0 && release.output == "Regnum \(newest)\n\n\(written)\n")
        #expect(try Self.release("--wet-run").status == 2)
    }

    private static func release(_ argument: String) throws -> FinishedProgram {
        try FinishedProgram(SharedFiles.packageRoot + "/Scripts/release", [argument])
    }
}
