// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Style rules that the formatter doesn't check (CONTRIBUTING.md, "Style").
@Suite struct StyleTests {
    private static let licence = "// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE."

    private func complaints(
        in folders: [String], _ suffix: String = ".swift",
        _ complaint: (_ line: String, _ previous: ArraySlice<String>) -> String?
    ) throws -> [String] {
        try SourceFile.all(in: folders, suffix).flatMap { file in
            file.lines.indices.compactMap { index in
                complaint(file.lines[index], file.lines[max(0, index - 14)..<index])
                    .map { "\(file.path):\(index + 1): \($0)" }
            }
        }
    }

    @Test func everyFileBeginsWithTheLicenceLineAndEndsWithANewline() throws {
        for file in try SourceFile.all(in: ["Sources", "Tests", "Examples"]) {
            #expect(file.lines.first == Self.licence, "\(file.path)")
            #expect(file.lines.last == "", "\(file.path)")
        }
    }

    @Test func linesAreShort() throws {
        let found = try complaints(in: ["Sources", "Examples"]) { line, _ in
            line.utf8.count > 120 && line.count > 120 && !line.contains("\"") ? "\(line.count) characters" : nil
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func nothingIsLeftUndone() throws {
        let marks = ["TO" + "DO", "FIX" + "ME", "unimpl" + "emented", "try" + "! ", " as" + "! ", "fatal" + "Error("]
        let found = try complaints(in: ["Sources", "Examples"]) { line, _ in
            marks.first { line.containsBytes(of: $0) }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// A summary is a noun phrase or a verb phrase in the third person.
    @Test(arguments: ["Sources", "Tests", "Examples", "Benchmarks/Sources"])
    func documentationCommentsDontOpenWithARelativeClause(_ folder: String) throws {
        let opening = /^ *\/\/\/ (?:What|Where|How|By|Whose|Why)\b/
        let found = try complaints(in: [folder]) { line, previous in
            guard line.containsBytes(of: "/// "), line.prefixMatch(of: opening) != nil else { return nil }
            let isFirst = previous.last?.trimmingPrefix(while: { $0 == " " }).hasPrefix("///") != true
            return isFirst ? line : nil
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// The comment of an unchecked Sendable type names the guarded state, and its guard.
    @Test func uncheckedSendabilityIsJustified() throws {
        let words = ["guard", "immutable", "Immutable", "confined", "never change", "lock", "constants", "only"]
        let found = try complaints(in: ["Sources"]) { line, previous in
            guard line.containsBytes(of: "@unchecked " + "Sendable") else { return nil }
            let comment = previous.reversed().prefix {
                $0.hasPrefix("//") || $0.hasPrefix("    //") || $0.hasPrefix("@")
                    || $0.trimmingPrefix(while: { $0 == " " }).hasPrefix("@")
            }
            let isJustified = comment.contains { text in words.contains(where: text.contains) }
            return isJustified ? nil : "unchecked sendability without a reason"
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func sourcesNameNoMachine() throws {
        let marks = ["/Users" + "/", "/home" + "/", "/work" + "/"]
        let found = try complaints(in: ["Sources", "Tests", "Examples"]) { line, _ in
            marks.first { line.containsBytes(of: $0) }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
}
