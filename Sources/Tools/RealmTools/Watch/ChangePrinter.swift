// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

struct ChangePrinter {
    let asJSON: Bool
    let terminal: Terminal
    let output: TextOutput

    private enum Kind: String {
        case inserted, deleted, modified

        var mark: String {
            switch self {
            case .inserted: "+"
            case .deleted: "-"
            case .modified: "~"
            }
        }

        var colour: Terminal.Colour {
            switch self {
            case .inserted: .green
            case .deleted: .red
            case .modified: .yellow
            }
        }
    }

    func begin(_ snapshot: Snapshot) throws {
        if !asJSON { try write("version \(snapshot.version)") }
    }

    func show(_ diff: VersionDiff) throws {
        if !asJSON { try write("version \(diff.new.version)") }
        for key in diff.changedTables {
            let (old, new) = (try diff.old.table(key), try diff.new.table(key))
            guard let name = (new ?? old)?.className else { continue }
            let changes = try diff.table(key)
            if let old {
                for object in changes.deletions {
                    try show(.deleted, name, object, diff.new.version, try values(of: object, in: old), [:])
                }
            }
            if let new {
                for object in changes.insertions {
                    try show(.inserted, name, object, diff.new.version, [:], try values(of: object, in: new))
                }
            }
            guard let old, let new else { continue }
            for change in changes.modifications {
                try show(
                    .modified, name, change.object, diff.new.version,
                    try values(of: change.object, in: old, change.columns),
                    try values(of: change.object, in: new, change.columns))
            }
        }
    }

    private func values(
        of object: ObjectKey, in table: Table, _ columns: [ColumnKey]? = nil
    ) throws -> [String: ShownValue] {
        let position = try table.requireObject(object)
        var values: [String: ShownValue] = [:]
        for column in table.publicColumns where columns?.contains(column.key) ?? true {
            values[column.name] = try ShownValue(column, of: table, at: position)
        }
        return values
    }

    private func show(
        _ kind: Kind, _ name: String, _ object: ObjectKey, _ version: UInt64, _ old: [String: ShownValue],
        _ new: [String: ShownValue]
    ) throws {
        if asJSON { return try write(json(kind, name, object, version, old, new)) }
        let names = Set(old.keys).union(new.keys).sorted()
        let texts = names.map { name in
            let sides = [old[name], new[name]].compactMap { $0?.text }
            return "\(name): \(sides.joined(separator: " → "))"
        }
        let head = "\(kind.mark) \(name) #\(object.rawValue)"
        try write(terminal.coloured(head, kind.colour) + "  " + texts.joined(separator: ", "))
    }

    private func json(
        _ kind: Kind, _ name: String, _ object: ObjectKey, _ version: UInt64, _ old: [String: ShownValue],
        _ new: [String: ShownValue]
    ) -> String {
        var members: [String: Any] = [
            "version": version, "change": kind.rawValue, "class": name, "object": object.rawValue,
        ]
        if !old.isEmpty { members["old"] = old.mapValues(\.json) }
        if !new.isEmpty { members["new"] = new.mapValues(\.json) }
        let data = try? JSONSerialization.data(
            withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Not buffered, so that readers of a pipe receive the line at once.
    private func write(_ line: String) throws {
        try output.writeLine(line)
        try output.flush()
    }
}
