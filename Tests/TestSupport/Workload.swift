// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A steady stream of commits whose versions are self-checking: every value of an item follows from its number, and one
/// object has the totals of all items.
package struct Workload {
    package var generator: SeededGenerator
    private let size: Int

    package init(_ generator: SeededGenerator, size: Int = 40) {
        self.generator = generator
        self.size = size
    }

    private static let itemTable = "class_Item"
    private static let partTable = "class_Part"
    private static let stateTable = "class_State"

    private struct Columns {
        let number, text, data, numbers, next, parts: ColumnKey

        init(_ table: Table) throws {
            func key(_ name: String) throws -> ColumnKey {
                guard let column = table.column(named: name) else { throw Failure("no column \(name)") }
                return column.key
            }
            (number, text, data) = (try key("number"), try key("text"), try key("data"))
            (numbers, next, parts) = (try key("numbers"), try key("next"), try key("parts"))
        }
    }

    private static func text(_ number: Int64) -> String {
        String(repeating: "text ", count: Int(number % 5) * Int(number % 40)) + "\(number)"
    }

    private static func data(_ number: Int64) -> [UInt8] {
        (0..<Int(number * 7 % 300)).map { UInt8(truncatingIfNeeded: $0 &+ Int(number)) }
    }

    private static func numbers(_ number: Int64) -> [StoredValue] { (0..<number % 9).map { .int(number &* $0) } }

    private static func partCount(_ number: Int64) -> Int { Int(number % 3) }

    // MARK: Writing

    /// Makes the next commit; the first one creates the schema. Returns the version once it is durable.
    package mutating func commit(to database: Database) throws -> UInt64 {
        let transaction = try database.beginWrite()
        do {
            try change(transaction)
            return try transaction.commit()
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }

    package mutating func change(_ transaction: WriteTransaction) throws {
        guard let table = try transaction.table(named: Workload.itemTable) else {
            return try Workload.createSchema(transaction)
        }
        let columns = try Columns(table)
        for _ in 0...generator.below(3) {
            let count = try table.count()
            if generator.chance(count < size ? 50 : 10) || count == 0 {
                let item = try transaction.createObject(in: table.key)
                try renew(item, columns, table, transaction)
            } else {
                let position = try table.clusters.position(at: generator.below(count))
                let item = position.leaf.key(at: position.row)
                if generator.chance(count < size ? 5 : 30) {
                    try transaction.removeObject(item, from: table.key)
                } else {
                    try renew(item, columns, table, transaction)
                }
            }
        }
        try Workload.updateState(table, columns, transaction)
    }

    private static func createSchema(_ transaction: WriteTransaction) throws {
        let item = try transaction.schema.addTable(itemTable)
        let part = try transaction.schema.addTable(partTable, kind: .embedded)
        try transaction.schema.addColumn("number", .int, .indexed, to: item)
        try transaction.schema.addColumn("text", .string, .indexed, to: item)
        try transaction.schema.addColumn("data", .binary, to: item)
        try transaction.schema.addColumn("numbers", .int, .list, to: item)
        try transaction.schema.addColumn("next", .link, .nullable, target: item, to: item)
        try transaction.schema.addColumn("parts", .link, .list, target: part, to: item)
        try transaction.schema.addColumn("number", .int, to: part)
        let state = try transaction.schema.addTable(stateTable)
        try transaction.schema.addColumn("count", .int, to: state)
        try transaction.schema.addColumn("sum", .int, to: state)
        try transaction.schema.addColumn("version", .int, to: state)
        let object = try transaction.createObject(in: state)
        guard let version = try transaction.table(state)?.column(named: "version")?.key else { return }
        try transaction.set(.int(Int64(transaction.baseVersion) + 1), version, of: object, in: state)
    }

    private mutating func renew(
        _ item: ObjectKey, _ columns: Columns, _ table: Table, _ transaction: WriteTransaction
    ) throws {
        let number = Int64(generator.below(1_000_000))
        try transaction.set(.int(number), columns.number, of: item, in: table.key)
        try transaction.set(.string(Workload.text(number)), columns.text, of: item, in: table.key)
        try transaction.set(.binary(Workload.data(number)), columns.data, of: item, in: table.key)
        try transaction.list(columns.numbers, of: item, in: table.key).clear()
        for (index, value) in Workload.numbers(number).enumerated() {
            try transaction.list(columns.numbers, of: item, in: table.key).insert(value, at: index)
        }
        let next = try table.clusters.position(at: generator.below(try table.count()))
        try transaction.set(.link(next.leaf.key(at: next.row)), columns.next, of: item, in: table.key)
        try transaction.list(columns.parts, of: item, in: table.key).clear()
        guard let parts = try transaction.table(named: Workload.partTable), let part = parts.column(named: "number")
        else { return }
        for index in 0..<Workload.partCount(number) {
            let child = try transaction.list(columns.parts, of: item, in: table.key).createEmbedded(at: index)
            try transaction.set(.int(number), part.key, of: child, in: parts.key)
        }
    }

    private static func updateState(_ items: Table, _ columns: Columns, _ transaction: WriteTransaction) throws {
        guard let table = try transaction.table(named: stateTable) else { throw Failure("no \(stateTable)") }
        let totals = try totals(items, columns)
        let position = try table.clusters.position(at: 0)
        let object = position.leaf.key(at: position.row)
        let values = ["count": totals.count, "sum": totals.sum, "version": Int64(transaction.baseVersion) + 1]
        for column in table.columns {
            try transaction.set(.int(values[column.name] ?? 0), column.key, of: object, in: table.key)
        }
    }

    private static func totals(_ items: Table, _ columns: Columns) throws -> (count: Int64, sum: Int64) {
        var (count, sum) = (Int64(0), Int64(0))
        try items.clusters.forEachLeaf { leaf in
            let numbers = try leaf.column(columns.number.leafIndex, .int)
            for row in 0..<leaf.count {
                count += 1
                sum += try numbers.int(at: row)
            }
            return true
        }
        return (count, sum)
    }

    // MARK: Verification

    /// Throws unless the snapshot is a whole version of the workload, with the number stored in it.
    package static func verify(_ snapshot: Snapshot) throws {
        guard let state = try snapshot.table(named: stateTable), let items = try snapshot.table(named: itemTable) else {
            return try requireEqual(snapshot.version, 1, "the version without tables")
        }
        let columns = try Columns(items)
        let totals = try totals(items, columns)
        let position = try state.clusters.position(at: 0)
        for (name, expected) in [
            ("version", Int64(snapshot.version)), ("count", totals.count), ("sum", totals.sum),
        ] {
            guard let column = state.column(named: name) else { throw Failure("no column \(name)") }
            try requireEqual(try state.value(column, at: position), .int(expected), name)
        }
        var partCount = 0
        try items.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                partCount += try verify(leaf.key(at: row), columns, items, snapshot)
            }
            return true
        }
        try requireEqual(try snapshot.table(named: partTable)?.count(), partCount, "the number of parts")
    }

    private static func verify(
        _ item: ObjectKey, _ columns: Columns, _ table: Table, _ snapshot: Snapshot
    ) throws -> Int {
        guard case .int(let number) = try table.value(columns.number, of: item) else { throw Failure("no number") }
        try requireEqual(try table.value(columns.text, of: item), .string(text(number)), "the text of \(item)")
        try requireEqual(try table.value(columns.data, of: item), .binary(data(number)), "the data of \(item)")
        try requireEqual(try table.list(columns.numbers, of: item).values(), numbers(number), "the list of \(item)")
        try require(try table.objects(columns.number, equalTo: .int(number)).contains(item), "\(item) is not indexed")
        let parts = try table.list(columns.parts, of: item).keys()
        try requireEqual(parts.count, partCount(number), "the parts of \(item)")
        guard let partTable = try snapshot.table(named: partTable), let column = partTable.column(named: "number")
        else { throw Failure("no table of parts") }
        for part in parts { try requireEqual(try partTable.value(column.key, of: part), .int(number), "a part") }
        return parts.count
    }
}
