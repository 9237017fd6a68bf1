// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// Keeps the table of numbered behaviours true. `REGNUM_WRITE_TABLES=1` (`Scripts/behaviours`) writes it anew.
@Suite struct BehaviourTableTests {
    private static let path = SharedFiles.packageRoot + "/Tests/BEHAVIOURS.md"

    @Test func theTableIsThatOfTheTests() throws {
        let table = try BehaviourTable()
        if Settings.isSet("REGNUM_WRITE_TABLES") {
            try table.text.write(toFile: Self.path, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOfFile: Self.path, encoding: .utf8)
        #expect(written == table.text, "run Scripts/behaviours")
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
