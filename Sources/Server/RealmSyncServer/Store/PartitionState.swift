// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The objects of a partition, as created by its versions (§3.6). Changes that no client can apply are rejected here,
/// so they are never sent.
///
/// The objects are in `documents.realm`; only those that changed since its version are in memory (`StoredRows`). A
/// small state is in memory as a whole, so that many small partitions don't need open files.
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
        /// The generation in which the property was added.
        fileprivate let generation: UInt64
    }

    /// An object in memory.
    struct Entry {
        /// `nil` if the object doesn't exist.
        fileprivate(set) var row: Row?
        /// The generation of the last change; 0 if the object is as stored.
        fileprivate(set) var generation: UInt64

        fileprivate var exists: Bool { row != nil }
    }

    /// The version of the objects that aren't in memory.
    struct Stored {
        let version: SaltedVersion
        /// The last generation whose changes the version contains.
        let generation: UInt64
    }

    struct Table {
        let definition: TableDefinition
        fileprivate(set) var columns: [Text: Column] = [:]
        /// The objects in memory.
        fileprivate(set) var rows: [PrimaryKey: Entry] = [:]
        /// The number of objects.
        fileprivate(set) var count = 0
        /// The generation in which the class was added.
        fileprivate let generation: UInt64
        fileprivate var erased: [Text: Int] = [:]
        fileprivate var lastNumber = 0
        /// The number of linking properties.
        fileprivate var linksFromOthers = 0
        fileprivate var linksFromItself = 0
        /// The Mixed properties that have had links to the class. A client's file has a column for each.
        fileprivate var mixedOrigins: Set<ColumnReference> = []

        fileprivate init(_ definition: TableDefinition, generation: UInt64) {
            (self.definition, self.generation) = (definition, generation)
        }

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
    /// `nil` if all objects are in memory.
    private(set) var stored: Stored?
    /// The objects of `stored`.
    private var storedRows: StoredRows?
    /// Incremented before each attempt to store the objects.
    private var generation: UInt64 = 1
    /// Whether `stored` may be set to the version of an earlier generation.
    private var isStoring = false
    /// The objects that were read for changes which can be taken back.
    private var loaded: [ObjectReference] = []
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
    private mutating func begin(_ changesets: [Changeset]) throws {
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

    private mutating func apply(_ instruction: Instruction) throws -> Undo? {
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
                throw StateError("\(object) is created twice")
            }
            put([:], of: object)
            created.append(object)
        }
        return created.map { ($0, tables[$0.table]?.rows.removeValue(forKey: $0.key)?.row ?? [:]) }
    }

    private mutating func restore(_ undo: Undo, _ instruction: Instruction) {
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

    private mutating func createObject(_ object: ObjectReference) throws -> Undo? {
        try requireKey(object)
        guard case .topLevel? = tables[object.table]?.definition.kind else {
            throw StateError("\(object.table) has no objects of its own")
        }
        guard try !load(object) else { return nil }
        put([:], of: object)
        return .row(nil)
    }

    /// Sets or erases the row of an object, which must be in memory.
    private mutating func put(_ row: Row?, of object: ObjectReference) {
        let existed = tables[object.table]?.rows[object.key]?.exists == true
        if existed != (row != nil) { tables[object.table]?.count += existed ? -1 : 1 }
        let isForgotten = row == nil && stored == nil && !isStoring
        tables[object.table]?.rows[object.key] = isForgotten ? nil : Entry(row: row, generation: generation)
    }

    // MARK: Schema

    private mutating func addTable(_ definition: TableDefinition) throws(StateError) -> Undo? {
        if let refusal = definition.refusal { throw StateError(refusal) }
        if let present = tables[definition.name]?.definition {
            guard present == definition else { throw StateError("class \(definition.name) is another one already") }
            return nil
        }
        guard tables.count < PartitionState.maximumTableCount else { throw StateError("there are too many classes") }
        tables[definition.name] = Table(definition, generation: generation)
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
        tables[name]?.columns[property] = Column(
            definition: definition, slot: slot, number: number, generation: generation)
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

    private mutating func change(_ place: Place, _ change: Change) throws -> Undo? {
        try requireKey(place.object)
        guard let column = tables[place.object.table]?.columns[place.column] else {
            throw StateError("the property \(place.object.table).\(place.column.short) doesn't exist")
        }
        guard try load(place.object) else {
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
        tables[object.table]?.rows[object.key]?.row?.removeValue(forKey: column.slot)
            ?? PartitionState.start(of: column.definition)
    }

    private mutating func put(_ content: Content, _ column: Column, of object: ObjectReference) {
        tables[object.table]?.rows[object.key]?.generation = generation
        guard retainsInitialContent || content != PartitionState.start(of: column.definition) else { return }
        tables[object.table]?.rows[object.key]?.row?[column.slot] = content
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

extension PartitionState {
    // MARK: Objects

    /// Whether the objects of the class that aren't in memory are stored.
    private func isStored(_ name: Text) -> Bool {
        guard let stored, let generation = tables[name]?.generation else { return false }
        return generation <= stored.generation
    }

    /// - Throws: `StorageError`.
    func holds(_ object: ObjectReference) throws -> Bool {
        if let exists = tables[object.table]?.rows[object.key]?.exists { return exists }
        return isStored(object.table) ? try storedRows?.contains(object) == true : false
    }

    /// Returns `nil` if the object doesn't exist.
    ///
    /// - Throws: `StorageError`.
    func row(of object: ObjectReference) throws -> Row? {
        if let entry = tables[object.table]?.rows[object.key] { return entry.row }
        return try storedRow(of: object)
    }

    private func storedRow(of object: ObjectReference) throws -> Row? {
        guard isStored(object.table) else { return nil }
        return try storedRows?.row(of: object) { slots(of: $0) }
    }

    /// Returns the keys in rows of the properties of a stored class. Contents of erased properties are omitted.
    private func slots(of found: RowReader.Class) -> [Text?] {
        guard let stored, let columns = tables[found.definition.name]?.columns else { return [] }
        return found.slots.map { property in
            property.flatMap { columns[$0] }.flatMap { $0.generation <= stored.generation ? $0.slot : nil }
        }
    }

    /// Passes the objects that exist, in the given order. Consecutive objects of the stored file are read faster than
    /// others.
    ///
    /// - Throws: `StorageError`, or any error of `body`.
    func forEachRow(of objects: [ObjectReference], _ body: (ObjectReference, Row) throws -> Void) throws {
        var known: [Text: [Text?]] = [:]
        var last: (name: Text, rows: [PrimaryKey: Entry], isStored: Bool) = ("", [:], false)
        for object in objects {
            if last.name != object.table {
                last = (object.table, tables[object.table]?.rows ?? [:], isStored(object.table))
            }
            if let entry = last.rows[object.key] {
                if let row = entry.row { try body(object, row) }
                continue
            }
            guard last.isStored else { continue }
            let row = try storedRows?.row(of: object) { found in
                if let slots = known[found.definition.name] { return slots }
                let slots = slots(of: found)
                known[found.definition.name] = slots
                return slots
            }
            if let row { try body(object, row) }
        }
    }

    var columnsBySlot: [Text: [Text: ColumnDefinition]] {
        tables.mapValues { table in
            Dictionary(uniqueKeysWithValues: table.columns.values.map { ($0.slot, $0.definition) })
        }
    }

    /// Reads an object into memory. Returns whether it exists.
    private mutating func load(_ object: ObjectReference) throws -> Bool {
        if let exists = tables[object.table]?.rows[object.key]?.exists { return exists }
        guard isStored(object.table) else { return false }
        let row = try storedRow(of: object)
        tables[object.table]?.rows[object.key] = Entry(row: row, generation: 0)
        loaded.append(object)
        return row != nil
    }

    /// Returns the keys of the objects of a class, in order.
    ///
    /// - Throws: `StorageError`.
    func keys(of name: Text) throws -> [PrimaryKey] {
        guard let table = tables[name] else { return [] }
        var keys = table.rows.compactMap { $0.value.exists ? $0.key : nil }
        if isStored(name) { keys += try storedRows?.keys(of: name).filter { table.rows[$0] == nil } ?? [] }
        return keys.sorted()
    }

    var objectCount: Int { tables.values.reduce(0) { $0 + $1.count } }

    // MARK: Storing

    /// A state whose objects are stored.
    ///
    /// - Throws: `StorageError`.
    init(_ rows: StoredRows, _ version: SaltedVersion) throws {
        self.init()
        (storedRows, stored) = (rows, Stored(version: version, generation: 0))
        let classes = try rows.classes()
        for found in classes {
            var table = Table(found.definition, generation: 0)
            table.count = found.count
            tables[found.definition.name] = table
        }
        for definition in classes.flatMap(\.columns) {
            let (name, property) = (definition.column.table, definition.column.name)
            let number = (tables[name]?.lastNumber ?? 0) + 1
            tables[name]?.columns[property] = Column(
                definition: definition, slot: property, number: number, generation: 0)
            tables[name]?.lastNumber = number
            count(definition, by: 1)
        }
        for found in classes { tables[found.definition.name]?.mixedOrigins = found.mixedOrigins }
    }

    /// Begins to store the present objects. Returns their generation for `didStore`.
    mutating func beginStoring() -> UInt64 {
        defer { generation += 1 }
        if isStoring, stored == nil { for name in tables.keys { tables[name]?.forgetErased() } }
        isStoring = true
        return generation
    }

    /// Forgets the stored objects, unless they are few.
    ///
    /// - Parameters:
    ///   - maxWhole: The number of objects that remain in memory.
    ///   - open: Opens the objects of the version, or of a later one.
    mutating func didStore(
        _ version: SaltedVersion, through generation: UInt64, maxWhole: Int,
        _ open: @escaping () throws -> Snapshot
    ) {
        let isLarge = tables.values.reduce(0) { $0 + $1.rows.count } > maxWhole
        guard stored != nil || isLarge, stored.map({ $0.generation < generation }) ?? true else { return }
        stored = Stored(version: version, generation: generation)
        storedRows = StoredRows(open)
        guard isLarge else { return }
        for name in tables.keys { tables[name]?.forget(through: generation) }
    }

    /// Closes the file of the stored objects until it's needed again.
    func releaseRows() { storedRows?.release() }
}

extension PartitionState.Table {
    fileprivate mutating func forgetErased() {
        if rows.count > count { rows = rows.filter { $0.value.exists } }
    }

    fileprivate mutating func forget(through generation: UInt64) {
        rows = rows.filter { $0.value.generation > generation }
    }
}

extension PartitionState {
    /// The value of a new object's property in a file.
    static func initial(_ column: ColumnDefinition) -> Content {
        let start = start(of: column)
        guard start == .value(.null), !column.isNullable else { return start }
        return switch column.type {
        case .timestamp: .value(.timestamp(Timestamp(seconds: 0, nanoseconds: 0)))
        case .decimal: .value(.decimal(.zero))
        case .objectId: .value(.objectId(ObjectIdBytes(high: 0, low: 0)))
        case .uuid: .value(.uuid(UUIDBytes(high: 0, low: 0)))
        default: start
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
