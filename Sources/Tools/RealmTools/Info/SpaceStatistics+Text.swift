// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmValues

extension SpaceStatistics {
    var lines: [String] {
        var facts = TextTable([.left, .right, .right])
        facts.add(["file", fileByteCount.grouped, ""])
        facts.add(["in use", (logicalByteCount - freeByteCount).grouped, share(logicalByteCount - freeByteCount)])
        facts.add(["free, in \(freeBlockCount.counted("block"))", freeByteCount.grouped, share(freeByteCount)])
        facts.add(["behind the end", max(0, fileByteCount - logicalByteCount).grouped, ""])
        facts.add(["history", historyByteCount.grouped, share(historyByteCount)])
        facts.add(["outside the tables", otherByteCount.grouped, share(otherByteCount)])
        var parts = TextTable([.left, .right, .right, .right, .right])
        parts.add(["class", "bytes", "share", "per object", "fill"])
        for table in tables.sorted(by: { $0.byteCount > $1.byteCount }) { add(table, to: &parts) }
        return facts.lines + [""] + parts.lines
    }

    private func add(_ table: TableSpace, to parts: inout TextTable) {
        let count = table.objectCount
        let each = { (bytes: Int) in count == 0 ? "" : String(format: "%.1f", Double(bytes) / Double(count)) }
        let name = table.name.printable + " (" + count.counted("object") + ")"
        parts.add([
            name, table.byteCount.grouped, share(table.byteCount), each(table.byteCount),
            "\(Int((table.fill * 100).rounded())) %",
        ])
        var rows = table.columns.map { ("  " + $0.name.printable, $0.byteCount) }
        rows += table.indexes.map { ("  index of " + $0.name.printable, $0.byteCount) }
        rows += [("  inverse links", table.backlinkByteCount), ("  rest", table.otherByteCount)]
        for (name, bytes) in rows where bytes > 0 {
            parts.add([name, bytes.grouped, share(bytes), each(bytes), ""])
        }
    }

    private func share(_ bytes: Int) -> String {
        logicalByteCount == 0 ? "" : String(format: "%.1f %%", 100 * Double(bytes) / Double(logicalByteCount))
    }
}
