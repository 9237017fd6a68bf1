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
            let table = try write.require(table)
            guard try table.find(key) != nil else { throw StudioError("the object no longer exists") }
            for (column, value) in try FileEditor.values(members, table, write) {
                guard column.key != table.primaryKey else {
                    throw StudioError("'\(column.name)' is the primary key; duplicate the object under another one")
                }
                try FileEditor.writer(write).set(value, column, of: key, in: table.key)
            }
        }
    }

    func create(_ members: [(name: String, value: ForeignValue)], in table: TableKey) throws -> ObjectKey {
        try change("create") { write in
            let table = try write.require(table)
            return try FileEditor.writer(write).create(in: table, nil, try FileEditor.values(members, table, write))
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
                return try FileEditor.writer(write).create(in: table, nil, columns)
            }
        }
    }

    func delete(_ keys: [ObjectKey], from table: TableKey) throws {
        try change("delete") { write in
            let table = try write.require(table)
            try write.removeObjects(try keys.filter { try table.find($0) != nil }, from: table.key)
        }
    }

    func undo() throws -> String {
        guard file.canWrite else { throw StudioError.readOnly }
        return try file.undo.undo(revert)
    }

    func redo() throws -> String {
        guard file.canWrite else { throw StudioError.readOnly }
        return try file.undo.redo(revert)
    }

    // MARK: Commits

    private func change<Result>(_ title: String, _ body: (WriteTransaction) throws -> Result) throws -> Result {
        guard file.canWrite else { throw StudioError.readOnly }
        let (result, changes) = try commit { write, _ in try body(write) }
        file.undo.add(changes, title)
        return result
    }

    private func revert(_ changes: VersionHistory) throws -> VersionHistory {
        do {
            return try commit { try Reversion(of: changes, since: $1, in: $0).run() }.1
        } catch let conflict as UndoConflict {
            throw StudioError(conflict)
        }
    }

    private static let label = "realm studio: undo"

    private func commit<Result>(
        _ body: (WriteTransaction, Snapshot) throws -> Result
    ) throws -> (Result, VersionHistory) {
        let write = try file.database.beginWrite()
        // The write lock is held, so the versions before and after are consecutive.
        do {
            let before = try file.database.snapshot(label: FileEditor.label)
            let result = try body(write, before)
            try write.commit()
            let after = try file.database.snapshot(label: FileEditor.label)
            return (result, try VersionHistory(from: before, to: after))
        } catch {
            if write.isOpen { write.rollback() }
            throw error
        }
    }

    private static func values(
        _ members: [(name: String, value: ForeignValue)], _ table: Table, _ write: WriteTransaction
    ) throws -> [(column: Column, value: DetachedValue)] {
        let parser = ValueParser(source: write, cellsHoldJSON: false)
        return try members.map { member in
            guard let column = table.column(named: member.name) else {
                throw StudioError("'\(table.className ?? table.name)' has no property '\(member.name)'")
            }
            return (column, try parser.value(member.value, column, of: table))
        }
    }

    static func writer(_ write: WriteTransaction) -> ObjectWriter {
        ObjectWriter(write: write) { name in
            switch name {
            case .key(let table, let key):
                guard try write.require(table).find(key) != nil else { break }
                return ObjectLink(table: table, object: key)
            case .primaryKey(let table, let value):
                guard let key = try write.require(table).object(primaryKey: value) else { break }
                return ObjectLink(table: table, object: key)
            }
            throw StudioError("a link to an object that is not there")
        }
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
