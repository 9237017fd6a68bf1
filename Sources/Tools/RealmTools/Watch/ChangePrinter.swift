// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

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
            let (before, after) = (old.map { Side("old", diff.old, $0) }, new.map { Side("new", diff.new, $0) })
            func show(_ kind: Kind, _ object: ObjectKey, _ columns: [ColumnKey]? = nil) throws {
                let sides = [kind == .inserted ? nil : before, kind == .deleted ? nil : after].compactMap { $0 }
                let change = Change(
                    kind: kind, className: name, object: object, version: diff.new.version, sides: sides,
                    columns: columns)
                try write(asJSON ? try change.json : try line(change))
            }
            for object in changes.deletions { try show(.deleted, object) }
            for object in changes.insertions { try show(.inserted, object) }
            for change in changes.modifications { try show(.modified, change.object, change.columns) }
        }
    }

    /// An object in the version before the change, or in the one after it.
    private struct Side {
        let name: String
        let table: Table
        let reader: ObjectReader
        let text: ValueText

        init(_ name: String, _ source: any TableSource, _ table: Table) {
            (self.name, self.table) = (name, table)
            (reader, text) = (ObjectReader(source), ValueText(source))
        }
    }

    private struct Change {
        let kind: Kind
        let className: String
        let object: ObjectKey
        let version: UInt64
        let sides: [Side]
        /// The changed properties, or `nil` for all.
        let columns: [ColumnKey]?

        private func shown(_ side: Side) -> [Column] {
            side.table.publicColumns.filter { columns?.contains($0.key) ?? true }
        }

        /// The values have the exchange form of `realm export`.
        var json: String {
            get throws {
                let json = try JSONText.object { json in
                    json.member("version", version)
                    json.member("change", kind.rawValue)
                    json.member("class", className)
                    json.member("object", object.rawValue)
                    for side in sides {
                        let position = try side.table.requireObject(object)
                        json.member(side.name)
                        try json.object { json in
                            for column in shown(side) {
                                json.member(ValueText.escaped(column.name))
                                let value = try side.reader.value(column, of: side.table, at: position)
                                try side.text.write(value, of: column, &json)
                            }
                        }
                    }
                }
                return String(decoding: json.bytes, as: UTF8.self)
            }
        }

        /// The values before and after the change, by name.
        var texts: [String] {
            get throws {
                var values: [ByteText: [String]] = [:]
                for side in sides {
                    let position = try side.table.requireObject(object)
                    for column in shown(side) {
                        let text = try ValueSummary.text(column, of: side.table, at: position)
                        values[ByteText(column.name), default: []].append(text)
                    }
                }
                return values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: " → "))" }
            }
        }
    }

    private func line(_ change: Change) throws -> String {
        let head = "\(change.kind.mark) \(change.className) #\(change.object.rawValue)"
        return terminal.coloured(head, change.kind.colour) + "  " + (try change.texts.joined(separator: ", "))
    }

    /// Not buffered, so that readers of a pipe receive the line at once.
    private func write(_ line: String) throws {
        try output.writeLine(line)
        try output.flush()
    }
}
