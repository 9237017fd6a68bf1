// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The table of numbered behaviours matches the tests. `REGNUM_WRITE_TABLES=1` (`Scripts/behaviours`) rewrites it.
@Suite struct BehaviourTableTests {
    private static let path = SharedFiles.packageRoot + "/Documentation/Compatibility/Behaviours.md"

    @Test func theDocumentNamesTheTests() throws {
        let written = try String(contentsOfFile: Self.path, encoding: .utf8)
        let document = try BehaviourTable().document(written)
        if Settings.isSet("REGNUM_WRITE_TABLES") {
            try document.write(toFile: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(written == document, "run Scripts/behaviours")
        }
    }

    @Test func everyNumberHasItsSentenceOnce() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let numbers = text.matches(of: /(?m)^- \*\*B-(\d{3})\*\*/).compactMap { Int($0.1) }
        #expect(numbers == Array(1...BehaviourTable.last))
    }

    @Test func everyBehaviourHasATestOrAReason() throws {
        let table = try BehaviourTable()
        for number in 1...BehaviourTable.last {
            let isExplained = (table.tests[number] == nil) != (table.gap(number) == nil)
            #expect(isExplained, "B-\(number) needs a test or a line in behaviours-left.txt, and not both")
        }
        #expect(table.tests.keys.allSatisfy { (1...BehaviourTable.last).contains($0) })
    }
}
