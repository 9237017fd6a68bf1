// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Test folders mirror sources: the tests of `Sources/FLOOR/MODULE/FOLDER` are in `Tests/FLOOR/MODULETests/FOLDER`.
@Suite struct TestFolderTests {
    /// Test folders without a folder of sources, and their content.
    private static let others = [
        "Support": "fixtures, models and helpers that several suites use",
        "Guide": "the examples of the documentation",
        "Apps": "what apps do that were written for the original",
        "EngineAnswers": "whole queries: the original's answers, those of a naive evaluator, its files",
        "Hostile": "damaged files and random texts",
        "Examples": "the programs of Examples",
        "Hosted": "views in the SwiftUI of the platform",
    ]

    @Test func testsLieWhereTheirSourcesLie() throws {
        let sources = Places(try SourceFile.all(in: ["Sources"]))
        let found = try SourceFile.all(in: ["Tests"]).compactMap { sources.complaint(about: $0.path) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// The test itself detects a test in the wrong folder, in a folder without sources, and outside of folders.
    @Test(arguments: [
        ("Tests/F/MTests/Low/ATests.swift", true), ("Tests/F/MTests/Low/AnyTests.swift", true),
        ("Tests/F/MTests/Support/Model.swift", true), ("Tests/F/MTests/Guide/Articles/Page.swift", true),
        ("Tests/F/OtherTests/X/ATests.swift", true),
        ("Tests/F/MTests/High/ATests.swift", false), ("Tests/F/MTests/Middle/ANewTests.swift", false),
        ("Tests/F/MTests/ATests.swift", false), ("Tests/F/MTests/Support/ATests.swift", false),
    ]) func aWrongPlaceIsFound(_ path: String, isRight: Bool) {
        let sources = Places([
            SourceFile(path: "Sources/F/M/Low/A.swift", lines: []),
            SourceFile(path: "Sources/F/M/Low/A+More.swift", lines: []),
            SourceFile(path: "Sources/F/M/High/B.swift", lines: []),
        ])
        #expect((sources.complaint(about: path) == nil) == isRight)
    }

    /// The folders of modules, and those that contain the files of each type.
    private struct Places {
        private var folders: [String: Set<String>] = [:]
        /// The folders of each type with its own files, by module, a dot, and the type.
        private var types: [String: Set<String>] = [:]

        init(_ sources: [SourceFile]) {
            for file in sources {
                guard let place = Place(file.path) else { continue }
                folders[place.module, default: []].insert(place.folder)
                types[place.module + "." + place.name, default: []].insert(place.folder)
            }
        }

        func complaint(about path: String) -> String? {
            guard var place = Place(path), place.module.hasSuffix("Tests") else { return nil }
            place.module.removeLast("Tests".count)
            guard let folders = folders[place.module] else { return nil }
            if place.name.hasSuffix("Tests"),
                let folders = types[place.module + "." + place.name.dropLast("Tests".count)],
                !folders.contains(place.folder)
            {
                return "\(path) tests what is in \(folders.sorted().joined(separator: ", "))"
            }
            let outermost = String(place.folder.prefix { $0 != "/" })
            if folders.contains(place.folder) || TestFolderTests.others[outermost] != nil { return nil }
            return "\(path): \(place.module) has no such folder"
        }
    }

    private struct Place {
        var module: String
        /// The folder without the file's name. "." for files outside the folders.
        let folder: String
        /// The name of the type: `Cluster` of `Cluster+Insert.swift`.
        let name: String

        init?(_ path: String) {
            let parts = path.split(separator: "/").map { String($0) }
            guard parts.count > 3, let file = parts.last else { return nil }
            module = parts[2]
            folder = parts.count > 4 ? parts[3..<parts.count - 1].joined(separator: "/") : "."
            name = String(file.dropLast(".swift".count).prefix { $0 != "+" })
        }
    }
}
