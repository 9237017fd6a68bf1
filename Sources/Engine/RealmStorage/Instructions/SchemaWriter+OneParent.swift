// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Prepares the objects of a class that is to become embedded, which requires exactly one parent for each.
extension SchemaWriter {
    /// Removes the objects without incoming links, and gives each additional parent of an object a copy of its own.
    /// Objects linked to by the removed ones and the copies are left to later calls.
    package func giveEachOneParent(in key: TableKey) throws {
        let table = try require(key)
        var orphans: [ObjectKey] = []
        var shared: [(object: ObjectKey, parents: [Parent])] = []
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let parents = try parents(at: ClusterTree.Position(leaf: leaf, row: row), in: table)
                if parents.isEmpty { orphans.append(leaf.key(at: row)) }
                if parents.count > 1 { shared.append((leaf.key(at: row), parents)) }
            }
            return true
        }
        for object in orphans { try transaction.removeObject(object, from: key) }
        for (object, parents) in shared {
            for parent in parents.dropFirst() { try giveCopy(of: object, in: table, to: parent) }
        }
    }

    private struct Parent {
        let table: Table
        let column: Column
        let object: ObjectKey
    }

    private func parents(at position: ClusterTree.Position, in table: Table) throws -> [Parent] {
        var parents: [Parent] = []
        for back in table.backlinkColumns {
            guard let (origin, column) = try self.origin(of: back, in: table) else { continue }
            parents += try table.backlinks(back, at: position).map { Parent(table: origin, column: column, object: $0) }
        }
        return parents
    }

    private func giveCopy(of object: ObjectKey, in table: Table, to parent: Parent) throws {
        let copy = try transaction.insertObject(into: table)
        try copyContents(of: object, to: copy, in: table)
        let (old, new) = (
            ObjectLink(table: table.key, object: object), ObjectLink(table: table.key, object: copy)
        )
        guard try transaction.links.redirectOne(from: old, to: new, parent.column, of: parent.object, in: parent.table)
        else {
            try transaction.removeObject(copy, from: table.key)
            return
        }
        _ = try transaction.links.removeBacklink(to: old, from: parent.object, parent.column, of: parent.table)
        try transaction.links.addBacklink(to: copy, in: table, from: parent.object, parent.column, of: parent.table)
    }

    /// Copies the values of an object to a new one. Its embedded objects are copied too; other objects are linked to.
    private func copyContents(of object: ObjectKey, to copy: ObjectKey, in table: Table) throws {
        for column in Array(table.publicColumns) where table.primaryKey != column.key {
            let position = try table.requireObject(object)
            let target = column.type == .link ? try self.table(table.oppositeTables[column.leafIndex]) : nil
            let embedded = target.flatMap { $0.isEmbedded ? $0 : nil }
            let path = CollectionPath(column.key, of: copy, in: table.key)
            if column.key.isList {
                for (index, value) in try table.list(column.key, of: object).values().enumerated() {
                    if let embedded, let child = value.linkedKey {
                        let new = try transaction.list(at: path).createEmbedded(at: index)
                        try copyContents(of: child, to: new, in: embedded)
                    } else {
                        try transaction.list(at: path).insert(single(value, of: column, in: table), at: index)
                    }
                }
            } else if column.key.isSet {
                for value in try table.set(column.key, of: object).tree.values() {
                    try transaction.set(at: path).insert(single(value, of: column, in: table))
                }
            } else if column.key.isDictionary {
                let entries = try table.dictionary(column.key, of: object)
                for index in 0..<entries.count {
                    let (key, value) = (try entries.key(at: index), try entries.value(at: index))
                    if let embedded, let child = value.linkedKey {
                        let new = try transaction.dictionary(at: path).createEmbedded(forKey: key)
                        try copyContents(of: child, to: new, in: embedded)
                    } else {
                        let value = column.type == .link ? value.linkedKey.map { .link($0) } ?? .null : value
                        try transaction.dictionary(at: path).set(single(value, of: column, in: table), forKey: key)
                    }
                }
            } else {
                let value = try table.storedValue(column, at: position)
                if let embedded, let child = value.linkedKey {
                    try copyContents(
                        of: child, to: transaction.links.createEmbedded(column.key, of: copy, in: table.key),
                        in: embedded)
                } else if !value.isNull {
                    try transaction.set(single(value, of: column, in: table), column.key, of: copy, in: table.key)
                }
            }
        }
    }

    /// Returns a value that can be stored again, so not a collection in a Mixed value.
    private func single(_ value: StoredValue, of column: Column, in table: Table) throws -> StoredValue {
        switch value {
        case .list, .dictionary:
            throw StorageError(
                .invalidArgument,
                """
                Cannot convert '\(table.className ?? table.name)' to embedded: at least one object has more than one \
                incoming link, and '\(column.name)' holds a collection inside a mixed value, which is not copied.
                """)
        case .link(let key) where key.isUnresolved: return .null
        default: return value
        }
    }
}

extension StoredValue {
    fileprivate var linkedKey: ObjectKey? {
        switch self {
        case .link(let key) where !key.isNull && !key.isUnresolved: key
        case .typedLink(let link) where !link.object.isNull && !link.object.isUnresolved: link.object
        default: nil
        }
    }
}
