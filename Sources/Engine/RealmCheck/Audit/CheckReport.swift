// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The offset in the data space of the node concerned, or of the node that refers to it.
    package let offset: Ref
    /// Part and section of the specification and the items of its conformance checklists: "2:7.3 M39".
    package let rule: String
    /// The table and column, such as "class_Dog.tags"; empty outside of tables.
    package let place: String
    package let message: String

    package init(offset: Ref, rule: String, place: String, message: String) {
        self.offset = offset
        self.rule = rule
        self.place = place
        self.message = message
    }

    package var description: String {
        "@\(offset): \(rule): " + (place.isEmpty ? "" : place + ": ") + message
    }
}

package struct CheckStatistics: Sendable, Equatable {
    package var formatVersion = 0
    package var version: UInt64 = 0
    package var logicalByteCount = 0
    package var nodeCount = 0
    package var nodeByteCount = 0
    package var freeBlockCount = 0
    package var freeByteCount = 0
    package var tableCount = 0
    package var objectCount = 0
    package var tombstoneCount = 0
    package var linkCount = 0
    package var changesetCount = 0
}

package struct CheckReport: Sendable {
    /// The first violations, at most `CheckOptions.violationLimit`.
    package var violations: [Violation] = []
    package var violationCount = 0
    /// The number of occurrences, by rule, of each structure that readers must accept and writers must not produce
    /// (content 13).
    package var remnants: [String: Int] = [:]
    package var statistics = CheckStatistics()
    /// The reason why the audit couldn't begin.
    package var unreadable: String?

    package var isClean: Bool { unreadable == nil && violationCount == 0 }

    package var firstProblem: String { unreadable ?? violations.first?.description ?? "unknown damage" }
}
