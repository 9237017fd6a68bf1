// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Several objects have the same value of a property that becomes the primary key.
package struct DuplicatePrimaryKey: Error {
    package let className: String
    package let property: String
    /// One of the values.
    package let value: StoredValue?
}

/// Adds the tables, columns, and indexes that classes need to a file, and removes tables.
package struct TableInstaller<Class: DeclaredClass> {
    private let classes: [Class]
    private let isAdditive: Bool

    /// With `isAdditive`, indexes that the classes don't declare stay.
    package init(_ classes: [Class], isAdditive: Bool) {
        self.classes = classes
        self.isAdditive = isAdditive
    }

    /// Creates the missing tables and columns in the original's order (content 11.4): tables with their primary keys by
    /// class name, then the other columns by declaration.
    package func installAdditions(in transaction: WriteTransaction) throws {
        try installTables(in: transaction)
        try installColumns(in: transaction)
        try installPrimaryKeys(in: transaction)
    }

    package func installTables(in transaction: WriteTransaction) throws {
        for info in classes where try transaction.table(named: info.tableName) == nil {
            let key = try transaction.schema.addTable(info.tableName, kind: info.kind)
            if let primary = info.primaryKey {
                let column = try addColumn(primary, to: key, in: transaction)
                try transaction.schema.setPrimaryKey(column, of: key)
            }
        }
    }

    package func installColumns(in transaction: WriteTransaction) throws {
        for info in classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            for property in info.properties { try install(property, in: table, transaction) }
        }
    }

    /// Adds a missing column. A column of another type is replaced, and its values are lost, as documented.
    private func install(_ property: Class.Property, in table: Table, _ transaction: WriteTransaction) throws {
        if let column = table.column(named: property.columnName) {
            if property.matches(column, in: table, transaction) {
                return try installIndex(property, column.key, in: table, transaction)
            }
            try replaceColumn(column, by: property, in: table, transaction)
        } else {
            try addColumn(property, to: table.key, in: transaction)
        }
    }

    private func replaceColumn(
        _ column: Column, by property: Class.Property, in table: Table, _ transaction: WriteTransaction
    ) throws {
        if property.differsOnlyInNullability(from: column) {
            let new = try transaction.schema.setNullable(!column.key.isNullable, column.key, of: table.key)
            return try installIndex(property, new, in: table, transaction)
        }
        if table.primaryKey == column.key { try transaction.schema.setPrimaryKey(nil, of: table.key) }
        try transaction.schema.removeColumn(column.key, of: table.key)
        try addColumn(property, to: table.key, in: transaction)
    }

    @discardableResult
    private func addColumn(
        _ property: Class.Property, to key: TableKey, in transaction: WriteTransaction
    ) throws -> ColumnKey {
        var attributes = property.columnAttributes
        if property.isIndexed, !property.isPrimaryKey { attributes.insert(.indexed) }
        if property.isFullText { attributes.insert(.fullTextIndexed) }
        let target = try property.objectClassName.flatMap { try transaction.table(named: FileFormat.classPrefix + $0) }
        return try transaction.schema.addColumn(
            property.columnName, property.columnType, attributes, target: target?.key, to: key)
    }

    package func installIndex(
        _ property: Class.Property, _ column: ColumnKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        let info = try table.require(column)
        // Setting a primary key also creates its index.
        if property.isPrimaryKey, table.primaryKey != column {
            if info.isFullTextIndexed { try transaction.indexes.remove(column, of: table.key) }
            return
        }
        guard property.needsOtherIndex(than: table.indexKind(info), isAdditive: isAdditive) else { return }
        if let wanted = property.indexKind {
            // The primary key is removed first, because it requires the index that is replaced.
            if wanted == .fullText, table.primaryKey == column {
                try transaction.schema.setPrimaryKey(nil, of: table.key)
            }
            try transaction.indexes.add(column, wanted, of: table.key)
        } else if table.primaryKey != column {
            try transaction.indexes.remove(column, of: table.key)
        }
    }

    package func installPrimaryKeys(in transaction: WriteTransaction) throws {
        for info in classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            let wanted = info.primaryKey.flatMap { table.column(named: $0.columnName)?.key }
            guard wanted != table.primaryKey else { continue }
            do {
                try transaction.schema.setPrimaryKey(wanted, of: table.key)
            } catch let error as StorageError where error.code == .invalidArgument {
                let value = try wanted.flatMap { try transaction.schema.duplicate(of: $0, in: table.key) }
                throw DuplicatePrimaryKey(className: info.name, property: info.primaryKey?.name ?? "", value: value)
            }
        }
    }

    // MARK: Removal

    package func removeClasses(from transaction: WriteTransaction) throws {
        let names = try transaction.tableKeys().compactMap { try transaction.table($0)?.className }
        try removeTables(of: names, from: transaction)
    }

    /// A table stays if other tables link to it.
    package func removeTables(of classNames: [String], from transaction: WriteTransaction) throws {
        let tables = try classNames.compactMap { try transaction.table(named: FileFormat.classPrefix + $0) }
        for table in tables {
            for column in Array(table.publicColumns) where column.type == .link {
                try transaction.schema.removeColumn(column.key, of: table.key)
            }
        }
        for table in tables {
            let isLinkedTo = try table.backlinkColumns.contains { column in
                let origin = try transaction.table(table.oppositeTables[column.leafIndex])
                return origin?.column(table.oppositeColumns[column.leafIndex])?.type == .link
            }
            if !isLinkedTo { try transaction.schema.removeTable(table.key) }
        }
    }
}
