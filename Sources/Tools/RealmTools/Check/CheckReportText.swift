// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmValues

/// The output of `realm check`. Its lines resemble those of the format's independent checker.
struct CheckReportText {
    private let report: CheckReport
    private let path: String
    private let file: String

    init(_ report: CheckReport, path: String) {
        self.report = report
        self.path = path.printable
        file = path
    }

    var json: JSONText {
        JSONText.object { json in
            json.member("file", file)
            json.member("clean", report.isClean)
            json.member("violationCount", report.violationCount)
            json.member("violations", report.violations) { json, violation in
                json.object {
                    $0.member("offset", violation.offset)
                    $0.member("rule", violation.rule)
                    $0.member("place", violation.place)
                    $0.member("message", violation.message)
                }
            }
            addStatistics(to: &json)
        }
    }

    private func addStatistics(to json: inout JSONText) {
        let facts = report.statistics
        for (name, count) in [
            ("formatVersion", facts.formatVersion), ("tables", facts.tableCount), ("objects", facts.objectCount),
            ("nodes", facts.nodeCount),
        ] {
            json.member(name, count)
        }
        json.member("version", max(facts.version, 1))
        json.member("remnants")
        json.object { json in
            for (rule, count) in report.remnants.sorted(by: { $0.key < $1.key }) { json.member(rule, count) }
        }
    }

    var lines: [String] {
        guard !report.isClean else { return [clean] }
        let violations = report.violations.map { "\(path): " + "\($0)".printable }
        let rest = report.violationCount - report.violations.count
        return violations + (rest > 0 ? ["\(path): @0: note: \(rest) more violations"] : [])
    }

    private var clean: String {
        let facts = report.statistics
        // A database without a commit is at version 1.
        let parts = [
            "format \(facts.formatVersion)", "version \(max(facts.version, 1))", "\(facts.tableCount) tables",
            "\(facts.objectCount) objects", "\(facts.nodeCount) nodes",
        ]
        return "\(path): ok: " + parts.joined(separator: ", ") + remnants
    }

    private var remnants: String {
        guard !report.remnants.isEmpty else { return "" }
        let counts = report.remnants.sorted { $0.key < $1.key }.map { "\($0.key) x\($0.value)" }
        return "; remnants: " + counts.joined(separator: ", ")
    }
}
