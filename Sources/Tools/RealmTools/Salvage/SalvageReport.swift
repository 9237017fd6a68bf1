// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmValues

struct SalvageReport {
    struct TableReport {
        let name: String
        /// nil if the file doesn't record it.
        var announced: Int?
        var saved = 0
        /// Values and parts of collections that couldn't be read, and were replaced by defaults.
        var lostValues = 0
        var lostLinks = 0
        /// Objects that were read but couldn't be written, such as a second one with the same primary key.
        var refused = 0
        var lostProperties: [String] = []
        var isOlder = false

        var isWhole: Bool {
            announced == saved && lostValues == 0 && lostLinks == 0 && refused == 0 && lostProperties.isEmpty
                && !isOlder
        }
    }

    var tables: [TableReport] = []
    var lostTables: [String] = []
    var unreadablePageCount = 0
    /// Whether the salvaged version isn't that of the header, or has lost its top array.
    var isOlder = false
    var hasMadeUpNames = false

    var isWhole: Bool { !isOlder && lostTables.isEmpty && unreadablePageCount == 0 && tables.allSatisfy(\.isWhole) }
    var savedCount: Int { tables.reduce(0) { $0 + $1.saved } }

    var lines: [String] {
        var lines: [String] = []
        if unreadablePageCount > 0 {
            lines.append("\(unreadablePageCount.counted("page")) of 4096 bytes cannot be read")
        }
        if isOlder { lines.append("the version that the header names cannot be read; another one was taken") }
        if hasMadeUpNames {
            lines.append("the names of the classes cannot be read; they are called Table0, Table1, … in their order")
        }
        for name in lostTables { lines.append("lost: the table \(name.printable)") }
        for table in tables where !table.isWhole {
            lines += table.notes.map { "\(table.name.printable): \($0)" }
        }
        return lines + ["saved \(savedCount.counted("object"))" + (isWhole ? ", all there are" : "")]
    }

    var json: JSONText {
        JSONText.object { json in
            json.member("saved", savedCount)
            json.member("whole", isWhole)
            json.member("older", isOlder)
            json.member("madeUpNames", hasMadeUpNames)
            json.member("unreadablePages", unreadablePageCount)
            json.member("lostTables", lostTables) { $0.string($1) }
            json.member("tables", tables) { $0.raw($1.json) }
        }
    }
}

extension SalvageReport.TableReport {
    fileprivate var notes: [String] {
        var notes: [String] = []
        if let announced, announced != saved { notes.append("\(saved.grouped) of \(announced.counted("object"))") }
        if announced == nil { notes.append("\(saved.counted("object")), of an unknown number") }
        if lostValues > 0 { notes.append("lost: \(lostValues.counted("value")), which have their default") }
        if lostLinks > 0 { notes.append("lost: \(lostLinks.counted("link")) to objects that are lost") }
        if refused > 0 { notes.append("left out: \(refused.counted("object")) that contradict others") }
        notes += lostProperties.map { "lost: the property \($0.printable)" }
        if isOlder { notes.append("taken from an older version of the file") }
        return notes
    }

    fileprivate var json: JSONText {
        JSONText.object { json in
            json.member("table", name)
            json.member("announced", announced)
            for (name, count) in [
                ("saved", saved), ("lostValues", lostValues), ("lostLinks", lostLinks), ("refused", refused),
            ] {
                json.member(name, count)
            }
            json.member("lostProperties", lostProperties) { $0.string($1) }
            json.member("older", isOlder)
        }
    }
}
