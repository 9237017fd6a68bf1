// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Makes the classes and objects of one state equal to those of another (§7.3, "Discard"). Equal values are left
/// unchanged, so observers are notified only of differences.
final class StateTransfer {
    private let source: any TableSource
    private let target: WriteTransaction
    private let applier: ChangesetApplier
    /// Whether the target can have asymmetric classes that the source doesn't have. They have no objects.
    private let allowsAsymmetric: Bool
    private(set) var changeCount = 0
    private var changeSize = 0

    /// - Parameter isRecorded: Whether the transfer is recorded as the target's own changes.
    init(
        from source: any TableSource, to target: WriteTransaction, isRecorded: Bool = false,
        allowsAsymmetric: Bool = false
    ) {
        self.source = source
        self.target = target
        self.allowsAsymmetric = allowsAsymmetric
        applier = ChangesetApplier(target, isRecorded: isRecorded)
    }

    struct Position {
        fileprivate var createsObjects = true
        fileprivate var table = 0
        fileprivate var object: ObjectKey?
        fileprivate var isAtStart: Bool { createsObjects && table == 0 && object == nil }
    }

    /// - Throws: `ClientResetError`, before any change, if the target has classes or properties that the source doesn't
    ///   have or defines differently.
    func run() throws {
        var position = Position()
        _ = try run(from: &position, limit: .max)
    }

    /// Transfers objects from a position until their changes exceed `limit` bytes, and advances the position. Objects
    /// are created first, without their values, so that links have targets.
    ///
    /// - Returns: Whether the transfer is complete.
    /// - Throws: As `run()`.
    func run(from position: inout Position, limit: Int) throws -> Bool {
        let tables = try classes(of: source)
        let objects = tables.filter { !$0.isEmbedded }
        if position.isAtStart {
            try requireNothingElse(than: tables)
            try addMissing(tables)
            for table in objects { try removeObjects(missingIn: table) }
        }
        if position.createsObjects {
            guard try transfer(objects, &position, limit, createObjects) else { return false }
            position = Position(createsObjects: false)
        }
        return try transfer(objects, &position, limit, changeObjects)
    }

    private func transfer(
        _ tables: [Table], _ position: inout Position, _ limit: Int,
        _ body: (Table, inout ObjectKey?, Int) throws -> Bool
    ) throws -> Bool {
        while position.table < tables.count {
            guard try body(tables[position.table], &position.object, limit) else { return false }
            position.table += 1
            position.object = nil
        }
        return true
    }

    private func classes(of source: any TableSource) throws -> [Table] {
        try source.tableKeys().compactMap { try source.table($0) }.filter { $0.className != nil }
    }

    // MARK: Schema

    private func requireNothingElse(than tables: [Table]) throws {
        var names: [Text: Table] = [:]
        for table in tables { names[Text(table.name)] = table }
        for table in try classes(of: target) {
            let name = table.className ?? table.name
            if allowsAsymmetric, table.kind == .asymmetric, names[Text(table.name)] == nil { continue }
            guard let other = names[Text(table.name)] else {
                throw ClientResetError(.schema, "the file has a class '\(name)', which the server doesn't have")
            }
            let (here, there) = (try table.definition(), try other.definition())
            guard here == there else {
                throw ClientResetError(.schema, "the file has the class \(here), where the server has \(there)")
            }
            try requireNothingElse(in: table, than: other)
        }
    }

    private func requireNothingElse(in table: Table, than other: Table) throws {
        for column in table.publicColumns where column.key != table.primaryKey {
            let here = try target.definition(of: column, in: table)
            guard let column = other.column(named: column.name) else {
                throw ClientResetError(
                    .schema, "the file has a property '\(here.column)', which the server doesn't have")
            }
            let there = try source.definition(of: column, in: other)
            guard here.isSame(as: there) else {
                throw ClientResetError(.schema, "the file has the property \(here), where the server has \(there)")
            }
        }
    }

    private func addMissing(_ tables: [Table]) throws {
        for table in tables where try target.table(named: table.name) == nil {
            try applier.apply(Changeset([.addTable(try table.definition())]))
        }
        for table in tables {
            guard let present = try target.table(named: table.name) else { continue }
            for column in table.publicColumns where present.column(named: column.name) == nil {
                try applier.apply(Changeset([.addColumn(try source.definition(of: column, in: table))]))
            }
        }
    }

