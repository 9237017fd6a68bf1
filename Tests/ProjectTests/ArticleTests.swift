// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The Swift code of the articles, which equals that of tests between `// begin ARTICLE` and `// end`. `Scripts/docs
/// --code` writes it into the articles.
@Suite struct ArticleTests {
    private static func marked() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for file in try SourceFile.all(in: ["Tests"]) {
            var (article, lines): (String?, [String]) = (nil, [])
            for line in file.lines {
                guard line.containsBytes(of: "// ") else {
                    lines.append(line)
                    continue
                }
                let text = line.trimmingCharacters(in: .whitespaces)
                if let match = text.wholeMatch(of: /\/\/ begin (\w+)/) {
                    (article, lines) = (String(match.1), [])
                } else if text == "// end", let name = article {
                    found[name, default: []].append(shown(lines))
                    article = nil
                } else {
                    lines.append(line)
                }
            }
        }
        return found
    }

    /// The shown lines without their common indentation, and without blank lines before a closing brace or another
    /// blank line.
    private static func shown(_ lines: [String]) -> String {
        let kept = lines.filter { !$0.hasSuffix("// not shown") }
        let margin = kept.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        let moved = kept.map { String($0.dropFirst(margin)) }
        return moved.indices.filter { index in
            let next = index + 1 < moved.count ? moved[index + 1].trimmingCharacters(in: .whitespaces) : "}"
            return !moved[index].isEmpty || (index > 0 && !next.isEmpty && !next.hasPrefix("}"))
        }
        .map { moved[$0] }.joined(separator: "\n")
    }

    private static func articles() throws -> [String: [String]] {
        let folder = SharedFiles.packageRoot + "/Sources/Database/RealmSwift/RealmSwift.docc"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                let blocks = text.components(separatedBy: "```swift\n").dropFirst()
                return (
                    String(name.dropLast(3)), blocks.map { $0.components(separatedBy: "\n```")[0] }
                )
            })
    }

    @Test func everyBlockOfAnArticleEqualsThatOfATest() throws {
        let (marked, articles) = (try Self.marked(), try Self.articles())
        #expect(articles.count > 15)
        for (name, blocks) in articles {
            let code = marked[name, default: []]
            #expect(blocks == code, "\(name).md differs: Scripts/docs --code writes the code of the tests")
        }
        #expect(Set(marked.keys).isSubset(of: articles.keys), "a test marks code for an article that there is not")
    }
}
