// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmStorage
import RealmSync
import RealmSyncCore
import RealmSystem
import RealmValues

/// Decodes the changesets of a synchronised file. The audit of the file format doesn't cover them.
enum HistoryAudit {
    /// Returns the report with the faults of the history. The history of a file with other faults isn't read.
    static func completed(
        _ report: CheckReport, of path: String, cipher: (any PageCipher)?
    ) throws -> CheckReport {
        guard report.isClean else { return report }
        let file = try OpenFile(path, cipher: cipher)
        guard let top = file.snapshot.top, let history = try StoredHistory(file.snapshot) else { return report }
        var report = report
        let budget = ReadBudget(byteCount: file.byteCount)
        try history.forEachEntry(in: 0..<history.count) { _, entry in
            for bytes in [entry.changeset, { try entry.reciprocal() ?? [] }] {
                do {
                    try decode(bytes(), isOthers: entry.originIdent != 0, budget)
                } catch let fault where !budget.isSpent {
                    report.add("version \(entry.version): \(message(of: fault))", at: try top.history())
                }
            }
            return true
        }
        try file.verifyUnmoved()
        return report
    }

    private static func decode(_ bytes: [UInt8], isOthers: Bool, _ budget: ReadBudget) throws {
        try budget.spend()
        try budget.spend(byteCount: bytes.count)
        _ = try isOthers ? Changeset(decodingSeries: bytes) : Changeset(decoding: bytes)
    }

    private static func message(of error: any Error) -> String { (error as? StorageError)?.message ?? "\(error)" }
}

extension CheckReport {
    fileprivate mutating func add(_ message: String, at root: Ref) {
        violationCount += 1
        violations.append(Violation(offset: root, rule: "1:7.3", place: "history", message: message))
    }
}
