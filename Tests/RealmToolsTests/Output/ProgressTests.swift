// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmTools

@Suite struct ProgressTests {
    @Test func aLineSaysShareRateAndRest() {
        let progress = Progress("copying", total: 4_000_000, .bytes, Terminal())
        #expect(
            progress.line(1_000_000, after: 2)
                == "copying  [#####...............]  25 %  1.0 MB, 500.0 KB/s  6 s left")
        let rows = Progress("importing", .things("rows"), Terminal())
        #expect(rows.line(12_345, after: 61) == "importing  12,345 rows, 202 rows/s  1 min 1 s")
        #expect(progress.line(0, after: 0) == "copying  [....................]  0 %  0 s")
    }

    @Test func nothingIsDrawnWithoutATerminal() {
        let terminal = Terminal(message: { Issue.record("drawn: \($0)") })
        let output = TextOutput(terminal: terminal) { _ in }
        output.withProgress("x", .bytes) { progress in
            progress.advance()
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    @Test func coloursObeyTheTerminal() {
        #expect(Terminal().coloured("a", .red) == "a")
        #expect(Terminal(showsColours: true).coloured("a", .red) == "\u{1B}[31ma\u{1B}[0m")
    }
}
