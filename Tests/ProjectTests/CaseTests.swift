// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// Names that differ only in case, which are one file on a case-insensitive disk such as a Mac's.
struct CaseTests {
    @Test func noTwoTrackedPathsAreEqualWithoutCase() throws {
        let files = try trackedFiles()
        guard !files.isEmpty else { return Skip.report("this isn't a git repository") }
        #expect(files.contains("Package.swift"))
        var paths: Set<String> = []
        for file in files {
            let parts = file.split(separator: "/")
            for count in 1...parts.count { paths.insert(parts.prefix(count).joined(separator: "/")) }
        }
        #expect(collisions(paths) == [])
    }

    /// The compiler's outputs of all targets are in one folder: `NAME.build`, `NAME.swiftmodule`.
    @Test func noTwoTargetsAreEqualWithoutCase() throws {
        let manifest = try String(contentsOfFile: SharedFiles.packageRoot + "/Package.swift", encoding: .utf8)
        // An entry of the manifest's tables: "Sources/Engine/RealmStorage": "…", or "Examples/Chat chat": "…".
        let target = /(?m)^\s*"[\w\/-]+[\/ ]([\w-]+)":/
        let names = manifest.matches(of: target).map { String($0.1) }
        #expect(names.contains("RealmCommand") && names.contains("chat") && names.count > 70)
        #expect(collisions(names) == [])
        #expect(collisions(["Realm", "RealmSwift", "realm"]) == ["realm"])
    }

    /// The lowercase names that several names have.
    private func collisions(_ names: some Sequence<String>) -> [String] {
        var spellings: [String: Set<String>] = [:]
        for name in names { spellings[name.lowercased(), default: []].insert(name) }
        return spellings.filter { $0.value.count > 1 }.keys.sorted()
    }

    private func trackedFiles() throws -> [String] {
        let git = try FinishedProgram("git", ["-C", SharedFiles.packageRoot, "ls-files", "-z"])
        guard git.status == 0 else { return [] }
        return git.output.split(separator: "\0").map(String.init)
    }
}
