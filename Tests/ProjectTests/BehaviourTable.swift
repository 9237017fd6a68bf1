// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// Which of the numbered behaviours of the API (`B-001` …) is tested where, read from the names of the test functions.
///
/// A test says what it covers by its name, `B_045_settingALinkToNilKeepsItsTarget` or `B_045_046_…` for two, or by its
/// title.
/// `behaviours-left.txt` beside this file says why the others have no test.
struct BehaviourTable {
    struct Test: Comparable {
        let name: String
        let path: String

        static func < (a: Test, b: Test) -> Bool { (a.path, a.name) < (b.path, b.name) }
    }

    struct Gap {
        let numbers: ClosedRange<Int>
        let reason: String
    }

    /// The chapters, with the first number of each.
    static let chapters: [(first: Int, title: String)] = [
        (1, "Object models"), (41, "Relationships"), (82, "Enums and custom types"), (100, "Mixed values"),
        (113, "Decimal128 and ObjectId"), (128, "Geospatial values"), (137, "Unmanaged objects"),
        (147, "Adding and creating"), (173, "Updating"), (184, "Deleting"), (193, "Opening and files"),
        (229, "Transactions"), (246, "Asynchronous writes"), (259, "Fetching"),
        (276, "Refreshing, invalidating, freezing"), (293, "Hand-over between threads"), (302, "Actors"),
        (316, "Lists"), (338, "Sets"), (347, "Maps"), (360, "Sorting, distinct, aggregates"),
        (374, "Sectioned results"), (383, "Projections"), (393, "Typed queries"), (422, "Predicate strings"),
        (471, "Notifications of collections"), (499, "Notifications of objects"), (509, "Notifications of Realms"),
        (513, "Publishers"), (521, "SwiftUI"), (545, "Migration"), (569, "Codable"), (577, "Logging and the rest"),
    ]
    static let last = 585

    private(set) var tests: [Int: [Test]] = [:]
    private(set) var gaps: [Gap] = []

    init() throws {
        for file in try SourceFile.all(in: ["Tests"]) {
            for line in file.lines {
                guard let (name, numbers) = Self.numberedTest(line) else { continue }
                for number in numbers { tests[number, default: []].append(Test(name: name, path: file.path)) }
            }
        }
        let left = SharedFiles.packageRoot + "/Tests/ProjectTests/behaviours-left.txt"
        for line in try String(contentsOfFile: left, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#")
        {
            guard let match = line.firstMatch(of: /^(\d{3})(?:-(\d{3}))? (.+)$/), let first = Int(match.1) else {
                throw Failure("behaviours-left.txt: not `number reason` or `first-last reason`: \(line)")
            }
            gaps.append(Gap(numbers: first...(match.2.flatMap { Int($0) } ?? first), reason: String(match.3)))
        }
    }

    /// The function that a line declares, and the behaviours that its name or its title gives: `B_045_046_…` or
    /// `@Test("B-420, B-421: …") func …`.
    private static func numberedTest(_ line: String) -> (name: String, numbers: [Int])? {
        if let match = line.firstMatch(of: /func (B((?:_\d{3})+)_\w+)/) {
            return (String(match.1), match.2.split(separator: "_").compactMap { Int($0) })
        }
        guard let match = line.firstMatch(of: /@Test\("((?:B-\d{3},? ?)+):.*func (\w+)/) else { return nil }
        return (String(match.2), match.1.matches(of: /B-(\d{3})/).compactMap { Int($0.1) })
    }

    func gap(_ number: Int) -> Gap? { gaps.first { $0.numbers.contains(number) } }

    /// The table as it stands in `Tests/BEHAVIOURS.md`.
    var text: String {
        var text = """
            # Numbered behaviours and their tests

            Written by `Scripts/behaviours` from the names of the tests, and compared with them by `swift test`. The
            numbers are those of the API's list of behaviours. \(tests.count) of \(Self.last) have a test.

            """
        for (index, chapter) in Self.chapters.enumerated() {
            let end = index + 1 < Self.chapters.count ? Self.chapters[index + 1].first - 1 : Self.last
            let numbers = chapter.first...end
            let covered = numbers.filter { tests[$0] != nil }.count
            text += "\n## \(chapter.title): \(covered) of \(numbers.count)\n\n"
            text += numbers.contains { tests[$0] != nil } ? "| behaviour | test | file |\n|---|---|---|\n" : ""
            for number in numbers {
                for test in (tests[number] ?? []).sorted() {
                    text += "| \(Self.label(number)) | `\(test.name)` | \(test.path.dropFirst("Tests/".count)) |\n"
                }
            }
            text += gapText(numbers)
        }
        return text
    }

    private func gapText(_ numbers: ClosedRange<Int>) -> String {
        var lines: [(reason: String, numbers: [Int])] = []
        for number in numbers where tests[number] == nil {
            let reason = gap(number)?.reason ?? "no reason given"
            if lines.last?.reason == reason {
                lines[lines.count - 1].numbers.append(number)
            } else {
                lines.append((reason, [number]))
            }
        }
        guard !lines.isEmpty else { return "" }
        return "\nWithout a test:\n"
            + lines.map { "- \($0.numbers.map(Self.label).joined(separator: ", ")): \($0.reason)\n" }.joined()
    }

    private static func label(_ number: Int) -> String {
        "B-" + String(repeating: "0", count: 3 - String(number).count) + String(number)
    }
}
