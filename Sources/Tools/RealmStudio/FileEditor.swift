// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTools
import RealmValues

/// Changes requested by a page. Each is a commit, and one step to undo.
struct FileEditor {
    let file: OpenedFile

    // MARK: Changes

    func set(_ members: [(name: String, value: ForeignValue)], of key: ObjectKey, in table: TableKey) throws {
        try change("edit") { write in
            let (table, writer) = (try write.require(table), ObjectWriter(linkingToExistingObjectsIn: write))
            guard try table.find(key) != nil else { throw StudioError("the object no longer exists") }
            for (column, value) in try FileEditor.values(members, of: table, write) {
                guard column.key != table.primaryKey else {
                    throw StudioError("'\(column.name)' is the primary key; duplicate the object under another one")
                }
                try writer.set(value, column, of: key, in: table.key)
            }
        }
    }

    func create(_ members: [(name: String, value: ForeignValue)], in table: TableKey) throws -> ObjectKey {
        try change("create") { write in
            let table = try write.require(table)
            return try ObjectWriter(linkingToExistingObjectsIn: write)
                .create(in: table, nil, try FileEditor.values(members, of: table, write))
        }
    }

    func duplicate(_ keys: [ObjectKey], in table: TableKey) throws -> [ObjectKey] {
        try change("duplicate") { write in
            let budget = try file.budget
            return try keys.map { key in
                let table = try write.require(table)
                guard let position = try table.find(key) else { throw StudioError("the object no longer exists") }
                var values = try ObjectReader(write, budget: budget).values(of: table, at: position)
                if let place = table.primaryKeyPlace, case .plain(let old) = values[place] {
                    values[place] = .plain(try FileEditor.freePrimaryKey(after: old, table))
                }
                let columns = zip(table.publicColumns, values).map { (column: $0, value: $1) }
                return try ObjectWriter(linkingToExistingObjectsIn: write).create(in: table, nil, columns)
            }
        }
    }

    func delete(_ keys: [ObjectKey], from table: TableKey) throws {
        try change("delete") { write in
            let table = try write.require(table)
            try write.removeObjects(try keys.filter { try table.find($0) != nil }, from: table.key)
        }
    }

    func undo() throws -> String { try file.undo.undo(revert) }

    func redo() throws -> String { try file.undo.redo(revert) }

    // MARK: Commits

    private static let label = "realm studio: undo"

    private func change<Result>(_ title: String, _ body: (WriteTransaction) throws -> Result) throws -> Result {
        let (result, changes) = try file.database.recordedWrite(label: FileEditor.label) { write, _ in try body(write) }
        file.undo.add(changes, title)
        return result
    }

    private func revert(_ changes: VersionHistory) throws -> VersionHistory {
        do {
            return try file.database.revert(changes, label: FileEditor.label)
        } catch let conflict as UndoConflict {
            throw StudioError(conflict)
        }
    }

    private static func values(
        _ members: [(name: String, value: ForeignValue)], of table: Table, _ write: WriteTransaction
    ) throws -> [(column: Column, value: DetachedValue)] {
        try ValueParser(source: write, cellsHoldJSON: false).values(members, of: table)
    }

    private static func freePrimaryKey(after old: StoredValue, _ table: Table) throws -> StoredValue {
        var generator = SystemRandomNumberGenerator()
        var candidate = old
        repeat {
            switch candidate {
            case .int(let number): candidate = .int(number &+ 1)
            case .string(let text): candidate = .string(text + " copy")
            case .uuid:
                candidate = .uuid(withUnsafeBytes(of: UUID().uuid) { UUIDBytes(bytes: Array($0)) })
            case .objectId:
                let bytes = (0..<ObjectIdBytes.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
                candidate = .objectId(ObjectIdBytes(bytes: bytes))
            default: throw StudioError("an object with this primary key already exists")
            }
        } while try table.object(primaryKey: candidate) != nil
        return candidate
    }
}
