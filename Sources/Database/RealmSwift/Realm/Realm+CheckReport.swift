// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck

extension Realm {
    /// The result of `Realm.check(fileAt:encryptionKey:)`. An addition to Realm's API.
    public struct CheckReport: Sendable, Hashable, CustomStringConvertible {
        /// A violation of the file format: damage, at which a read may fail or return a wrong value.
        public struct Violation: Sendable, Hashable, CustomStringConvertible {
            /// The offset of the damaged structure in the file's data, in bytes; nil if the damage prevents the audit
            /// of the whole file.
            public let offset: UInt64?
            /// The table and column, such as `class_Dog.tags`; empty outside of tables.
            public let location: String
            /// A description of the damage.
            public let message: String
            /// The violation as text, with its offset and the violated rule of the format's specification.
            public let description: String

            init(_ violation: RealmCheck.Violation) {
                offset = UInt64(violation.offset)
                location = violation.place
                message = violation.message
                description = violation.description
            }

            init(unreadable reason: String) {
                (offset, location, message, description) = (nil, "", reason, reason)
            }
        }

        /// The first violations in the order of the audit; empty if the file is valid.
        public let violations: [Violation]
        /// The number of all violations.
        public let violationCount: Int

        /// A Boolean value that indicates whether the file is valid.
        public var isClean: Bool { violationCount == 0 }

        private let file: URL

        init(_ report: RealmCheck.CheckReport, _ file: URL) {
            self.file = file
            let unreadable = report.unreadable.map { [Violation(unreadable: $0)] } ?? []
            violations = unreadable + report.violations.map(Violation.init)
            violationCount = unreadable.count + report.violationCount
        }

        /// Does nothing if the file is valid.
        ///
        /// - Throws: `Realm.Error.invalidDatabase`, which names the file and describes the first violation.
        public func requireClean() throws {
            guard let first = violations.first else { return }
            let others = violationCount > 1 ? " (and \(violationCount - 1) more)" : ""
            throw Realm.Error(.invalidDatabase, "\(file.path): the file is damaged: \(first)\(others)", fileURL: file)
        }

        /// The violations as text, each on a line.
        public var description: String {
            if isClean { return "no violations" }
            let rest = violationCount - violations.count
            let lines = violations.map(\.description) + (rest > 0 ? ["and \(rest) more"] : [])
            return lines.joined(separator: "\n")
        }
    }
}
