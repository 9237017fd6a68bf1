// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmValues

extension TableSource {
    /// Returns the name of an object or a tombstone. Returns nil for tables that aren't classes.
    package func reference(to object: ObjectKey, in table: Table) throws -> ObjectReference? {
        guard let name = table.className else { return nil }
        guard let column = table.primaryKey else { throw SyncNames.missingPrimaryKey(table) }
        let value =
            object.isUnresolved ? try table.tombstoneValue(of: object) ?? .null : try table.value(column, of: object)
        return ObjectReference(Text(name), try SyncNames.primaryKey(value))
    }

    /// Returns the changeset form of a value that is neither a collection nor an embedded object.
    package func syncValue(_ value: DetachedValue) throws -> SyncValue {
        switch value {
        case .plain(let stored): return SyncNames.value(stored) ?? .null
        case .link(.key(let key, let object)):
            guard let table = try table(key), let reference = try reference(to: object, in: table) else { return .null }
            return .link(reference)
        default: return .null
        }
    }
}

package enum SyncNames {
    package static func primaryKey(_ value: StoredValue) throws -> PrimaryKey {
        switch value {
        case .null: .null
        case .int(let number): .int(number)
        case .string(let text): .string(Text(text))
        case .objectId(let identifier): .objectId(identifier)
        case .uuid(let identifier): .uuid(identifier)
        default: throw StorageError(.invalidArgument, "\(value) isn't a primary key")
        }
    }

    /// Returns the stored form of a primary key; nil for the key of an object without one.
    package static func storedKey(_ key: PrimaryKey) -> StoredValue? {
        switch key {
        case .null: .null
        case .int(let number): .int(number)
        case .string(let text): .string(text.string)
        case .objectId(let identifier): .objectId(identifier)
        case .uuid(let identifier): .uuid(identifier)
        case .globalKey: nil
        }
    }

    static func missingPrimaryKey(_ table: Table) -> StorageError {
        StorageError(
            .invalidArgument,
            "the class '\(table.className ?? table.name)' of a synchronised Realm needs a primary key")
    }

    /// Returns the changeset form of a plain value; nil for links and nested collections.
    package static func value(_ value: StoredValue) -> SyncValue? {
        switch value {
        case .null: .null
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
        case .link, .typedLink, .list, .dictionary: nil
        }
    }

    static func type(_ type: ColumnType) -> ValueType {
        switch type {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .binary: .binary
        case .timestamp: .timestamp
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .link: .link
        case .objectId: .objectId
        case .uuid: .uuid
        default: .null
        }
    }

    /// Returns the column type for a value type. `null` stands for Mixed. Returns nil if no column type matches.
    package static func columnType(_ type: ValueType) -> ColumnType? {
        type == .null ? .mixed : ColumnType.allCases.first { SyncNames.type($0) == type }
    }

    static func collection(_ column: ColumnKey) -> CollectionKind {
        column.isList ? .list : column.isSet ? .set : column.isDictionary ? .dictionary : .single
    }
}

extension Table {
    package func definition() throws -> TableDefinition {
        let name = Text(className ?? name)
        if kind == .embedded { return TableDefinition(name, .embedded) }
        guard let primaryKey, let column = column(primaryKey) else { throw SyncNames.missingPrimaryKey(self) }
        let key = PrimaryKeyColumn(
            Text(column.name), SyncNames.type(column.type), isNullable: column.key.isNullable)
        return TableDefinition(name, kind == .asymmetric ? .asymmetric(key) : .topLevel(key))
    }
}

extension TableSource {
    /// Returns the property as an AddColumn creates it. Links can be null; lists and sets of links can't contain null.
    package func definition(of column: Column, in table: Table) throws -> ColumnDefinition {
        var target: Text?
        if column.type == .link {
            target = Text(try self.table(table.oppositeTables[column.leafIndex])?.className ?? "")
        }
        return ColumnDefinition(
            ColumnReference(Text(table.className ?? table.name), Text(column.name)), SyncNames.type(column.type),
            isNullable: column.key.isNullable, SyncNames.collection(column.key), target: target)
    }
}
