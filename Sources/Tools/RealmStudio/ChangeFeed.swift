// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTools

struct FileChange {
    let json: JSONText

    private static let (maxNamed, maxDescribed) = (500, 20)

    init(_ diff: VersionDiff) throws {
        json = try JSONText.object { json in
            json.member("version", diff.new.version)
            json.member("time", Int(Date().timeIntervalSince1970))
            try json.member("classes", diff.changedTables) { json, key in try FileChange.write(key, diff, &json) }
        }
    }

    private static func write(_ key: TableKey, _ diff: VersionDiff, _ json: inout JSONText) throws {
        let (old, new) = (try diff.old.table(key), try diff.new.table(key))
        let changes = try diff.table(key)
        json.raw("{")
        json.member("table", key.rawValue)
        json.member("class", (new ?? old)?.className)
        json.member("count", try new?.count() ?? 0)
        json.member("inserted", changes.insertions.prefix(maxNamed)) { $0.integer($1.rawValue) }
        json.member("deleted", changes.deletions.prefix(maxNamed)) { $0.integer($1.rawValue) }
        json.member("modified", changes.modifications.prefix(maxNamed)) { json, change in
            json.raw("[")
            json.integer(change.object.rawValue)
            for column in change.columns {
                guard let name = new?.column(column)?.name else { continue }
                json.raw(",")
                json.string(name)
            }
            json.raw("]")
        }
        json.member("counts", [changes.insertions.count, changes.deletions.count, changes.modifications.count]) {
            $0.integer($1)
        }
        json.member("lines", try lines(changes, old, new)) { $0.string($1) }
        json.raw("}")
    }

    private static func lines(_ changes: TableDiff, _ old: Table?, _ new: Table?) throws -> [String] {
        var lines: [String] = []
        for key in changes.deletions.prefix(maxDescribed) { lines.append("− #\(key.rawValue)\(try label(key, old))") }
        for key in changes.insertions.prefix(maxDescribed) { lines.append("+ #\(key.rawValue)\(try label(key, new))") }
        for change in changes.modifications.prefix(maxDescribed) {
            guard let old, let new, let before = try old.find(change.object), let after = try new.find(change.object)
            else { continue }
            let texts = try change.columns.compactMap { key -> String? in
                guard let column = new.column(key), !column.isBacklink, let was = old.column(key) else { return nil }
                let sides = [
                    try ValueSummary.text(was, of: old, at: before), try ValueSummary.text(column, of: new, at: after),
                ]
                return "\(column.name): " + sides.map { String($0.prefix(80)) }.joined(separator: " → ")
            }
            lines.append("~ #\(change.object.rawValue)  \(texts.joined(separator: ", "))")
        }
        return Array(lines.prefix(maxDescribed))
    }

    private static func label(_ key: ObjectKey, _ table: Table?) throws -> String {
        guard let table, let text = try ObjectLabel.text(key, table), text != "#\(key.rawValue)" else { return "" }
        return "  " + text
    }
}

struct ChangeFeed {
    private(set) var changes: [FileChange] = []

    private static let maxChanges = 200

    mutating func add(_ change: FileChange) {
        changes.append(change)
        if changes.count > ChangeFeed.maxChanges { changes.removeFirst() }
    }
}
