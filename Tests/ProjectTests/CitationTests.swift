// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// Citations of the documentation by page and section in comments and tests, such as "container 6.7", "design decision
/// 8", or "§2.7" of the sync protocol, citations of the audit's rules, and links. Each target exists.
@Suite struct CitationTests {
    /// The pages in `Documentation` by their words in comments. The word for the sync protocol is "§".
    private static let pages = [
        "container": "Format/Container.md", "content": "Format/Content.md", "older": "Format/OlderFormats.md",
        "§": "Format/Sync.md", "model": "Compatibility/API/Models.md", "realm": "Compatibility/API/Realms.md",
        "collections": "Compatibility/API/Collections.md", "query": "Compatibility/API/Queries.md",
        "notifications": "Compatibility/API/Notifications.md", "decision": "Decisions.md",
    ]

    /// The numbers of a page's sections, and of the items of numbered lists: `6.7`, and `13.20` for item 20 of 13.
    private static func sections(_ page: String) throws -> Set<String> {
        let path = SharedFiles.packageRoot + "/Documentation/" + page
        var (found, chapter): (Set<String>, String?) = ([], nil)
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            let title = line.drop { $0 == "#" }.drop { $0 == " " }
            if line.hasPrefix("#"), let match = title.prefixMatch(of: /([0-9]+(?:\.[0-9]+)*)[. ]/) {
                chapter = String(match.1)
                found.insert(String(match.1))
            } else if let match = line.prefixMatch(of: /([0-9]+)\.[ ]/) {
                found.insert(chapter.map { $0 + "." + match.1 } ?? String(match.1))
            }
        }
        return found
    }

    /// The pages and sections cited in a line's comment.
    private static func citations(in line: String) -> [(page: String, section: String)] {
        guard line.containsBytes(of: "//"), line.utf8.contains(where: { 0x30...0x39 ~= $0 }),
            let start = line.firstRange(of: "//")
        else { return [] }
        let pattern =
            /\b(container|content|older|model|realm|collections|query|notifications|decision) ([0-9]+(?:\.[0-9]+)*)/
        let comment = line[start.lowerBound...]
        return comment.matches(of: pattern).map { (String($0.1), String($0.2)) }
            + signs(in: comment).map { ("§", $0) }
    }

    /// The sections after a sign: `2.6` and `2.9` of "§2.6, 2.9".
    private static func signs(in text: Substring) -> [String] {
        guard text.contains("§") else { return [] }
        return text.matches(of: /§ ?((?:(?:, | and | to |–)?[0-9]+(?:\.[0-9]+)*)+)/).flatMap { match in
            match.1.matches(of: /[0-9]+(?:\.[0-9]+)*/).map { String($0.output) }
        }
    }

    @Test func everyCitedSectionExists() throws {
        let sections = try Self.pages.mapValues { try Self.sections($0) }
        var count = 0
        for file in try SourceFile.all(in: ["Sources", "Tests", "Examples"]) {
            for (number, line) in file.lines.enumerated() {
                for (page, section) in Self.citations(in: line) {
                    count += 1
                    let exists = sections[page]?.contains(section) == true
                    #expect(exists, "\(file.path):\(number + 1): there is no \(page) \(section)")
                }
            }
        }
        #expect(count > 700)
    }

    /// The pages of the original's API cite their own sections and each other's. All other documents cite the sync
    /// protocol.
    @Test func everySectionThatADocumentCitesExists() throws {
        var count = 0
        for document in try SourceFile.documents() {
            for (number, line) in document.lines.enumerated() where line.containsBytes(of: "§") {
                for match in line.matches(of: /(?:`?(\w+\.md)`? )?(§[^§]*)/) {
                    let page = match.1.map { "Compatibility/API/" + $0 }
                    let own =
                        document.path.hasPrefix("Documentation/Compatibility/") ? document.path.dropFirst(14) : nil
                    let sections = try Self.sections(page ?? own.map { String($0) } ?? "Format/Sync.md")
                    for section in Self.signs(in: match.2) {
                        count += 1
                        #expect(sections.contains(section), "\(document.path):\(number + 1): there is no §\(section)")
                    }
                }
            }
        }
        #expect(count > 5)
    }

    @Test func everyLinkOfADocumentLeadsSomewhere() throws {
        var count = 0
        for document in try SourceFile.documents() {
            let links = MarkdownLinks(document)
            for (target, isImage) in links.targets {
                count += 1
                let fault = try links.fault(of: target, isImage: isImage)
                #expect(fault == nil, "\(document.path): \(target): \(fault ?? "")")
            }
        }
        #expect(count > 80)
    }

    /// The test itself detects a missing file and a missing heading, and doesn't read examples as links.
    @Test func aLinkThatLeadsNowhereIsFound() throws {
        let lines = [
            "# A title: `x`, 2", "[a](#a-title-x-2) [b](../README.md) [c](Sync.md#five", "-minutes)",
            "[d](no.md) [e](#no)",
            "`[f](f.md)`", "```", "[g](g.md)", "```", "[h](https://example.org)",
        ]
        let links = MarkdownLinks(SourceFile(path: "Documentation/Page.md", lines: lines))
        #expect(links.targets.map(\.target) == ["#a-title-x-2", "../README.md", "no.md", "#no"])
        #expect(MarkdownLinks.anchors(lines) == ["a-title-x-2"])
        #expect(try links.fault(of: "../README.md", isImage: false) == nil)
        #expect(try links.fault(of: "Sync.md#five-minutes", isImage: false) == nil)
        #expect(try links.fault(of: "Sync.md#six-minutes", isImage: false) != nil)
        #expect(try links.fault(of: "no.md", isImage: false) != nil)
    }

    /// The rules of the format's two checklists: `R12`, `W3`, `C6` of the container, `M39` of the content.
    private static func rules() throws -> Set<String> {
        func lines(_ page: String) throws -> [String] {
            let path = SharedFiles.packageRoot + "/Documentation/" + page
            return try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        }
        let container = try lines("Format/Container.md").compactMap { line in
            line.prefixMatch(of: /([A-Z][0-9]+)\.[ ]/).map { String($0.1) }
        }
        let checklist = try lines("Format/Content.md").drop { !$0.hasPrefix("## 15.") }
        let content = checklist.compactMap { line in line.prefixMatch(of: /([0-9]+)\.[ ]/).map { "M" + $0.1 } }
        return Set(container + content)
    }

    /// The citation in a violation of the audit, `"2:7.3 M39"`: part, section, rules.
    @Test func everyRuleOfTheAuditExists() throws {
        let (rules, parts) = (
            try Self.rules(), ["1": "Format/Container.md", "2": "Format/Content.md", "3": "Format/OlderFormats.md"]
        )
        let sections = try parts.mapValues { try Self.sections($0) }
        var count = 0
        for file in try SourceFile.all(in: ["Sources/Engine/RealmCheck"]) {
            for (number, line) in file.lines.enumerated() {
                for match in line.matches(of: /"([123]):([0-9]+(?:\.[0-9]+)*)((?: [A-Z][0-9]+)*)"/) {
                    count += 1
                    let exists = sections[String(match.1)]?.contains(String(match.2)) == true
                    let unknown = match.3.split(separator: " ").filter { !rules.contains(String($0)) }
                    let place = "\(file.path):\(number + 1)"
                    #expect(exists && unknown.isEmpty, "\(place): \(match.0) leads nowhere \(unknown)")
                }
            }
        }
        #expect(count > 100 && rules.count > 90)
    }

    @Test func everyPageIsReached() throws {
        for page in Self.pages.values { #expect(try !Self.sections(page).isEmpty, "\(page)") }
    }
}
