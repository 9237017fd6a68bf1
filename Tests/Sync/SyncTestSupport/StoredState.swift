// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport

/// Reads a file's content as a model for comparisons. It reads independently, and uses only names from the recorder.
package enum StoredState {
    package static func model(of source: any TableSource) throws -> SyncModel {
        var model = SyncModel()
        try model.apply(try changeset(of: source))
        return model
    }

    /// Returns the classes, then the objects, then their values.
    package static func changeset(of source: any TableSource) throws -> Changeset {
        var instructions: [Instruction] = []
        var tables: [Table] = []
        for key in try source.tableKeys() {
            if let table = try source.table(key), table.className != nil { tables.append(table) }
        }
        for table in tables { instructions.append(.addTable(try definition(of: table))) }
        for table in tables {
            for column in table.publicColumns where column.key != table.primaryKey {
                instructions.append(.addColumn(try definition(of: column, in: table, source)))
            }
        }
        for table in tables where !table.isEmbedded {
            try table.clusters.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    let object = try unwrap(source.reference(to: leaf.key(at: row), in: table))
                    instructions.append(.createObject(object))
                }
                return true
            }
        }
        for table in tables where !table.isEmbedded {
            try table.clusters.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    let key = leaf.key(at: row)
                    let object = try unwrap(source.reference(to: key, in: table))
                    try describe(key, table, source, at: object, nil, [], &instructions)
                }
                return true
            }
        }
        return Changeset(instructions)
    }

    private static func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Failure("nothing") }
        return value
    }

    // MARK: Schema

    private static let types: [ColumnType: ValueType] = [
        .int: .int, .bool: .bool, .string: .string, .binary: .binary, .mixed: .null, .timestamp: .timestamp,
        .float: .float, .double: .double, .decimal: .decimal, .link: .link, .objectId: .objectId, .uuid: .uuid,
    ]

    private static func definition(of table: Table) throws -> TableDefinition {
        let name = Text(try unwrap(table.className))
        if table.isEmbedded { return TableDefinition(name, .embedded) }
        let column = try unwrap(table.primaryKey.flatMap { table.column($0) })
        let key = PrimaryKeyColumn(
            Text(column.name), try unwrap(types[column.type]), isNullable: column.key.isNullable)
        return TableDefinition(name, table.kind == .asymmetric ? .asymmetric(key) : .topLevel(key))
    }

    private static func definition(
        of column: Column, in table: Table, _ source: any TableSource
    ) throws -> ColumnDefinition {
        let kind: CollectionKind =
            column.key.isList ? .list : column.key.isSet ? .set : column.key.isDictionary ? .dictionary : .single
        var target: Text?
        if column.type == .link {
            target = Text(try unwrap(source.table(table.oppositeTables[column.leafIndex])?.className))
        }
        return ColumnDefinition(
            ColumnReference(Text(try unwrap(table.className)), Text(column.name)), try unwrap(types[column.type]),
            isNullable: column.key.isNullable, kind, target: target)
    }

    // MARK: Objects

    private static func describe(
        _ key: ObjectKey, _ table: Table, _ source: any TableSource, at owner: ObjectReference, _ outer: Text?,
        _ path: [PathElement], _ instructions: inout [Instruction]
    ) throws {
        let position = try unwrap(table.find(key))
        for column in table.publicColumns where column.key != table.primaryKey {
            let name = Text(column.name)
            let property = outer ?? name
            let inner: [PathElement] = outer == nil ? path : path + [.key(name)]
            let writer = Writer(owner: owner, property: property, table: table, column: column, source: source)
            if let collection = try column.key.isCollection ? table.collection(column, at: position) : nil {
                try writer.write(collection, inner, &instructions)
            } else {
                let value = try table.storedValue(column, at: position)
                if !column.key.isCollection {
                    try writer.write(value, inner, &instructions) { .update($0, isDefault: false) }
                }
            }
        }
    }

    private struct Writer {
        let owner: ObjectReference
        let property: Text
        let table: Table
        let column: Column
        let source: any TableSource

        private func add(_ change: Change, _ path: [PathElement], _ instructions: inout [Instruction]) {
            instructions.append(.change(Place(owner, property, Path(path)), change))
        }

        func write(_ collection: StoredCollection, _ path: [PathElement], _ instructions: inout [Instruction]) throws {
            switch collection {
            case .list(let list):
                for (index, value) in try list.values().enumerated() {
                    try write(value, path + [.index(index)], &instructions) { .insert($0, priorSize: index) }
                }
            case .set(let set):
                for value in try set.values() {
                    try write(value, path, &instructions) { .setInsert($0) }
                }
            case .dictionary(let entries):
                for index in 0..<entries.count {
                    let key = Text(try entries.key(at: index))
                    try write(entries.value(at: index), path + [.key(key)], &instructions) {
                        .update($0, isDefault: false)
                    }
                }
            }
        }

        func write(
            _ value: StoredValue, _ path: [PathElement], _ instructions: inout [Instruction],
            _ change: (SyncValue) -> Change
        ) throws {
            switch value {
            case .link(let key) where !key.isNull:
                let target = try StoredState.unwrap(source.table(table.oppositeTables[column.leafIndex]))
                try link(key, target, path, &instructions, change)
            case .typedLink(let link):
                let target = try StoredState.unwrap(source.table(link.table))
                try self.link(link.object, target, path, &instructions, change)
            case .list:
                add(change(.list), path, &instructions)
                try write(StoredState.unwrap(StoredCollection(value: value, in: source.space)), path, &instructions)
            case .dictionary:
                add(change(.dictionary), path, &instructions)
                try write(StoredState.unwrap(StoredCollection(value: value, in: source.space)), path, &instructions)
            default: add(change(try plain(value)), path, &instructions)
            }
        }

        private func link(
            _ key: ObjectKey, _ target: Table, _ path: [PathElement], _ instructions: inout [Instruction],
            _ change: (SyncValue) -> Change
        ) throws {
            if target.isEmbedded {
                add(change(.object), path, &instructions)
                return try StoredState.describe(key, target, source, at: owner, property, path, &instructions)
            }
            add(change(.link(try StoredState.unwrap(source.reference(to: key, in: target)))), path, &instructions)
        }

        private func plain(_ value: StoredValue) throws -> SyncValue {
            switch value {
            case .int(let value): .int(value)
            case .bool(let value): .bool(value)
            case .float(let value): .float(value)
            case .double(let value): .double(value)
            case .string(let value): .string(Text(value))
            case .binary(let value): .binary(value)
            case .timestamp(let value): .timestamp(value)
            case .decimal(let value): .decimal(value)
            case .objectId(let value): .objectId(value)
            case .uuid(let value): .uuid(value)
            default: .null
            }
        }
    }
}
