// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes links and their backlinks, with the consequences of removing a link (content 12.1 to 12.4).
package struct LinkWriter: CollectionWriter {
    let transaction: WriteTransaction

    // MARK: Single links

    func validate(_ value: StoredValue, _ column: Column, in table: Table) throws {
        switch column.type {
        case .link: _ = try target(of: value, column, in: table)
        case .mixed: try validateTypedLink(value, from: table)
        default: break
        }
    }

    func set(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        let target = try target(of: value, column, in: table)
        let new: ObjectKey? = if case .link(let key) = value { key } else { nil }
        try replaceLink(column, of: object, in: table, target: target, with: new)
    }

    /// Returns the target table of a column's links. Throws unless the property can hold `value`.
    private func target(of value: StoredValue, _ column: Column, in table: Table) throws -> Table {
        let target = try require(table.oppositeTables[column.leafIndex])
        guard !target.isEmbedded || value == .null else {
            throw StorageError(.invalidArgument, "an embedded object is created in its parent, not assigned")
        }
        if case .link(let key) = value, try !target.holds(key) {
            throw StorageError.absent("\(key) is not in '\(target.name)'")
        }
        return target
    }

    /// Removes the backlink of the old target, and the old target itself if it's embedded.
    private func replaceLink(
        _ column: Column, of object: ObjectKey, in table: Table, target: Table, with new: ObjectKey?
    ) throws {
        let old = try storedLink(column, of: object, in: table)
        guard old != new else { return }
        try storeLink(new, column, of: object, in: table)
        if let new { try addBacklink(to: new, in: target, from: object, column, of: table) }
        guard let old else { return }
        let link = ObjectLink(table: target.key, object: old)
        if try removeBacklink(to: link, from: object, column, of: table) {
            try transaction.removeObject(old, from: target.key)
        }
    }

    private func storedLink(_ column: Column, of object: ObjectKey, in table: Table) throws -> ObjectKey? {
        if case .link(let key) = try table.storedValue(column, at: table.requireObject(object)) { key } else { nil }
    }

    func storeLink(_ key: ObjectKey?, _ column: Column, of object: ObjectKey, in table: Table) throws {
        try transaction.changeColumn(column.leafIndex, of: object, in: table) { leaf, row in
            try ColumnLeafEditor(store, .link).set(&leaf, at: row, key.map { .link($0) } ?? .null)
        }
    }

    /// `values` are single values of the new object. A previous object is removed.
    package func createEmbedded(
        _ column: ColumnKey, of object: ObjectKey, in key: TableKey, _ values: RowValues? = nil
    ) throws -> ObjectKey {
        let table = try require(key)
        let info = try table.require(column)
        let target = try embeddedTarget(of: info, in: table, for: values)
        if transaction.isRecorded, try storedLink(info, of: object, in: table) != nil {
            try record(.set(.null, info, object, table))
        }
        try replaceLink(info, of: object, in: table, target: target, with: nil)
        // A change of the table's kind may leave objects in a cycle of parents; removing the child then removes this
        // object too.
        _ = try table.requireObject(object)
        try record(.createEmbedded(info, object, table))
        return try insertEmbedded(into: target, values) { child in
            try storeLink(child, info, of: object, in: table)
            try addBacklink(to: child, in: target, from: object, info, of: table)
        }
    }

    /// Returns the table of a column's embedded objects. Throws if it can't hold a new object with these values.
    func embeddedTarget(of column: Column, in table: Table, for values: RowValues?) throws -> Table {
        guard column.type == .link, let target = try self.table(table.oppositeTables[column.leafIndex]),
            target.isEmbedded
        else { throw StorageError.absent("'\(column.name)' does not hold embedded objects") }
        if let values { try transaction.validate(values, for: target) }
        return target
    }

    /// Creates an embedded object whose creation is recorded. `attach` links it to its parent.
    func insertEmbedded(
        into target: Table, _ values: RowValues?, attach: (ObjectKey) throws -> Void
    ) throws -> ObjectKey {
        let child = try transaction.insertObject(into: target, values)
        try attach(child)
        try transaction.recordValues(values, of: child, in: target)
        return child
    }

    // MARK: Mixed

    func setMixed(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        try validateTypedLink(value, from: table)
        let value = value.withoutNullPattern
        let old = try table.storedValue(column, at: table.requireObject(object))
        guard !old.isIdentical(to: value) else { return }
        try replaceMixed(value, column, of: object, in: table)
    }

    /// Stores a value in a Mixed property, and removes the links in the old value, at any depth.
    func replaceMixed(_ value: StoredValue, _ column: Column, of object: ObjectKey, in table: Table) throws {
        guard let position = table.position(of: column.key) else { return }
        let lost = try all(of: column, in: table, at: try table.requireObject(object))
        try transaction.replaceValue(value, at: position, of: object, in: table)
        if case .typedLink(let link) = value {
            try addBacklink(to: link.object, in: try require(link.table), from: object, column, of: table)
        }
        for link in lost where try removeBacklink(to: link, from: object, column, of: table) {
            try transaction.removeObject(link.object, from: link.table)
        }
    }

    /// Throws if the target of a Mixed link isn't an object of a top-level table, or if the link's own table is
    /// asymmetric (content 12.2).
    func validateTypedLink(_ value: StoredValue, from table: Table) throws {
        guard case .typedLink(let link) = value else { return }
        guard table.kind != .asymmetric else {
            throw StorageError(.invalidArgument, "'\(table.name)' is asymmetric: its objects cannot link to others")
        }
        let target = try require(link.table)
        guard target.kind == .topLevel, try target.holds(link.object) else {
            throw StorageError.absent("\(link.object) of '\(target.name)' cannot be linked to")
        }
    }
}

extension WriteTransaction {
    package var links: LinkWriter { @inline(__always) get { LinkWriter(transaction: self) } }
}
