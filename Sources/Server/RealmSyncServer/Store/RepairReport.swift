// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The instructions removed by a repair, because no client can apply them.
package struct RepairReport: Sendable {
    package private(set) var count = 0
    /// The first instructions, with the reasons.
    package private(set) var lines: [String] = []

    package static let maximumLineCount = 1000
    private static let maximumLineLength = 400

    mutating func add(_ instruction: Instruction, _ error: StateError) {
        count += 1
        guard lines.count < RepairReport.maximumLineCount else { return }
        let text = instruction.description
        lines.append("\(text.prefix(RepairReport.maximumLineLength)): \(error.message)")
    }
}
