// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The expected content of a database, as plain dictionaries, with the rules of content 12 in their simplest form.
///
/// It is a value, so a copy is a version.
package struct ModelDatabase {
    package var tables: [TableKey: ModelTable] = [:]

    package init() {}

    package struct ModelColumn {
        package let key: ColumnKey
        package var name: String
        package let type: ColumnType
        package let target: TableKey?
        package var isIndexed: Bool

        package var isList: Bool { key.isList }
        package var isCollection: Bool { key.isCollection }
        package var holdsLinks: Bool { type == .link || type == .mixed }

        package var initial: ModelValue {
            if key.isList { return .list([]) }
            if key.isSet { return .set([]) }
            return key.isDictionary ? .dictionary([]) : .value(key.isNullable ? .null : .initial(of: type))
        }
    }

    package struct ModelObject {
        package var values: [ColumnKey: ModelValue] = [:]

        package func plain(_ column: ColumnKey) -> StoredValue { values[column]?.plain ?? .null }
    }

    package struct ModelTable {
        package let key: TableKey
        package let name: String
        package let kind: TableKind
        package var columns: [ModelColumn] = []
        package var primaryKey: ColumnKey?
        package var objects: [ObjectKey: ModelObject] = [:]

        package init(key: TableKey, name: String, kind: TableKind) {
            self.key = key
            self.name = name
            self.kind = kind
        }
    }

    package subscript(table: TableKey) -> ModelTable {
        get { tables[table]! }
        _modify { yield &tables[table]! }
    }

    package func isEmbedded(_ column: ModelColumn) -> Bool {
        column.target.map { self[$0].kind == .embedded } ?? false
    }

    // MARK: Rules

    package mutating func create(_ object: ObjectKey, in table: TableKey, _ values: [ColumnKey: StoredValue] = [:]) {
        var new = ModelObject()
        for column in self[table].columns { new.values[column.key] = column.initial }
        new.values.merge(values.mapValues { .value($0) }) { $1 }
        self[table].objects[object] = new
    }

    package mutating func remove(_ object: ObjectKey, from table: TableKey) {
        guard let old = self[table].objects[object] else { return }
        for origin in tables.keys { removeLinks(to: ObjectLink(table: table, object: object), from: origin) }
        self[table].objects[object] = nil
        for column in self[table].columns where isEmbedded(column) {
            for child in links(old, column) { remove(child.object, from: child.table) }
        }
    }

    private mutating func removeLinks(to link: ObjectLink, from origin: TableKey) {
        for column in self[origin].columns {
            guard column.type == .mixed || column.target == link.table else { continue }
            func isLink(_ value: StoredValue) -> Bool {
                value == .typedLink(link) || value == .link(link.object) && column.target == link.table
            }
            for (key, object) in self[origin].objects {
                guard let value = object.values[column.key], value.leaves.contains(where: isLink) else { continue }
                self[origin].objects[key]?.values[column.key]?.removeLinks(isLink)
            }
        }
    }

    package func links(_ object: ModelObject, _ column: ModelColumn) -> [ObjectLink] {
        guard let value = object.values[column.key] else { return [] }
        return value.leaves.compactMap { value in
            switch value {
            case .link(let key): column.target.map { ObjectLink(table: $0, object: key) }
            case .typedLink(let link): link
            default: nil
            }
        }
    }

    /// Sets a single value, and removes the replaced embedded object.
    package mutating func set(_ value: StoredValue, _ column: ModelColumn, of object: ObjectKey, in table: TableKey) {
        change(column, of: object, in: table) { $0 = .value(value) }
    }

    /// Changes a value or a collection, and removes embedded objects that aren't in it any more.
    package mutating func change(
        _ column: ModelColumn, of object: ObjectKey, in table: TableKey, _ body: (inout ModelValue) -> Void
    ) {
        guard isEmbedded(column) else { return body(&self[table].objects[object]!.values[column.key]!) }
        guard let old = self[table].objects[object] else { return }
        body(&self[table].objects[object]!.values[column.key]!)
        guard let new = self[table].objects[object] else { return }
        for child in Set(links(old, column)).subtracting(links(new, column)) { remove(child.object, from: child.table) }
    }

    package mutating func addColumn(_ column: ModelColumn, to table: TableKey) {
        self[table].columns.append(column)
        for object in self[table].objects.keys { self[table].objects[object]!.values[column.key] = column.initial }
    }

    package mutating func removeColumn(_ column: ModelColumn, from table: TableKey) {
        if isEmbedded(column) {
            for object in self[table].objects.values {
                for child in links(object, column) { remove(child.object, from: child.table) }
            }
        }
        self[table].columns.removeAll { $0.key == column.key }
        for object in self[table].objects.keys {
            self[table].objects[object]!.values[column.key] = nil
        }
    }

    package mutating func clear(_ table: TableKey) {
        for object in self[table].objects.keys.sorted() { remove(object, from: table) }
    }
}
