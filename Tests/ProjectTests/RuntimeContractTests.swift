// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// Keeps the table of assumptions about Swift's runtime complete.
@Suite struct RuntimeContractTests {
    private static func page() throws -> String {
        try String(contentsOfFile: SharedFiles.packageRoot + "/Documentation/RuntimeContracts.md", encoding: .utf8)
    }

    @Test func everyContractHasTests() throws {
        let files = try SourceFile.all(in: ["Tests"])
        let rows = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        for row in rows {
            let tests = (row.split(separator: " | ").last ?? "").matches(of: /`(\w+)\.(\w+)`/)
            #expect(!tests.isEmpty, "\(row)")
            for test in tests {
                let file = files.first { $0.path.hasSuffix("/\(test.1).swift") }
                let exists = file?.lines.contains { $0.containsBytes(of: "func \(test.2)(") } ?? false
                #expect(exists, "there is no \(test.1).\(test.2)")
            }
        }
        #expect(rows.count > 10)
    }

    @Test func everySymbolOfTheRuntimeIsInTheTable() throws {
        let page = try Self.page()
        let pattern = /\bswift_\w+|\bCFRunLoop[A-Z]\w+(?=")|@_spi\(Reflection\)|\b_get\w+RetainCount/
        var symbols: Set<Substring> = []
        for file in try SourceFile.all(in: ["Sources"]) + SourceFile.all(in: ["Sources"], ".h") {
            for line in file.lines
            where ["swift_", "CFRunLoop", "@_spi", "RetainCount"].contains(where: { line.containsBytes(of: $0) }) {
                for match in line.matches(of: pattern) { symbols.insert(match.0) }
            }
        }
        for symbol in symbols.sorted() { #expect(page.contains(symbol), "\(symbol)") }
        #expect(symbols.count > 8)
    }
}
