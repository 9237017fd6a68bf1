// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

extension DatabaseInfo {
    var lines: [String] {
        var facts = TextTable([.left, .left])
        for (name, value) in fileLines { facts.add([name, value]) }
        return facts.lines + (tables.isEmpty ? [] : [""] + tableLines)
    }

    private var fileLines: [(String, String)] {
        [
            ("file", file.path.printable),
            (
                "format",
                "\(file.formatVersion), \(file.isStreaming ? "streaming" : "plain") form\(file.isEncrypted ? ", encrypted" : "")"
            ),
            ("version", file.version == 0 ? "none yet" : "\(file.version)"),
            ("history", history),
        ] + (file.clientHistory?.lines ?? []) + [
            ("schema version", file.schemaVersion.map { "\($0)" } ?? "none"),
            ("file size", file.byteCount.counted("byte")),
            ("logical size", file.logicalByteCount.counted("byte")),
            ("free", free),
            ("evacuation", evacuation),
            ("objects", "\(objectCount.grouped) in \(tables.count.counted("table"))"),
        ] + file.notes.map { ("note", $0.printable) }
    }

    private var tableLines: [String] {
        var lines = TextTable([.left, .left, .right, .right, .right, .left])
        lines.add(["table", "kind", "objects", "columns", "backlinks", "indexes"])
        for table in tables {
            lines.add([
                table.name.printable, table.kind.words, table.objectCount.grouped, "\(table.columnCount)",
                "\(table.backlinkColumnCount)", table.indexList,
            ])
        }
        return lines.lines
    }

    private var history: String {
        switch file.historyType {
        case FileFormat.History.none: "none"
        case FileFormat.History.local: "local, " + (file.changesetCount ?? 0).counted("changeset")
        case 3, 4: "of a synchronised Realm (type \(file.historyType), schema \(file.historySchemaVersion))"
        default: "type \(file.historyType), schema \(file.historySchemaVersion)"
        }
    }

    private var free: String {
        guard let count = file.freeBlockCount else { return "not listed in this file" }
        return file.freeByteCount.counted("byte") + " in " + count.counted("block")
    }

    private var evacuation: String {
        switch file.evacuation {
        case nil, .idle: "idle"
        case .decided(let limit): "decided, nodes above \(limit.grouped) will move"
        case .underWay: "under way"
        }
    }
}

extension TableFacts {
    fileprivate var indexList: String {
        indexed.map { $0.printable + ($0 == primaryKey ? " (primary key)" : "") }.joined(separator: ", ")
    }
}

extension TableKind {
    var words: String {
        switch self {
        case .topLevel: "top-level"
        case .embedded: "embedded"
        case .asymmetric: "asymmetric"
        }
    }
}
