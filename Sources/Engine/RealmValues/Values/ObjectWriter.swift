// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct ObjectWriter {
    let write: WriteTransaction
    /// Returns the table and the key for a link to an object; nil if it doesn't exist and can't be created.
    let resolve: (ObjectName) throws -> ObjectLink?

    package init(write: WriteTransaction, resolve: @escaping (ObjectName) throws -> ObjectLink?) {
        self.write = write
        self.resolve = resolve
    }

    /// Creates a writer that throws `MissingTarget` for a link to an object that doesn't exist.
    package init(linkingToExistingObjectsIn write: WriteTransaction) {
        self.init(write: write) { name in
            guard let link = try ObjectNames(write).object(name) else { throw MissingTarget() }
            return link
        }
    }

    private struct MissingTarget: Error, CustomStringConvertible {
        var description: String { "a link to an object that is not there" }
    }

    package struct Mismatch: Error, CustomStringConvertible {
        let column: String
        package var description: String { "'\(column)' cannot hold such a value" }
    }

    /// Without `key`, assigns the next key.
    package func create(
        in table: Table, _ key: ObjectKey? = nil, _ values: [(column: Column, value: DetachedValue)]
    ) throws -> ObjectKey {
        var simple: [ColumnKey: StoredValue] = [:]
        for (column, value) in values where !column.key.isCollection {
            if case .plain(let stored) = value, column.type != .link { simple[column.key] = stored }
        }
        let object: ObjectKey
        if let key {
            object = key
            try write.createObject(key, in: table.key, simple)
        } else {
            object = try write.createObject(in: table.key, simple)
        }
        do {
            for (column, value) in values where simple[column.key] == nil {
                try set(value, column, of: object, in: table.key, isNew: true)
            }
        } catch {
            // All or nothing: an error must not leave a partial object.
            try write.removeObject(object, from: table.key)
            throw error
        }
        return object
    }

    /// `isNew`: the property still has its default.
    package func set(
        _ value: DetachedValue, _ column: Column, of object: ObjectKey, in table: TableKey, isNew: Bool = false
    ) throws {
        let path = CollectionPath(column.key, of: object, in: table)
        switch value {
        case .plain(let stored):
            if column.key.isCollection || isNew && stored.isNull {
                guard stored.isNull else { throw Mismatch(column: column.name) }
                if !isNew { try clear(column, path) }
            } else {
                try write.set(stored, column.key, of: object, in: table)
            }
        case .link(let name):
            try write.set(try link(name, isMixed: column.type == .mixed), column.key, of: object, in: table)
        case .object(_, let values):
            try fill(try write.links.createEmbedded(column.key, of: object, in: table), column, path, values)
        case .list(let elements), .set(let elements):
            if !column.key.isCollection { try write.setCollection(.list, at: path) }
            if !isNew { try clear(column, path) }
            if column.key.isSet {
                for element in elements { _ = try write.set(at: path).insert(try single(element, column)) }
            } else {
                try fillList(elements, column, path)
            }
        case .dictionary(let entries):
            if !column.key.isCollection { try write.setCollection(.dictionary, at: path) }
            if !isNew { try clear(column, path) }
            try fillDictionary(entries, column, path)
        }
    }

    // MARK: Collections

    private func clear(_ column: Column, _ path: CollectionPath) throws {
        if column.key.isSet {
            try write.set(at: path).clear()
        } else if column.key.isDictionary {
            try write.dictionary(at: path).clear()
        } else if column.key.isList {
            try write.list(at: path).clear()
        } else if let collection = try write.collectionIfPresent(path), collection.count > 0 {
            collection.list == nil ? try write.dictionary(at: path).clear() : try write.list(at: path).clear()
        }
    }

    private func fillList(_ elements: [DetachedValue], _ column: Column, _ path: CollectionPath) throws {
        var plain: [StoredValue] = []
        var count = 0
        func insertPlain() throws {
            guard !plain.isEmpty else { return }
            try write.list(at: path).insert(contentsOf: plain, at: count)
            count += plain.count
            plain.removeAll()
        }
        for element in elements {
            switch element {
            case .plain, .link:
                let stored = try single(element, column)
                // A list of links can't contain null, so broken links are omitted.
                if column.type != .link || !stored.isNull { plain.append(stored) }
            case .object(_, let values):
                try insertPlain()
                let child = try write.list(at: path).createEmbedded(at: count)
                try fill(child, column, path, values)
                count += 1
            case .list(let inner), .set(let inner):
                try insertPlain()
                try write.list(at: path).insertCollection(.list, at: count)
                try fillList(inner, column, path.appending(.index(count)))
                count += 1
            case .dictionary(let inner):
                try insertPlain()
                try write.list(at: path).insertCollection(.dictionary, at: count)
                try fillDictionary(inner, column, path.appending(.index(count)))
                count += 1
            }
        }
        try insertPlain()
    }

    private func fillDictionary(
        _ entries: [(key: String, value: DetachedValue)], _ column: Column, _ path: CollectionPath
    ) throws {
        for entry in entries {
            switch entry.value {
            case .plain, .link: try write.dictionary(at: path).set(try single(entry.value, column), forKey: entry.key)
            case .object(_, let values):
                let child = try write.dictionary(at: path).createEmbedded(forKey: entry.key)
                try fill(child, column, path, values)
            case .list(let inner), .set(let inner):
                let nested = path.appending(.key(entry.key))
                try write.setCollection(.list, at: nested)
                try fillList(inner, column, nested)
            case .dictionary(let inner):
                let nested = path.appending(.key(entry.key))
                try write.setCollection(.dictionary, at: nested)
                try fillDictionary(inner, column, nested)
            }
        }
    }

    /// Sets the values of an embedded object, which are in the order of its table's columns. `path` leads to its owner.
    private func fill(
        _ object: ObjectKey, _ column: Column, _ path: CollectionPath, _ values: [DetachedValue]
    ) throws {
        let table = try write.require(path.table).oppositeTables[column.leafIndex]
        for (column, value) in zip(Array(try write.require(table).publicColumns), values) {
            try set(value, column, of: object, in: table, isNew: true)
        }
    }

    private func single(_ value: DetachedValue, _ column: Column) throws -> StoredValue {
        switch value {
        case .plain(let stored): stored
        case .link(let name): try link(name, isMixed: column.type == .mixed)
        default: throw Mismatch(column: column.name)
        }
    }

    private func link(_ name: ObjectName, isMixed: Bool) throws -> StoredValue {
        guard let link = try resolve(name) else { return .null }
        return isMixed ? .typedLink(link) : .link(link.object)
    }
}
