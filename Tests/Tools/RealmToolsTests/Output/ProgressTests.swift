// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmTools

@Suite struct ProgressTests {
    @Test func aLineShowsShareRateAndRest() {
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

    @Test func partsAreCountedSeparately() {
        let progress = Progress("upgrading", .things("rows"), Terminal())
        progress.reach(500, of: 1000, in: "upgrading Dog")
        #expect(progress.line(500, after: 1).hasPrefix("upgrading Dog  [##########..........]  50 %"))
    }

    /// Records the texts that the output and the progress line write to a terminal, in order.
    private final class Screen: Sendable {
        private let lock = NSLock()
        /// Guarded by `lock`: `Mutex` needs macOS 15.
        nonisolated(unsafe) private var texts: [String] = []
        var all: [String] { lock.withLock { texts } }
        func show(_ text: String) { lock.withLock { texts.append(text) } }
    }

    @Test func theLineAndTheOutputDoNotMix() throws {
        let screen = Screen()
        let terminal = Terminal(showsProgress: true, message: { screen.show($0) })
        let output = TextOutput(terminal: terminal, messages: { screen.show($0) }) {
            screen.show(String(decoding: $0, as: UTF8.self))
        }
        try output.withProgress("dumping", .things("objects")) { progress in
            for round in 0..<2 {
                #expect(progress.drawOnce())
                for number in 0..<9000 { try output.writeLine("line \(round) \(number)") }
            }
            _ = progress.drawOnce()
            try output.note("a note")
        }
        try output.flush()
        var isDrawn = false
        for text in screen.all {
            if text.hasPrefix("\rdumping") {
                isDrawn = true
            } else if text == "\r\u{1B}[K" {
                isDrawn = false
            } else {
                #expect(!isDrawn && text.hasSuffix("\n"))
            }
        }
        #expect(!isDrawn && screen.all.count { $0.hasPrefix("\rdumping") } == 3)
        let lines = screen.all.filter { $0.hasPrefix("line") || $0.hasPrefix("a note") }.joined()
        #expect(
            lines == (0..<2).map { round in (0..<9000).map { "line \(round) \($0)\n" }.joined() }.joined() + "a note\n")
    }

    @Test(arguments: Fixture.readable) func asManyAsWereAnnouncedAreCounted(_ fixture: Fixture) throws {
        let opened = try OpenFile(fixture.path, cipher: nil)
        let dump = Progress("", .things("objects"), Terminal())
        try DatabaseDump(opened, to: TextOutput { _ in }, dump).write(withHistory: false)
        let tombstones = try opened.snapshot.tableKeys().reduce(0) {
            $0 + (try opened.snapshot.table($1)?.tombstones?.count() ?? 0)
        }
        #expect(dump.count == (try DatabaseInfo(opened).objectCount) + tombstones)
        let image = try SalvageImage(of: fixture.path, cipher: nil, Progress("", .bytes, Terminal()))
        let (reader, salvage) = (try SalvageReader(image), Progress("", .things("objects"), Terminal()))
        let folder = try TemporaryFolder()
        let database = try Database.open(folder.path + "/out.realm")
        _ = try Salvage(reader, byteCount: image.byteCount, into: database, salvage).run()
        #expect(salvage.count == reader.stepCount)
    }

    @Test func coloursFollowTheTerminal() {
        #expect(Terminal().coloured("a", .red) == "a")
        #expect(Terminal(showsColours: true).coloured("a", .red) == "\u{1B}[31ma\u{1B}[0m")
    }
}
