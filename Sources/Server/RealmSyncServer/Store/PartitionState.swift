// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The objects of a partition, as created by its versions (§3.6). Changes that no client can apply are rejected here,
/// so they are never sent.
///
/// Links to missing objects are retained: they resolve when the object is created, and lists count them.
///
/// Each instruction costs at most logarithmic time in the size of the state, except that erasing a class costs the time
/// to free it.
struct PartitionState {
    enum Content: Equatable {
        case value(SyncValue)
        case list(PositionTree<Content>)
        case set(Set<SyncValue>)
        case dictionary([Text: Content])
        /// An embedded object, in a box because it's larger than most values.
        indirect case object(Text, Row)
    }

    struct Column {
        let definition: ColumnDefinition
        /// The key of the property in rows: its name, unless a property of this name was erased. Rows may still contain
        /// the erased property's content.
        let slot: Text
        /// The order in which properties were added.
        let number: Int
    }

    struct Table {
        let definition: TableDefinition
        fileprivate(set) var columns: [Text: Column] = [:]
        fileprivate(set) var objects: [PrimaryKey: Row] = [:]
        fileprivate var erased: [Text: Int] = [:]
        fileprivate var lastNumber = 0
        /// The number of linking properties.
        fileprivate var linksFromOthers = 0
        fileprivate var linksFromItself = 0
        /// The Mixed properties that have had links to the class. A client's file has a column for each.
        fileprivate var mixedOrigins: Set<ColumnReference> = []

        init(_ definition: TableDefinition) { self.definition = definition }

        /// `nil` for an embedded class.
        var primaryKey: PrimaryKeyColumn? {
            switch definition.kind {
            case .embedded: nil
            case .topLevel(let key), .asymmetric(let key): key
            }
        }

        /// Room for another column of any type in a client's file.
        fileprivate var hasRoom: Bool {
            columns.count + linksFromOthers + linksFromItself + mixedOrigins.count + 1 < FileFormat.leafIndexCount / 2
        }
    }

    private(set) var tables: [Text: Table] = [:]
    /// Whether rows also have the properties whose initial content was assigned.
    var retainsInitialContent = false
    private var undo: [Step] = []
    /// The changes that `undo` can take back.
    private var tentative: [Changeset] = []

    private struct Step {
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
        case table(Table?)
        case column(Column?)
    }

    /// A database's collections aren't nested deeper.
    static let longestPath = 128
    /// A client's file has a few additional tables.
    private static let maximumTableCount = FileFormat.maximumTableCount - 64

    mutating func apply(_ changeset: Changeset) throws(StateError) { try apply([changeset]) }

    /// If it throws, nothing is changed.
    mutating func apply(_ changesets: [Changeset]) throws(StateError) {
        try begin(changesets)
        confirm()
    }

    mutating func begin(_ changeset: Changeset) throws(StateError) { try begin([changeset]) }

    mutating func confirm() { (undo, tentative) = ([], []) }

    /// Takes back the changes that were begun and not confirmed.
    mutating func takeBack() {
        while let step = undo.popLast() {
            restore(step.undo, tentative[step.changeset].instructions[step.position])
        }
        tentative = []
    }

