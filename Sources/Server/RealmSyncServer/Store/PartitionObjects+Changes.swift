// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Changes that can be taken back until they are confirmed.
extension PartitionObjects {
    struct Step {
        let changeset: Int
        let position: Int
        let undo: Undo
    }

    enum Undo {
        /// `nil` if the object didn't exist.
        case row(Row?)
        /// `nil` if the key didn't exist.
        case content(Content?)
        case member(wasThere: Bool)
        case inserted
        case removed(Content)
        case moved
        case table(ObjectClass?)
        case column(ObjectClass.Column?)
    }

    /// - Throws: As `apply(_:)` of several.
    mutating func apply(_ changeset: Changeset) throws { try apply([changeset]) }

    /// - Throws: `StateError` if no client can apply a change, `StorageError`. Then nothing is changed.
    mutating func apply(_ changesets: [Changeset]) throws {
        try begin(changesets)
        confirm()
    }

    /// - Throws: As `apply`.
    mutating func begin(_ changeset: Changeset) throws { try begin([changeset]) }

    mutating func confirm() { (undo, tentative, loaded) = ([], [], []) }

    /// Takes back the changes that were begun and not confirmed.
    mutating func takeBack() {
        while let step = undo.popLast() {
            restore(step.undo, tentative[step.changeset].instructions[step.position])
        }
        // Without the contents of properties that were erased meanwhile.
        for object in loaded { tables[object.table]?.rows[object.key] = nil }
        (tentative, loaded) = ([], [])
    }

    /// Applies changes that can be taken back until they are confirmed. If it throws, nothing is changed.
    mutating func begin(_ changesets: [Changeset]) throws {
        (tentative, loaded) = (changesets, [])
        do {
            for (index, changeset) in changesets.enumerated() {
                for (position, instruction) in changeset.instructions.enumerated() {
                    guard let step = try apply(instruction) else { continue }
                    undo.append(Step(changeset: index, position: position, undo: step))
                }
            }
        } catch {
            takeBack()
            throw error
        }
    }

    /// Passes the instructions that can't be applied to `drop`.
    ///
    /// - Throws: `StorageError`.
    mutating func apply(_ changeset: Changeset, dropping drop: (Instruction, StateError) -> Void) throws {
        for instruction in changeset.instructions {
            do { _ = try apply(instruction) } catch let error as StateError { drop(instruction, error) }
        }
        loaded = []
    }

    mutating func apply(_ instruction: Instruction) throws -> Undo? {
        switch instruction {
        case .addTable(let definition): return try addTable(definition)
        case .eraseTable(let name): return try eraseTable(name)
        case .addColumn(let definition): return try addColumn(definition)
        case .eraseColumn(let column): return try eraseColumn(column)
        case .createObject(let object): return try createObject(object)
        case .eraseObject(let object):
            try requireKey(object)
            guard try load(object), let row = tables[object.table]?.rows[object.key]?.row else { return nil }
            put(nil, of: object)
            return .row(row)
        case .change(let place, let change): return try self.change(place, change)
        }
    }

    /// Creates objects of asymmetric classes, and returns them instead of retaining them. If it throws, they remain in
    /// the state.
    mutating func takeCreated(_ instructions: [Instruction]) throws -> [(ObjectReference, Row)] {
        var created: [ObjectReference] = []
        for instruction in instructions {
            guard case .createObject(let object) = instruction else {
                _ = try apply(instruction)
                continue
            }
            try requireKey(object)
            guard tables[object.table]?.rows[object.key] == nil else {
                throw StateError("an object of \(object.table) is created twice")
            }
            put([:], of: object)
            created.append(object)
        }
        return created.map { ($0, tables[$0.table]?.rows.removeValue(forKey: $0.key)?.row ?? [:]) }
    }

