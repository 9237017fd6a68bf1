// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// One contradiction between a file and the format.
package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The offset in the data space of the node concerned, or of the node that names it.
    package let offset: Ref
    /// Part and section of the specification and the items of its conformance checklists: "2:7.3 M39".
    package let rule: String
    /// The table and column being read, "class_Dog.tags"; empty outside of tables.
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

/// Counts of the objects, nodes and bytes that an audit read.
package struct CheckStatistics: Sendable, Equatable {
    package var formatVersion = 0
    /// The version of the audited snapshot.
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

/// The result of an audit.
package struct CheckReport: Sendable {
    /// The first violations, as many as `CheckOptions` keeps.
    package var violations: [Violation] = []
    /// The number of all violations.
    package var violationCount = 0
    /// The number of occurrences of each oddity that readers must accept and writers must not produce (content 13), by
    /// rule.
    package var remnants: [String: Int] = [:]
    package var statistics = CheckStatistics()
    /// The reason why the audit could not begin, if so.
    package var unreadable: String?

    package var isClean: Bool { unreadable == nil && violationCount == 0 }

    /// The first problem of a report that isn't clean.
    package var firstProblem: String { unreadable ?? violations.first?.description ?? "unknown damage" }
}
