// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// The links of a Markdown document to files and headings of the repository.
struct MarkdownLinks {
    private let document: SourceFile

    init(_ document: SourceFile) { self.document = document }

    /// The targets of links and images without a scheme, such as `https:` and `doc:`.
    var targets: [(target: String, isImage: Bool)] {
        Self.prose(document.lines).matches(of: /(!?)\[[^\[\]]*\]\(\s*([^)\s]+)(?:\s+"[^"]*")?\s*\)/)
            .map { (String($0.2), !$0.1.isEmpty) }
            .filter { $0.target.prefixMatch(of: /[a-z]+:/) == nil }
    }

    /// The reason why a target is broken. Nil if it leads to a file, a folder, or a heading.
    func fault(of target: String, isImage: Bool) throws -> String? {
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let folder = (document.path as NSString).deletingLastPathComponent
        let path = parts[0].isEmpty ? document.path : ((folder + "/" + parts[0]) as NSString).standardizingPath
        let absolute = SharedFiles.packageRoot + "/" + path
        guard FileManager.default.fileExists(atPath: absolute) else {
            return isImage && Self.isImageOfCatalog(parts[0], beside: document.path) ? nil : "there's no \(path)"
        }
        guard parts.count == 2 else { return nil }
        let text = try String(contentsOfFile: absolute, encoding: .utf8)
        return Self.anchors(text.components(separatedBy: "\n")).contains(parts[1]) ? nil : "no heading of \(path)"
    }

    /// DocC refers to images of its catalog without folder and extension.
    private static func isImageOfCatalog(_ name: String, beside path: String) -> Bool {
        guard let end = path.firstRange(of: ".docc/")?.upperBound else { return false }
        let images = SharedFiles.packageRoot + "/" + path[..<end] + "Resources"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: images)) ?? []
        return names.contains { ($0 as NSString).deletingPathExtension == name }
    }

    /// The link names of headings: lowercase, without punctuation, with hyphens for spaces, and with a number if an
    /// earlier heading has the same name.
    static func anchors(_ lines: [String]) -> Set<String> {
        var counts: [String: Int] = [:]
        return Set(
            withoutExamples(lines).compactMap { line in
                guard let title = line.wholeMatch(of: /#{1,6} +(.+?)[ #]*/)?.1 else { return nil }
                let text = title.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }.lowercased()
                let name = String(
                    text.filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }.map { $0 == " " ? "-" : $0 })
                let count = counts[name, default: 0]
                counts[name] = count + 1
                return count == 0 ? name : "\(name)-\(count)"
            })
    }

    /// The text without blocks and spans of code.
    private static func prose(_ lines: [String]) -> String {
        withoutExamples(lines).joined(separator: "\n").replacing(/`[^`\n]*`/, with: "`")
    }

    private static func withoutExamples(_ lines: [String]) -> [String] {
        var isExample = false
        return lines.filter { line in
            guard line.trimmingPrefix(while: { $0 == " " }).hasPrefix("```") else { return !isExample }
            isExample.toggle()
            return false
        }
    }
}