    /// Applies changes that can be taken back until they are confirmed. If it throws, nothing is changed.
    private mutating func begin(_ changesets: [Changeset]) throws(StateError) {
        tentative = changesets
        do throws(StateError) {
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

    func holds(_ object: ObjectReference) -> Bool { tables[object.table]?.objects[object.key] != nil }

    /// Passes the instructions that can't be applied to `drop`.
    mutating func apply(_ changeset: Changeset, dropping drop: (Instruction, StateError) -> Void) {
        for instruction in changeset.instructions {
            do throws(StateError) { _ = try apply(instruction) } catch { drop(instruction, error) }
        }
    }

    private mutating func apply(_ instruction: Instruction) throws(StateError) -> Undo? {
        switch instruction {
        case .addTable(let definition): return try addTable(definition)
        case .eraseTable(let name): return try eraseTable(name)
        case .addColumn(let definition): return try addColumn(definition)
        case .eraseColumn(let column): return try eraseColumn(column)
        case .createObject(let object): return try createObject(object)
        case .eraseObject(let object):
            try requireKey(object)
            return tables[object.table]?.objects.removeValue(forKey: object.key).map { .row($0) }
        case .change(let place, let change): return try self.change(place, change)
        }
    }

    /// Creates objects of asymmetric classes, and returns them instead of retaining them. If it throws, they remain in
    /// the state.
    mutating func takeCreated(_ instructions: [Instruction]) throws(StateError) -> [(ObjectReference, Row)] {
        var created: [ObjectReference] = []
        for instruction in instructions {
            guard case .createObject(let object) = instruction else {
                _ = try apply(instruction)
                continue
            }
            try requireKey(object)
            guard tables[object.table]?.objects.updateValue([:], forKey: object.key) == nil else {
                throw StateError("\(object) is created twice")
            }
            created.append(object)
        }
        return created.map { ($0, tables[$0.table]?.objects.removeValue(forKey: $0.key) ?? [:]) }
    }

    private mutating func restore(_ undo: Undo, _ instruction: Instruction) {
        switch (undo, instruction) {
        case (.row(let row), .createObject(let object)), (.row(let row), .eraseObject(let object)):
            tables[object.table]?.objects[object.key] = row
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

    private func requireTable(_ name: Text) throws(StateError) -> Table {
        guard let table = tables[name] else { throw StateError("the class \(name.short) doesn't exist") }
        return table
    }

    private func requireKey(_ object: ObjectReference) throws(StateError) {
        guard let key = try requireTable(object.table).primaryKey else {
            throw StateError("\(object.table) has no objects of its own")
        }
        guard object.key.type == key.type || object.key == .null && key.isNullable else {
            throw StateError("\(object) has not the primary key of its class")
        }
    }

    private mutating func createObject(_ object: ObjectReference) throws(StateError) -> Undo? {
        try requireKey(object)
        guard case .topLevel? = tables[object.table]?.definition.kind else {
            throw StateError("\(object.table) has no objects of its own")
        }
        guard tables[object.table]?.objects[object.key] == nil else { return nil }
        tables[object.table]?.objects[object.key] = [:]
        return .row(nil)
    }

    // MARK: Schema

    private mutating func addTable(_ definition: TableDefinition) throws(StateError) -> Undo? {
        if let refusal = definition.refusal { throw StateError(refusal) }
        if let present = tables[definition.name]?.definition {
            guard present == definition else { throw StateError("class \(definition.name) is another one already") }
            return nil
        }
        guard tables.count < PartitionState.maximumTableCount else { throw StateError("there are too many classes") }
        tables[definition.name] = Table(definition)
        return .table(nil)
    }

    private mutating func eraseTable(_ name: Text) throws(StateError) -> Undo? {
        let table = try requireTable(name)
        guard table.linksFromOthers == 0, table.mixedOrigins.isEmpty else {
            throw StateError("the class \(name) cannot be erased: another one links to it")
        }
        for column in table.columns.values { count(column.definition, by: -1) }
        return .table(tables.removeValue(forKey: name))
    }

    private mutating func addColumn(_ definition: ColumnDefinition) throws(StateError) -> Undo? {
        if let refusal = definition.refusal { throw StateError(refusal) }
        let (name, property) = (definition.column.table, definition.column.name)
        guard let kind = tables[name]?.definition.kind else {
            throw StateError("the class \(name.short) doesn't exist")
        }
        if let present = present(property, of: name) {
            guard present.isSame(as: definition) else {
                throw StateError("\(name).\(property) is another property already")
            }
            return nil
        }
        guard tables[name]?.hasRoom == true else { throw StateError("\(name) has too many properties") }
        try requireTarget(definition, kind)
        let number = (tables[name]?.lastNumber ?? 0) + 1
        let slot = PartitionState.slot(of: property, after: tables[name]?.erased[property] ?? 0)
        tables[name]?.columns[property] = Column(definition: definition, slot: slot, number: number)
        tables[name]?.lastNumber = number
        count(definition, by: 1)
        return .column(nil)
    }

    /// The property can be the primary key.
    private func present(_ property: Text, of table: Text) -> ColumnDefinition? {
        if let column = tables[table]?.columns[property] { return column.definition }
        guard let key = tables[table]?.primaryKey, key.name == property else { return nil }
        return ColumnDefinition(ColumnReference(table, property), key.type, isNullable: key.isNullable, .single)
    }

    /// The slot is unique, because names are shorter.
    private static func slot(of property: Text, after erased: Int) -> Text {
        guard erased > 0 else { return property }
        return Text(property.string + String(repeating: " ", count: FileFormat.maximumNameByteCount + 1) + "\(erased)")
    }

    private func requireTarget(_ definition: ColumnDefinition, _ origin: TableDefinition.Kind) throws(StateError) {
        guard definition.type == .link else { return }
        guard let target = tables[definition.target ?? ""] else {
            throw StateError("\(definition.column) links to a class that is not there")
        }
        switch (target.definition.kind, origin) {
        case (.asymmetric, _), (.topLevel, .asymmetric):
            throw StateError("\(definition.column) cannot link to \(target.definition.name)")
        case (.embedded, _) where definition.collection == .set:
            throw StateError("\(definition.column) cannot be a set of embedded objects")
        default: break
        }
        guard target.hasRoom else { throw StateError("too many properties link to \(target.definition.name)") }
    }

    /// Counts the links of the property's target.
    private mutating func count(_ definition: ColumnDefinition, by amount: Int) {
        guard definition.type == .link, let target = definition.target else { return }
        if target == definition.column.table {
            tables[target]?.linksFromItself += amount
        } else {
            tables[target]?.linksFromOthers += amount
        }
    }

    /// The property's contents in rows can't be reached afterwards.
    private mutating func eraseColumn(_ name: ColumnReference) throws(StateError) -> Undo? {
        guard let column = tables[name.table]?.columns.removeValue(forKey: name.name) else {
            throw StateError("the property \(name.table.short).\(name.name.short) doesn't exist")
        }
        tables[name.table]?.erased[name.name, default: 0] += 1
        count(column.definition, by: -1)
        return .column(column)
    }

    // MARK: Values

    private mutating func change(_ place: Place, _ change: Change) throws(StateError) -> Undo? {
        try requireKey(place.object)
        guard let column = tables[place.object.table]?.columns[place.column] else {
            throw StateError("the property \(place.object.table).\(place.column.short) doesn't exist")
        }
        guard tables[place.object.table]?.objects[place.object.key] != nil else {
            throw StateError("the object \(place.object) doesn't exist")
        }
        guard place.path.count <= PartitionState.longestPath else { throw StateError("a path is too long") }
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

    private mutating func take(_ column: Column, of object: ObjectReference) -> Content {
        tables[object.table]?.objects[object.key]?.removeValue(forKey: column.slot)
            ?? PartitionState.start(of: column.definition)
    }

    private mutating func put(_ content: Content, _ column: Column, of object: ObjectReference) {
        guard retainsInitialContent || content != PartitionState.start(of: column.definition) else { return }
        tables[object.table]?.objects[object.key]?[column.slot] = content
    }

    private mutating func restore(_ undo: Undo, _ change: Change, at place: Place) {
        guard let column = tables[place.object.table]?.columns[place.column] else { return }
        var content = take(column, of: place.object)
        restore(undo, change, &content, place.path.elements[...])
        put(content, column, of: place.object)
    }

    func requireRoom(for origin: ColumnReference, in target: Table) throws(StateError) {
        guard target.hasRoom || target.mixedOrigins.contains(origin) else {
            throw StateError("too many properties link to \(target.definition.name)")
        }
    }

    static func start(of column: ColumnDefinition) -> Content {
        switch column.collection {
        case .list: return .list(PositionTree())
        case .dictionary: return .dictionary([:])
        case .set: return .set([])
        case .single: break
        }
        if column.isNullable { return .value(.null) }
        return switch column.type {
        case .int: .value(.int(0))
        case .bool: .value(.bool(false))
        case .string: .value(.string(""))
        case .double: .value(.double(0))
        case .float: .value(.float(0))
        case .binary: .value(.binary([]))
        // Only null equals it, which can't be assigned to such a property.
        default: .value(.null)
        }
    }
}

/// No client can apply the change.
struct StateError: Error, CustomStringConvertible {
    let message: String

    @inline(never) init(_ message: String) { self.message = message }

    var description: String { "bad changeset: \(message)" }
}

extension Change {
    var value: SyncValue? {
        switch self {
        case .update(let value, _), .updateElement(let value, _), .insert(let value, _), .setInsert(let value): value
        default: nil
        }
    }
}
