// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Random instructions over the schema of any file: objects, values, links, collections, columns, indexes, and tables
/// are added and removed.
///
/// Without a model: the checkers verify the result. It only checks that a rejected instruction has changed nothing.
package struct RandomEditor {
    package var generator: SeededGenerator
    /// The number of objects above which tables are emptied rather than filled.
    let size: Int
    var serial = 0
    package private(set) var counts: [String: Int] = [:]

    package init(_ generator: SeededGenerator, size: Int = 300) {
        self.generator = generator
        self.size = size
    }

    package mutating func step(_ transaction: WriteTransaction) throws {
        let tables = try transaction.tableKeys()
        guard !tables.isEmpty else { return try createTable(transaction) }
        guard let table = try transaction.table(generator.pick(tables)) else { throw Failure("a table is gone") }
        try withTrace(table.name) {
            switch generator.below(100) {
            case 0..<12: try changeSchema(of: table, transaction)
            case 12..<30: try create(in: table, transaction)
            case 30..<42: try remove(from: table, transaction)
            default: try change(in: table, transaction)
            }
        }
    }

    /// Executes one instruction. If the data or the schema forbid it, it must leave everything unchanged, and nil is
    /// returned.
    @discardableResult
    mutating func give<Result>(
        _ name: String, _ transaction: WriteTransaction, mayBeRefused: Bool = false, _ body: () throws -> Result
    ) throws -> Result? {
        let before = transaction.clock.value
        do {
            let result = try body()
            counts[name, default: 0] += 1
            return result
        } catch let error as StorageError
            where mayBeRefused && (error.code == .invalidArgument || error.code == .limitExceeded)
        {
            counts[name + " refused", default: 0] += 1
            try requireEqual(transaction.clock.value, before, "the count of changes after a refused \(name)")
            return nil
        } catch {
            throw Failure("\(name): \(error)")
        }
    }

    // MARK: Choice

    mutating func object(of table: Table) throws -> ObjectKey? {
        let count = try table.count()
        guard count > 0 else { return nil }
        let position = try table.clusters.position(at: generator.below(count))
        return position.leaf.key(at: position.row)
    }

    /// Returns a possible link to `table`: an object, or the key of a missing one. Nil if there is neither.
    mutating func target(in table: Table, _ transaction: WriteTransaction) throws -> ObjectKey? {
        guard table.kind == .topLevel else { return nil }
        if generator.chance(12) {
            let known = try table.tombstoneKeys()
            if !known.isEmpty, generator.chance(40) { return generator.pick(known) }
            guard let primaryKey = table.primaryKey, let column = table.column(primaryKey) else {
                let number = ObjectKey(Int64(generator.below(1 << 20)))
                return try transaction.tombstones.key(for: number, in: table.key)
            }
            let value = RandomValues.value(column.type, isNullable: primaryKey.isNullable, &generator)
            return try transaction.tombstones.key(for: value, in: table.key)
        }
        return try object(of: table)
    }

    /// Returns a value for a single property or an element. Nil if there is nothing to link to.
    mutating func value(for column: Column, of table: Table, _ transaction: WriteTransaction) throws -> StoredValue? {
        if column.type == .link {
            if column.key.isNullable, generator.chance(20) { return .null }
            guard let other = try transaction.table(table.oppositeTables[column.leafIndex]),
                let key = try target(in: other, transaction)
            else { return nil }
            return .link(key)
        }
        if column.type == .mixed, table.kind != .asymmetric, generator.chance(35) {
            guard let other = try transaction.table(generator.pick(try transaction.tableKeys())),
                let key = try target(in: other, transaction)
            else { return .null }
            return .typedLink(ObjectLink(table: other.key, object: key))
        }
        let value = RandomValues.value(column.type, isNullable: column.key.isNullable, &generator)
        // The reference would sort a set with NaN differently (content 8.3).
        switch value {
        case .float(let number) where column.key.isSet && number.isNaN: return .float(1)
        case .double(let number) where column.key.isSet && number.isNaN: return .double(1)
        default: return value
        }
    }
}
