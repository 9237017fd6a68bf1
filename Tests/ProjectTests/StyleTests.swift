// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// The style rules that the formatter doesn't check (CONTRIBUTING.md, "Style").
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

    @Test func filesHoldOneIdea() throws {
        for file in try SourceFile.all(in: ["Sources"]) {
            #expect(file.lines.count <= 600, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func linesAreShort() throws {
        let found = try complaints(in: ["Sources", "Examples"]) { line, _ in
            line.count > 120 && !line.contains("\"") ? "\(line.count) characters" : nil
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func nothingIsLeftUndone() throws {
        let marks = ["TO" + "DO", "FIX" + "ME", "unimpl" + "emented", "try" + "! ", " as" + "! ", "fatal" + "Error("]
        let found = try complaints(in: ["Sources", "Examples"]) { line, _ in marks.first(where: line.contains) }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// A process, a thread or a caller is a thing and has a name; a documentation comment is self-contained.
    private static let persons = Set(
        "who+ever some+body some+one no+body any+body any+one every+one him+self her+self h+e h+im h+is s+he h+er"
            .split(separator: " ").map { String($0).replacing("+", with: "") })
    private static let phrases = [
        "As " + "above", "the right " + "to write", "for want " + "of", "in the stead " + "of",
    ]

    /// The word or the phrase of a line that plain English does without.
    private func lapse(in line: String) -> String? {
        if let phrase = Self.phrases.first(where: { line.contains($0) }) { return phrase }
        return line.lowercased().split { !$0.isLetter }.map { String($0) }.first { Self.persons.contains($0) }
    }

    @Test func commentsUsePlainEnglish() throws {
        let found = try [".swift", ".js", ".h"].flatMap { suffix in
            try complaints(in: ["Sources", "Tests", "Examples", "Benchmarks/Sources"], suffix) { line, _ in
                let line = line.trimmingPrefix(while: { $0 == " " })
                return line.hasPrefix("//") || line.hasPrefix("*") || line.hasPrefix("/*")
                    ? lapse(in: String(line)) : nil
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// A name is read as its words are.
    @Test func namesUsePlainEnglish() throws {
        let declaration = /\b(?:func|var|let|case|class|struct|enum|actor|protocol|typealias) `?(\w+)/
        let found = try complaints(in: ["Sources", "Tests", "Examples", "Benchmarks/Sources"]) { line, _ in
            line.matches(of: declaration).map { words(of: $0.1) }.joined().first(where: Self.persons.contains)
        }
        #expect(words(of: "whatNo_bodyHolds")[1...] == ["no", "body", "holds"])
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    private func words(of name: Substring) -> [String] {
        name.replacing(/[A-Z]/) { "_\($0.output.lowercased())" }.split(separator: "_").map { String($0) }
    }

    /// But for examples, which are between two fences.
    @Test func documentsUsePlainEnglish() throws {
        let documents = try SourceFile.documents()
        for file in documents {
            var isExample = false
            for (number, line) in file.lines.enumerated() {
                if line.trimmingPrefix(while: { $0 == " " }).hasPrefix("```") { isExample.toggle() }
                if isExample { continue }
                if let word = lapse(in: line) { Issue.record("\(file.path):\(number + 1): \(word)") }
            }
        }
        #expect(documents.count > 40)
    }

    /// The comment of an unchecked Sendable type names the guarded state, and its guard.
    @Test func uncheckedSendabilityIsJustified() throws {
        let words = ["guard", "immutable", "Immutable", "confined", "never change", "lock", "constants", "only"]
        let found = try complaints(in: ["Sources"]) { line, previous in
            guard line.contains("@unchecked " + "Sendable") else { return nil }
            let comment = previous.reversed().prefix {
                $0.hasPrefix("//") || $0.hasPrefix("    //") || $0.hasPrefix("@")
                    || $0.trimmingPrefix(while: { $0 == " " }).hasPrefix("@")
            }
            let isJustified = comment.contains { text in words.contains(where: text.contains) }
            return isJustified ? nil : "unchecked sendability without a reason"
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// Machine paths and build folders have no place in the repository.
    @Test func sourcesNameNoMachine() throws {
        let marks = ["/Users" + "/", "/home" + "/", "/work" + "/"]
        let found = try complaints(in: ["Sources", "Tests", "Examples"]) { line, _ in
            marks.first { line.contains($0) }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
}
