// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTools
import RealmValues

/// Changes requested by a page. Each is a commit, and one step to undo.
struct FileEditor {
    let file: FollowedFile
    let undoStack: UndoStack

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

    func undo() throws -> String { try undoStack.undo(revert) }

    func redo() throws -> String { try undoStack.redo(revert) }

    // MARK: Commits

    private static let label = "realm studio: undo"

    private func change<Result>(_ title: String, _ body: (WriteTransaction) throws -> Result) throws -> Result {
        let (result, changes) = try file.database.recordedWrite(label: FileEditor.label) { write, _ in try body(write) }
        undoStack.add(changes, title)
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

/// The changes of the page's commits, as steps that can be undone and redone. A step pins the versions before and after
/// its commit.
final class UndoStack {
    private var done: [Step] = []
    private var undone: [Step] = []

    private typealias Step = (title: String, changes: VersionHistory)

    private static let maximumCount = 100

    var canUndo: String? { done.last?.title }
    var canRedo: String? { undone.last?.title }

    func add(_ changes: VersionHistory, _ title: String) {
        guard !changes.isEmpty else { return }
        done.append((title, changes))
        undone = []
        if done.count > UndoStack.maximumCount { done.removeFirst() }
    }

    /// Undoes the last step, and returns its title.
    ///
    /// - Parameter revert: Reverts the changes in a commit, and returns the changes of that commit.
    func undo(_ revert: (VersionHistory) throws -> VersionHistory) throws -> String {
        try UndoStack.move(from: &done, to: &undone, "undo", revert)
    }

    /// Redoes the step undone last, and returns its title.
    func redo(_ revert: (VersionHistory) throws -> VersionHistory) throws -> String {
        try UndoStack.move(from: &undone, to: &done, "redo", revert)
    }

    private static func move(
        from steps: inout [Step], to others: inout [Step], _ verb: String,
        _ revert: (VersionHistory) throws -> VersionHistory
    ) throws -> String {
        guard let step = steps.last else { throw StudioError("there is nothing to \(verb)") }
        others.append((step.title, try revert(step.changes)))
        steps.removeLast()
        return step.title
    }
}
