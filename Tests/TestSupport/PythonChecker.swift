// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

/// The independent checker outside the repository, if it and Python exist.
package enum PythonChecker {
    /// The interpreter and the checker's path, or nil if it can't run, which is reported once.
    private static let command: (python: String, script: String)? = {
        guard let script = SharedFiles.path(.checker, "realmcheck.py") else { return nil }
        // The path of the interpreter itself: the command may be a script that selects a version, and takes as long.
        let question = "import sys; print(sys.executable); sys.exit(sys.version_info < (3, 11))"
        if let run = try? FinishedProgram("python3", ["-c", question]), run.status == 0 {
            return (run.output.filter { $0 != "\n" }, script)
        }
        Skip.report("Python 3.11 is absent")
        return nil
    }()

    /// Throws unless the checker finds the file clean, including remnants. Does nothing if the checker is absent. For
    /// an encrypted file, the checker uses `key`, and `cipher` decrypts the file where the checker may be wrong.
    package static func requireClean(
        path: String, key: [UInt8] = [], cipher: (any PageCipher)? = nil, strict: Bool = true
    ) throws {
        guard let command else { return }
        let digits = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let options = (strict ? ["--strict"] : []) + (key.isEmpty ? [] : ["--key", digits])
        let run = try FinishedProgram(
            command.python, [command.script, "check"] + options + [path], errors: .included)
        let (status, output) = (run.status, run.output)
        guard status != 0 else { return }
        let canLook = key.isEmpty || cipher != nil
        let complaints = try output.split(separator: "\n").filter { try !(canLook && isMistaken($0, of: path, cipher)) }
        guard output.isEmpty || !complaints.isEmpty else { return }
        throw Failure("realmcheck.py ended with \(status):\n\(output.prefix(2000))")
    }

    /// Whether the complaint is about an index of a Mixed column with a value that the checker misreads. The audit
    /// checks such an index correctly.
    private static func isMistaken(
        _ complaint: Substring, of path: String, _ cipher: (any PageCipher)?
    ) throws -> Bool {
        guard let match = complaint.wholeMatch(of: /.* (\S+)\.(.+) index: (index list|list of|number of object) .*/)
        else { return false }
        let snapshot = try Database.open(path, readOnly: true, cipher: cipher).snapshot()
        guard let table = try snapshot.table(named: String(match.1)), let column = table.column(named: String(match.2)),
            column.leafKind == .mixed
        else { return false }
        var isSeen = false
        try table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            isSeen = try (0..<leaf.count).contains { try isMisread(values.value(at: $0)) }
            return !isSeen
        }
        return isSeen
    }

    /// The values that the checker misreads in an index (content 9.1). It sorts unresolved links, which are null, as
    /// links. It considers 0E19 too large for an integer, although zero is one with any exponent.
    private static func isMisread(_ value: StoredValue) -> Bool {
        switch value {
        case .typedLink(let link): link.object.isUnresolved
        case .decimal(let bits): bits.isZero && bits.exponent > 18
        default: false
        }
    }
}

extension FileAudit {
    /// Audits a file twice: by our auditor, and by the independent checker.
    package static func requireCleanTwice(path: String) throws {
        try requireClean(path: path)
        try PythonChecker.requireClean(path: path)
    }
}

extension TestDatabase {
    /// Audits the file twice, as `FileAudit.requireCleanTwice`.
    package func auditTwice() throws { try FileAudit.requireCleanTwice(path: path) }
}
