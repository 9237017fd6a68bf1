// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

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
        let complaints = output.split(separator: "\n").filter { !isMistaken($0) }
        guard output.isEmpty || !complaints.isEmpty else { return }
        throw Failure("realmcheck.py ended with \(status):\n\(output.prefix(2000))")
    }

    /// The checker has an unresolved link in Mixed filed under null, as it must be (content 9.1), but wants the list of
    /// nulls in the order of the links: they are all null there, and the keys decide. The audit checks every list.
    private static func isMistaken(_ complaint: Substring) -> Bool {
        complaint.hasSuffix("index list is not ordered by value and key")
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
