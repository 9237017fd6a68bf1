// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmValues

/// Writes all contents of a file as JSON, one object per line, in the format `realm-dump-1`.
///
/// Output is streamed: memory is bounded by the largest object. An error truncates the text.
struct DatabaseDump {
    let file: OpenFile
    let output: TextOutput
    private let progress: Progress
    private let budget: ReadBudget

    /// `progress` counts objects.
    init(_ file: OpenFile, to output: TextOutput, _ progress: Progress) {
        self.file = file
        self.output = output
        self.progress = progress
        budget = ReadBudget(byteCount: file.byteCount)
    }

    func write(withHistory: Bool) throws {
        let facts = try FileFacts(file)
        try output.write("{\n\"format\": \"realm-dump-1\",\n\"file\": ")
        try output.write(DatabaseDump.fileText(facts).bytes)
        try output.write(",\n\"tables\": [")
        try writeTables()
        try output.write("\n]")
        if withHistory { try writeHistory() }
        try output.write("\n}\n")
    }

    private func writeTables() throws {
        let snapshot = file.snapshot
        let tables = try snapshot.allTables()
        let byKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
        let values = ValueDump(space: snapshot.space, tableNames: byKey.mapValues(\.name), budget: budget)
        for (index, table) in tables.enumerated() {
            try output.write(index == 0 ? "\n" : ",\n")
            try TableDump(table: table, tables: byKey, values: values, output: output, progress: progress).write()
        }
    }

    private func writeHistory() throws {
        var isFirst = true
        try output.write(",\n\"history\": [")
        func write(_ changeset: [UInt8]) throws {
            var json = JSONText()
            json.raw(isFirst ? "\n" : ",\n")
            json.hex(changeset)
            isFirst = false
            try output.write(json.bytes)
        }
        try LocalHistory(file.snapshot)?.forEach(budget, write)
        if let history = try StoredHistory(file.snapshot) {
            try history.forEachEntry(in: 0..<history.count) { _, entry in
                let changeset = try entry.changeset()
                try budget.spend()
                try budget.spend(byteCount: changeset.count)
                try write(changeset)
                return true
            }
        }
        try output.write("]")
    }

    private static func fileText(_ facts: FileFacts) -> JSONText {
        JSONText.object { json in
            json.member("formatVersion", facts.formatVersion)
            json.member("version", facts.version)
            json.member("historyType", facts.historyName)
            json.member("historySchemaVersion", facts.historySchemaVersion)
            json.member("historyEntries", facts.changesetCount)
            json.member("topSize", facts.topSlotCount)
            json.member("logicalFileSize", facts.logicalByteCount)
            json.member("fileSize", facts.byteCount)
            json.member("evacuationPoint")
            json.evacuation(facts.evacuation)
            json.member("freeBlocks", facts.freeBlockCount)
            json.member("schemaVersion", facts.schemaVersion)
            json.member("encrypted", facts.isEncrypted)
            // The format has a member for the key too, but a dump shouldn't contain it.
            json.member("keyHex")
            json.null()
        }
    }
}

extension JSONText {
    /// Writes null without the slot, 0 when idle, the limit just after the decision, "ref" while in progress.
    mutating func evacuation(_ state: FileFacts.Evacuation?) {
        switch state {
        case nil: null()
        case .idle: integer(0)
        case .decided(let limit): integer(limit)
        case .underWay: string("ref")
        }
    }
}
