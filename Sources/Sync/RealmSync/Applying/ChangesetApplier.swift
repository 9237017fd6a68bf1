// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Applies changesets to a write transaction, by the rules of §3.6.
///
/// After an error, the transaction may contain part of a changeset and has to be rolled back.
package final class ChangesetApplier {
    let transaction: WriteTransaction
    private var tables: [Text: Table] = [:]
    private var lastObject: (reference: ObjectReference, key: ObjectKey)?
    /// Reused for all new objects.
    private let firstValues = RowValues(columnCount: 0)

    private let isRecorded: Bool

    /// - Parameter isRecorded: Whether the transaction records the changes as the file's own, for upload. Changes
    ///   downloaded from other files aren't recorded.
    package init(_ transaction: WriteTransaction, isRecorded: Bool = false) {
        self.transaction = transaction
        self.isRecorded = isRecorded
    }

    /// - Throws: `SessionError`: `badChangeset` if an instruction contradicts the state, `other` if the file can't be
    ///   changed, for example because the disk is full.
    package func apply(_ changeset: Changeset) throws(SessionError) {
        let recorder = transaction.recorder
        if !isRecorded { transaction.recorder = nil }
        defer { transaction.recorder = recorder }
        var rest = changeset.instructions[...]
        while let instruction = rest.popFirst() {
            do {
                if case .createObject(let object) = instruction {
                    try create(object, &rest)
                } else {
                    try apply(instruction)
                }
            } catch {
                throw ChangesetApplier.failure(error, instruction)
            }
        }
    }

    /// Applies an instruction. If the instruction contradicts the state, returns the reason and leaves the state
    /// unchanged.
    func refusal(of instruction: Instruction) throws -> SessionError? {
        let recorder = transaction.recorder
        if !isRecorded { transaction.recorder = nil }
        defer { transaction.recorder = recorder }
        do {
            try apply(instruction)
            return nil
        } catch {
            let failure = ChangesetApplier.failure(error, instruction)
            if failure.code == .badChangeset { return failure }
            throw failure
        }
    }

    private static func failure(_ error: any Error, _ instruction: Instruction) -> SessionError {
        if let error = error as? SessionError { return error }
        guard let storage = error as? StorageError else { return SessionError(.other, "\(error)") }
        switch storage.code {
        case .invalidArgument, .limitExceeded:
            return SessionError(.badChangeset, "\(instruction) cannot be applied: \(storage.message)")
        default: return SessionError(.other, "\(storage)")
        }
    }

    private func apply(_ instruction: Instruction) throws {
        switch instruction {
        case .addTable(let definition): try addTable(definition)
        case .eraseTable(let name):
            let table = try table(name)
            forget()
            try transaction.schema.removeTable(table.key)
        case .addColumn(let definition): try addColumn(definition)
        case .eraseColumn(let column):
            let table = try table(column.table)
            try transaction.schema.removeColumn(try self.column(column.name, of: table).key, of: table.key)
        case .createObject(let object):
            var rest: ArraySlice<Instruction> = []
            try create(object, &rest)
        case .eraseObject(let object): try erase(object)
        case .change(let place, let change): try apply(change, at: place)
        }
    }

    // MARK: Schema

    private func forget() {
        tables = [:]
        lastObject = nil
    }

    func table(_ name: Text) throws -> Table {
        if let table = tables[name] { return table }
        guard let table = try transaction.table(named: FileFormat.classPrefix + name.string) else {
            throw bad("there is no class '\(name)'")
        }
        tables[name] = table
        return table
    }

    func column(_ name: Text, of table: Table) throws -> Column {
        guard let column = table.column(named: name.string) else {
            throw bad("the class '\(table.className ?? table.name)' has no property '\(name)'")
        }
        return column
    }

    private func addTable(_ definition: TableDefinition) throws {
        if let refusal = definition.refusal { throw bad(refusal) }
        let name = FileFormat.classPrefix + definition.name.string
        if let table = try transaction.table(named: name) {
            guard try table.definition() == definition else {
                throw bad("the class \(definition) already exists, as \(try table.definition())")
            }
            return
        }
        let (kind, primaryKey): (TableKind, PrimaryKeyColumn?) =
            switch definition.kind {
            case .embedded: (.embedded, nil)
            case .topLevel(let key): (.topLevel, key)
            case .asymmetric(let key): (.asymmetric, key)
            }
        var type: ColumnType?
        if let primaryKey {
            type = SyncNames.columnType(primaryKey.type)
            guard type != nil else { throw bad("the class '\(definition.name)' has no primary key") }
        }
        let table = try transaction.schema.addTable(name, kind: kind)
        guard let primaryKey, let type else { return }
        let column = try transaction.schema.addColumn(
            primaryKey.name.string, type, primaryKey.isNullable ? .nullable : [], to: table)
        try transaction.schema.setPrimaryKey(column, of: table)
    }

    private func addColumn(_ definition: ColumnDefinition) throws {
        if let refusal = definition.refusal { throw bad(refusal) }
        let table = try table(definition.column.table)
        if let column = table.column(named: definition.column.name.string) {
            let present = try transaction.definition(of: column, in: table)
            guard present.isSame(as: definition) else {
                throw bad("the property \(definition.column) already exists, with another definition: \(present)")
            }
            return
        }
        guard let type = SyncNames.columnType(definition.type) else { throw bad("\(definition) isn't a property") }
        var attributes: ColumnAttributes =
            switch definition.collection {
            case .single: []
            case .list: .list
            case .dictionary: .dictionary
            case .set: .set
            }
        if definition.isNullable { attributes.insert(.nullable) }
        var target: Table?
        if type == .link { target = try self.table(definition.target ?? "") }
        try transaction.schema.addColumn(
            definition.column.name.string, type, attributes, target: target?.key, to: table.key)
    }

    // MARK: Objects

    private func storedKey(_ object: ObjectReference, of table: Table) throws -> (StoredValue, ColumnKey) {
        guard let column = table.primaryKey, let info = table.column(column) else {
            throw bad("objects of '\(object.table)' have no primary key")
        }
        guard let value = SyncNames.storedKey(object.key),
            object.key.type == SyncNames.type(info.type) || object.key == .null && column.isNullable
        else { throw bad("\(object) has a primary key of the wrong type") }
        return (value, column)
    }

    /// Creates an object with the initial values at the beginning of `rest`, and consumes them. Setting them one by one
    /// would be several times slower.
    private func create(_ object: ObjectReference, _ rest: inout ArraySlice<Instruction>) throws {
        let table = try table(object.table)
        let (value, column) = try storedKey(object, of: table)
        if try table.object(primaryKey: value) != nil { return }
        defer { firstValues.clear() }
        firstValues[column] = value
        // Recorded values are set one by one, because each needs its default flag.
        if !isRecorded {
            while let (column, value) = firstValue(of: object, in: table, rest.first), firstValues[column] == nil {
                firstValues[column] = value
                rest.removeFirst()
            }
        }
        lastObject = (object, try transaction.createObject(in: table.key, firstValues, isDistinct: true))
    }

    /// Returns the column and value of an instruction that can set an initial value of the object; otherwise nil.
    private func firstValue(
        of object: ObjectReference, in table: Table, _ instruction: Instruction?
    ) -> (ColumnKey, StoredValue)? {
        guard case .change(let place, .update(let value, _))? = instruction, case .empty = place.path,
            place.object == object, let column = table.column(named: place.column.string)?.key,
            !column.isCollection, column.type != .link, let value = ChangesetApplier.plain(value)
        else { return nil }
        return (column, value)
    }

    private func erase(_ object: ObjectReference) throws {
        let table = try table(object.table)
        lastObject = nil
        guard let key = try table.object(primaryKey: storedKey(object, of: table).0) else { return }
        if table.kind == .topLevel {
            try transaction.tombstones.invalidate(key, in: table.key)
        } else {
            try transaction.removeObject(key, from: table.key)
        }
    }

    func object(_ reference: ObjectReference, in table: Table) throws -> ObjectKey {
        if let lastObject, lastObject.reference == reference { return lastObject.key }
        guard let key = try table.object(primaryKey: storedKey(reference, of: table).0) else {
            throw bad("there is no object \(reference)")
        }
        lastObject = (reference, key)
        return key
    }

    /// Returns the key of a tombstone if the object doesn't exist.
    func linkKey(_ reference: ObjectReference, in table: Table) throws -> ObjectKey {
        try transaction.tombstones.key(for: storedKey(reference, of: table).0, in: table.key)
    }

    func bad(_ message: String) -> SessionError { SessionError(.badChangeset, message) }
}
