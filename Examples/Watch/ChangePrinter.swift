// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Writes the difference between two versions, a line for each object.
struct ChangePrinter {
    let asJSON: Bool
    let inColour: Bool

    private enum Kind: String {
        case inserted, deleted, modified

        var mark: String {
            switch self {
            case .inserted: "+"
            case .deleted: "-"
            case .modified: "~"
            }
        }

        /// The terminal's green, red and yellow.
        var colour: Int {
            switch self {
            case .inserted: 32
            case .deleted: 31
            case .modified: 33
            }
        }
    }

    func begin(_ snapshot: Snapshot) {
        if !asJSON { write("version \(snapshot.version)") }
    }

    func show(_ diff: VersionDiff) throws {
        if !asJSON { write("version \(diff.new.version)") }
        for key in diff.changedTables {
            let (old, new) = (try diff.old.table(key), try diff.new.table(key))
            guard let name = (new ?? old)?.className else { continue }
            let changes = try diff.table(key)
            if let old {
                for object in changes.deletions {
                    show(.deleted, name, object, diff.new.version, try values(of: object, in: old), [:])
                }
            }
            if let new {
                for object in changes.insertions {
                    show(.inserted, name, object, diff.new.version, [:], try values(of: object, in: new))
                }
            }
            guard let old, let new else { continue }
            for change in changes.modifications {
                show(
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
    ) {
        if asJSON { return write(json(kind, name, object, version, old, new)) }
        let names = Set(old.keys).union(new.keys).sorted()
        let texts = names.map { name in
            let sides = [old[name], new[name]].compactMap { $0?.text }
            return "\(name): \(sides.joined(separator: " → "))"
        }
        let head = "\(kind.mark) \(name) #\(object.rawValue)"
        write((inColour ? "\u{1B}[\(kind.colour)m\(head)\u{1B}[0m" : head) + "  " + texts.joined(separator: ", "))
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

    /// Past the buffer of `print`: the reader of a pipe has the line at once.
    private func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
