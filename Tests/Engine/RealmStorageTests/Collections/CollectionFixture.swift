// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

@testable import RealmStorage

/// A database with an object that has a collection of every type, and two link targets. Audited after the test.
final class CollectionFixture {
    let test: TestDatabase
    private(set) var table = TableKey.null
    private(set) var target = TableKey.null
    private(set) var part = TableKey.null
    private(set) var object = ObjectKey.null
    private(set) var targets: [ObjectKey] = []
    private var columns: [String: ColumnKey] = [:]

    static let types = RandomValues.types

    init() throws {
        test = try TestDatabase()
        try test.write { transaction in
            table = try transaction.schema.addTable("class_Holder")
            target = try transaction.schema.addTable("class_Target")
            part = try transaction.schema.addTable("class_Part", kind: .embedded)
            for type in CollectionFixture.types {
                for isNullable in [false, true] where isNullable || type != .mixed {
                    try addColumns(type, isNullable ? .nullable : [], transaction)
                }
            }
            columns["any"] = try transaction.schema.addColumn("any", .mixed, .nullable, to: table)
            columns["indexed"] = try transaction.schema.addColumn("indexed", .mixed, [.nullable, .indexed], to: table)
            for (name, attributes) in [("list", .list), ("set", .set), ("dictionary", [.dictionary, .nullable])]
                as [(String, ColumnAttributes)]
            {
                columns["link " + name] = try transaction.schema.addColumn(
                    "link " + name, .link, attributes, target: target, to: table)
            }
            columns["parts"] = try transaction.schema.addColumn(
                "parts", .link, [.dictionary, .nullable], target: part, to: table)
            columns["part"] = try transaction.schema.addColumn("part", .link, .nullable, target: part, to: part)
            columns["partLink"] = try transaction.schema.addColumn("link", .link, .nullable, target: target, to: part)
            object = try transaction.createObject(in: table)
            targets = try (0..<3).map { _ in try transaction.createObject(in: target) }
        }
        nonisolated(unsafe) let test = test
        TestCleanup.add { try test.close() }
    }

    private func addColumns(
        _ type: ColumnType, _ attributes: ColumnAttributes, _ transaction: WriteTransaction
    ) throws {
        for (kind, attribute) in [("list", .list), ("set", .set), ("dictionary", .dictionary)]
            as [(String, ColumnAttributes)]
        {
            let name = "\(type) \(kind)\(attributes.contains(.nullable) ? "?" : "")"
            columns[name] = try transaction.schema.addColumn(name, type, attributes.union(attribute), to: table)
        }
    }

    func column(_ name: String) -> ColumnKey { columns[name]! }

    func path(_ name: String, _ steps: CollectionPath.Step...) -> CollectionPath {
        CollectionPath(column(name), of: object, in: table, steps: steps)
    }

    func link(_ index: Int) -> StoredValue { .typedLink(ObjectLink(table: target, object: targets[index])) }

    func value(_ name: String, in source: some TableSource) throws -> ModelValue {
        let table = try source.table(table)!
        return try ModelValue(try table.require(column(name)), of: table, at: try table.requireObject(object))
    }

    func backlinkCount(_ index: Int, in source: some TableSource) throws -> Int {
        let table = try source.table(target)!
        let position = try table.requireObject(targets[index])
        return try table.backlinkColumns.reduce(0) { try $0 + table.backlinkCount($1, at: position) }
    }

    /// Requires that `body` is rejected with `code` and changes nothing.
    func refuses(
        _ code: StorageError.Code, _ transaction: WriteTransaction, _ body: (WriteTransaction) throws -> Void
    ) throws {
        let before = (transaction.clock.value, try SnapshotText.lines(of: transaction))
        do {
            try body(transaction)
        } catch let error as StorageError {
            try requireEqual(error.code, code, "the refusal (\(error.message))")
            try requireEqual(transaction.clock.value, before.0, "the count of changes after a refusal")
            return try requireEqual(try SnapshotText.lines(of: transaction), before.1, "what is there after a refusal")
        }
        throw Failure("what should be refused was done")
    }
}
