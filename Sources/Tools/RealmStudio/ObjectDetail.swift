// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools
import RealmValues

/// An object in full: its values as JSON, and the objects that link to it.
struct ObjectDetail {
    let file: FollowedFile
    let table: Table
    let key: ObjectKey

    /// Longer collections are displayed in part, and edited elsewhere.
    private static let (maxElements, maxLinks) = (2000, 50)

    func write(_ json: inout JSONText) throws {
        let position = try file.position(key, in: table)
        json.member("table", table.key.rawValue)
        json.member("object", key.rawValue)
        json.member("label", try ObjectLabel.text(key, table))
        json.member("name")
        try ValueText(file.snapshot).write(.link(.key(table.key, key)), isMixed: false, &json)
        let cells = CellReader(source: file.snapshot)
        try json.member("cells", table.publicColumns) { try cells.write($1, table, position, &$0) }
        try json.member("values", table.publicColumns) { try write($1, position, &$0) }
        try json.member("incoming", table.backlinkColumns) { try writeIncoming($1, position, &$0) }
    }

    /// Writes the value of a property in the format of `realm export`. Collections that are too long become
    /// `{"$tooLong":1}`.
    private func write(_ column: Column, _ position: ClusterTree.Position, _ json: inout JSONText) throws {
        let collection = column.key.isCollection ? try table.collection(column, at: position) : nil
        guard collection?.count ?? 1 <= ObjectDetail.maxElements else {
            return json.raw("{\"$tooLong\":1}")
        }
        let value = try ObjectReader(file.snapshot, budget: try file.budget).value(column, of: table, at: position)
        try ValueText(file.snapshot).write(value, of: column, &json)
    }

    private func writeIncoming(_ column: Column, _ position: ClusterTree.Position, _ json: inout JSONText) throws {
        let origin = try file.table(table.oppositeTables[column.leafIndex])
        let count = try table.backlinkCount(column, at: position)
        json.raw("{")
        json.member("table", origin.key.rawValue)
        json.member("class", origin.className)
        json.member("property", origin.column(table.oppositeColumns[column.leafIndex])?.name)
        json.member("count", count)
        let keys = count == 0 ? [] : try table.backlinks(column, at: position).prefix(ObjectDetail.maxLinks)
        try json.member("objects", keys) { json, key in
            json.raw("[")
            json.integer(key.rawValue)
            json.raw(",")
            json.string(try ObjectLabel.text(key, origin))
            json.raw("]")
        }
        json.raw("}")
    }

    static func json(of keys: [ObjectKey], _ table: Table, in file: FollowedFile) throws -> String {
        let (reader, text) = (ObjectReader(file.snapshot, budget: try file.budget), ValueText(file.snapshot))
        let objects = try keys.map { key in
            let values = try reader.values(of: table, at: try file.position(key, in: table))
            let json = try JSONText.object { try text.writeMembers(values, of: table, &$0) }
            return String(decoding: json.bytes, as: UTF8.self)
        }
        return objects.count == 1 ? objects[0] : "[" + objects.joined(separator: ",\n") + "]"
    }
}
