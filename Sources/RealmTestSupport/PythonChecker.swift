// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// The independent checker beside the repository, where it and Python exist.
public enum PythonChecker {
    /// The checker's path, or nil where it cannot run; says so once.
    private static let script: String? = {
        guard let path = SharedFiles.path("tools/realmcheck.py"), FileManager.default.fileExists(atPath: path),
            (try? run(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]))?.status == 0
        else {
            print("skipped: realmcheck.py or Python 3.11 is absent")
            return nil
        }
        return path
    }()

    public static var isAvailable: Bool { script != nil }

    /// Throws unless the checker finds the file clean, remnants included; returns at once where it is absent.
    public static func requireClean(path: String, key: [UInt8] = [], strict: Bool = true) throws {
        guard let script else { return }
        let digits = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let options = (strict ? ["--strict"] : []) + (key.isEmpty ? [] : ["--key", digits])
        let (status, output) = try run([script, "check"] + options + [path])
        guard status != 0 else { return }
        let complaints = try output.split(separator: "\n").filter { try !(key.isEmpty && isMistaken($0, of: path)) }
        guard output.isEmpty || !complaints.isEmpty else { return }
        throw Failure("realmcheck.py ended with \(status):\n\(output.prefix(2000))")
    }

    /// The checker has an unresolved link in Mixed filed under null, as it must be (content 9.1), but wants the list of
    /// nulls in the order of the links: they are all null there, and the keys decide. So this complaint says nothing of
    /// a Mixed column with such a link; the audit checks the order there.
    private static func isMistaken(_ complaint: Substring, of path: String) throws -> Bool {
        guard let match = complaint.wholeMatch(of: /.* (\S+)\.(\S+) index: index list is not ordered by value and key/)
        else { return false }
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        guard let table = try snapshot.table(named: String(match.1)), let column = table.column(named: String(match.2)),
            column.leafKind == .mixed
        else { return false }
        var hasUnresolvedLink = false
        try table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count {
                guard case .typedLink(let link) = try values.value(at: row) else { continue }
                hasUnresolvedLink = hasUnresolvedLink || link.object.isUnresolved
            }
            return !hasUnresolvedLink
        }
        return hasUnresolvedLink
    }

    private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