    // MARK: Objects

    private func forEachObject(of table: Table, _ body: (ObjectKey, StoredValue) throws -> Void) throws {
        var start: ObjectKey?
        _ = try forEachObject(of: table, from: &start, limit: .max, body) {}
    }

    /// Calls `body` with each object from `start`, and `afterLeaf` after the objects of each leaf. Stops after `limit`
    /// bytes of changes, with `start` at the next object. Returns whether all objects were visited.
    private func forEachObject(
        of table: Table, from start: inout ObjectKey?, limit: Int, _ body: (ObjectKey, StoredValue) throws -> Void,
        afterLeaf: () throws -> Void
    ) throws -> Bool {
        guard let primaryKey = table.primaryKey else { throw SyncNames.missingPrimaryKey(table) }
        var (first, next): (ObjectKey?, ObjectKey?) = (start, nil)
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let key = leaf.key(at: row)
                if let start = first {
                    guard key >= start else { continue }
                    first = nil
                }
                guard changeSize < limit else {
                    next = key
                    return false
                }
                try body(key, table.value(primaryKey, of: key))
            }
            try afterLeaf()
            return true
        }
        start = next
        return next == nil
    }

    private func apply(_ instructions: [Instruction]) throws {
        guard !instructions.isEmpty else { return }
        try applier.apply(Changeset(instructions))
        changeCount += instructions.count
        changeSize = instructions.reduce(changeSize) { $0 + WriteSize.estimate($1) }
    }

    /// Removes objects. Links to them become links to tombstones until their property is compared. So an element of a
    /// list keeps its index if the source has the same dangling link.
    private func removeObjects(missingIn table: Table) throws {
        guard let present = try target.table(named: table.name) else { return }
        var removed: [Instruction] = []
        try forEachObject(of: present) { _, key in
            guard try table.object(primaryKey: key) == nil else { return }
            removed.append(.eraseObject(try reference(key, table)))
        }
        try apply(removed)
    }

    private func createObjects(of table: Table, from start: inout ObjectKey?, limit: Int) throws -> Bool {
        guard let present = try target.table(named: table.name) else { return true }
        var created: [Instruction] = []
        return try forEachObject(of: table, from: &start, limit: limit) { _, key in
            guard try present.object(primaryKey: key) == nil else { return }
            created.append(.createObject(try reference(key, table)))
        } afterLeaf: {
            try apply(created)
            created = []
        }
    }

    private func reference(_ key: StoredValue, _ table: Table) throws -> ObjectReference {
        ObjectReference(Text(table.className ?? table.name), try SyncNames.primaryKey(key))
    }

    private func changeObjects(of table: Table, from start: inout ObjectKey?, limit: Int) throws -> Bool {
        guard let present = try target.table(named: table.name) else { return true }
        let pairs = table.publicColumns.compactMap { column in
            column.key == table.primaryKey ? nil : present.column(named: column.name).map { (column, $0) }
        }
        return try forEachObject(of: table, from: &start, limit: limit) { object, key in
            guard let position = try table.find(object), let place = try present.find(primaryKey: key) else { return }
            var instructions: [Instruction] = []
            for (column, other) in pairs {
                let old = ContentPlace(other, place, present, target)
                let new = ContentPlace(column, position, table, source)
                guard try !new.isPlainlyEqual(to: old) else { continue }
                instructions += try ContentDifference.instructions(
                    from: old.content(), to: new.content(),
                    at: Place(reference(key, table), Text(column.name)))
            }
            try apply(instructions)
        } afterLeaf: {
        }
    }
}

private struct ContentPlace {
    let column: Column
    let position: ClusterTree.Position
    let table: Table
    let source: any TableSource

    init(_ column: Column, _ position: ClusterTree.Position, _ table: Table, _ source: any TableSource) {
        self.column = column
        self.position = position
        self.table = table
        self.source = source
    }

    /// Requires single, plain values for equality; collections and links compare as unequal.
    func isPlainlyEqual(to other: ContentPlace) throws -> Bool {
        guard !column.key.isCollection, !column.holdsLinks else { return false }
        return try table.storedValue(column, at: position)
            .isIdentical(to: other.table.storedValue(other.column, at: other.position))
    }

    func content() throws -> Content { try ContentReader(source).content(column, at: position, in: table) }
}
