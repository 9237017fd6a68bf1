// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// The tests of the numbered behaviours of the API (`B-001` …) and of the rows of the compatibility reviews (`S09`,
/// `T16`), read from the trait `.behaviour` of the tests. `behaviours-left.txt` in this folder gives the reasons for
/// the others.
struct BehaviourTable {
    struct Test: Comparable {
        let name: String
        let path: String

        static func < (a: Test, b: Test) -> Bool { (a.path, a.name) < (b.path, b.name) }
    }

    /// A row of a compatibility review, such as `S9`, which tests may write `S09`.
    struct Row: Comparable, Hashable {
        let letter: String
        let number: Int

        var text: String { letter + (number < 10 ? "0" : "") + "\(number)" }

        static func < (a: Row, b: Row) -> Bool { (a.letter, a.number) < (b.letter, b.number) }
    }

    struct Gap {
        let numbers: ClosedRange<Int>
        let reason: String
    }

    static let last = 585

    private(set) var tests: [Int: [Test]] = [:]
    private(set) var rows: [Row: [Test]] = [:]
    private(set) var gaps: [Gap] = []

    init() throws {
        for file in try SourceFile.all(in: ["Tests"]) {
            for (name, references) in Self.references(file.lines.joined(separator: "\n")) {
                let test = Test(name: name, path: file.path)
                for number in references.flatMap(Self.numbers) { tests[number, default: []].append(test) }
                for row in references.compactMap(Self.row) { rows[row, default: []].append(test) }
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

    private static func references(_ text: String) -> [(name: String, references: [String])] {
        guard text.containsBytes(of: ".behaviour(") else { return [] }
        return text.matches(of: /\.behaviour\(([^)]*)\)(?:(?!\.behaviour)[\s\S])*?func (\w+)/).map { match in
            (String(match.2), match.1.matches(of: /"([^"]*)"/).map { String($0.1) })
        }
    }

    /// The numbers of `B-403`, or `B-393 to B-399`. Empty for a row of a review.
    private static func numbers(_ reference: String) -> [Int] {
        let ends = reference.matches(of: /B-(\d{3})/).compactMap { Int($0.1) }
        guard let first = ends.first, let last = ends.last else { return [] }
        return Array(first...last)
    }

    /// The row of a review, such as `S26`. Nil for a numbered behaviour.
    private static func row(_ reference: String) -> Row? {
        guard let match = reference.wholeMatch(of: /([A-Z])(\d{1,3})/), let number = Int(match.2) else { return nil }
        return Row(letter: String(match.1), number: number)
    }

    func gap(_ number: Int) -> Gap? { gaps.first { $0.numbers.contains(number) } }

    /// The expected text of `Documentation/Compatibility/Behaviours.md`: its sentences, each with its evidence, and the
    /// table of rows.
    func document(_ old: String) -> String {
        let sentences = old.components(separatedBy: Self.rowsTitle)[0].components(separatedBy: "\n")
            .filter { !$0.hasPrefix(Self.evidenceMark) }
        let lines = sentences.flatMap { line -> [String] in
            guard let match = line.firstMatch(of: /^- \*\*B-(\d{3})\*\*/), let number = Int(match.1) else {
                return [line]
            }
            return [line, Self.evidenceMark + evidence(number)]
        }
        let text = lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
        return text + "\n\n" + Self.rowsTitle + rowsTable
    }

    private static let evidenceMark = "  ▸ "
    private static let rowsTitle = "## Rows of the compatibility reviews and their tests\n"

    private func evidence(_ number: Int) -> String {
        guard let tests = tests[number] else { return "no test: " + (gap(number)?.reason ?? "no reason given") }
        return tests.sorted().map(Self.link).joined(separator: ", ")
    }

    private var rowsTable: String {
        let lines = rows.sorted { $0.key < $1.key }.map { row, tests in
            "| \(row.text) | \(tests.sorted().map(Self.link).joined(separator: ", ")) |\n"
        }
        return "\n| row | tests |\n|---|---|\n" + lines.joined()
    }

    private static func link(_ test: Test) -> String { "`\(test.name)` (\(test.path.dropFirst("Tests/".count)))" }
}