    mutating func restore(_ undo: Undo, _ instruction: Instruction) {
        switch (undo, instruction) {
        case (.row(let row), .createObject(let object)), (.row(let row), .eraseObject(let object)):
            put(row, of: object)
        case (.table(let table), _):
            tables[instruction.table] = table
            for column in table?.columns.values.map(\.definition) ?? [] { count(column, by: 1) }
        case (.column, .addColumn(let definition)):
            tables[definition.column.table]?.columns[definition.column.name] = nil
            count(definition, by: -1)
        case (.column(let column?), .eraseColumn(let name)):
            tables[name.table]?.columns[name.name] = column
            tables[name.table]?.erased[name.name, default: 1] -= 1
            count(column.definition, by: 1)
        case (_, .change(let place, let change)): restore(undo, change, at: place)
        default: break
        }
    }

    // MARK: Objects

    func requireTable(_ name: Text) throws(StateError) -> ObjectClass {
        guard let table = tables[name] else { throw StateError("the class \(name.short) doesn't exist") }
        return table
    }

    func requireKey(_ object: ObjectReference) throws(StateError) {
        guard let key = try requireTable(object.table).primaryKey else {
            throw StateError("\(object.table) has no objects of its own")
        }
        guard object.key.type == key.type || object.key == .null && key.isNullable else {
            throw StateError("an object of \(object.table) has not the primary key of its class")
        }
    }

    mutating func createObject(_ object: ObjectReference) throws -> Undo? {
        try requireKey(object)
        guard case .topLevel? = tables[object.table]?.definition.kind else {
            throw StateError("\(object.table) has no objects of its own")
        }
        guard try !load(object) else { return nil }
        put([:], of: object)
        return .row(nil)
    }

    /// Sets or erases the row of an object, which must be in memory.
    mutating func put(_ row: Row?, of object: ObjectReference) {
        let existed = tables[object.table]?.rows[object.key]?.exists == true
        if existed != (row != nil) { tables[object.table]?.count += existed ? -1 : 1 }
        let isForgotten = row == nil && stored == nil && !isStoring
        tables[object.table]?.rows[object.key] = isForgotten ? nil : ObjectClass.Entry(row: row, generation: generation)
    }

    // MARK: Values

    mutating func change(_ place: Place, _ change: Change) throws -> Undo? {
        try requireKey(place.object)
        guard let column = tables[place.object.table]?.columns[place.column] else {
            throw StateError("the property \(place.object.table).\(place.column.short) doesn't exist")
        }
        guard try load(place.object) else {
            throw StateError("the object of a change to \(place.object.table).\(place.column) doesn't exist")
        }
        guard place.path.count <= PartitionObjects.longestPath else { throw StateError("a path is too long") }
        // Moved out of the object, so that a large collection is changed in place.
        var content = take(column, of: place.object)
        defer { put(content, column, of: place.object) }
        var origin: ColumnReference?
        let undo = try self.change(
            &content, ContentSpot(column.definition), place.path.elements[...], change, &origin)
        if let origin, case .link(let target)? = change.value,
            tables[target.table]?.mixedOrigins.contains(origin) == false
        {
            tables[target.table]?.mixedOrigins.insert(origin)
        }
        return undo
    }

    mutating func take(_ column: ObjectClass.Column, of object: ObjectReference) -> Content {
        tables[object.table]?.rows[object.key]?.row?.removeValue(forKey: column.slot)
            ?? ObjectContent.start(of: column.definition)
    }

    mutating func put(_ content: Content, _ column: ObjectClass.Column, of object: ObjectReference) {
        tables[object.table]?.rows[object.key]?.generation = generation
        guard retainsInitialContent || content != ObjectContent.start(of: column.definition) else { return }
        tables[object.table]?.rows[object.key]?.row?[column.slot] = content
    }

    mutating func restore(_ undo: Undo, _ change: Change, at place: Place) {
        guard let column = tables[place.object.table]?.columns[place.column] else { return }
        var content = take(column, of: place.object)
        restore(undo, change, &content, place.path.elements[...])
        put(content, column, of: place.object)
    }

    func requireRoom(for origin: ColumnReference, in target: ObjectClass) throws(StateError) {
        guard target.hasRoom || target.mixedOrigins.contains(origin) else {
            throw StateError("too many properties link to \(target.definition.name)")
        }
    }
}

extension Change {
    var value: SyncValue? {
        switch self {
        case .update(let value, _), .updateElement(let value, _), .insert(let value, _), .setInsert(let value): value
        default: nil
        }
    }
}
