// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct SchemaChange {
    enum Kind {
        case added, removed, type, madeOptional, madeRequired, primaryKey, kind
    }

    let kind: Kind
    let className: String
    let column: String?
    /// The change in the original's words (realm 5).
    let text: String

    init(_ kind: Kind, of className: String, column: String? = nil, _ text: String) {
        self.kind = kind
        self.className = className
        self.column = column
        self.text = text
    }
}

struct SchemaDifferences {
    private(set) var needingMigration: [SchemaChange] = []
    private(set) var additions = false

    var isEmpty: Bool { needingMigration.isEmpty && !additions }

    private let mode: Realm.Configuration.SchemaMode
    private let mayAddColumns: Bool

    /// - Parameter mayAddColumns: Whether missing columns can be created in the additive mode.
    init(
        _ schema: Schema, _ source: any TableSource, _ mode: Realm.Configuration.SchemaMode, mayAddColumns: Bool = true
    ) throws {
        self.mode = mode
        self.mayAddColumns = mayAddColumns && mode == .additive
        for info in schema.classes {
            guard let table = try source.table(named: info.tableName) else {
                additions = true
                continue
            }
            compareKind(info, table)
            var present = 0
            for property in info.properties where comparePresent(property, info, table, source) { present += 1 }
            // Names are unique on both sides, so the counts differ if a column has no property.
            if present < table.publicColumns.count { compareAbsent(info, table) }
            comparePrimaryKey(info, table)
        }
    }

    private mutating func compareKind(_ info: ClassInfo, _ table: Table) {
        guard info.kind != table.kind else { return }
        needingMigration.append(
            SchemaChange(
                .kind, of: info.name,
                "Class '\(info.name)' has been changed from \(table.kind.name) to \(info.kind.name).")
        )
    }

    /// Returns whether the table has the property's column, of any type.
    private mutating func comparePresent(
        _ property: PropertyInfo, _ info: ClassInfo, _ table: Table, _ source: any TableSource
    ) -> Bool {
        func needsMigration(_ kind: SchemaChange.Kind, _ text: String) {
            needingMigration.append(
                SchemaChange(
                    kind, of: info.name, column: property.columnName,
                    "Property '\(info.name).\(property.name)' \(text)"))
        }
        guard let column = table.column(named: property.columnName) else {
            if mayAddColumns { additions = true } else { needsMigration(.added, "has been added.") }
            return false
        }
        if property.matches(column, in: table, source) {
            if property.needsOtherIndex(than: table.indexKind(column), mode) { additions = true }
        } else if property.differsOnlyInNullability(from: column) {
            if property.shape.isOptional {
                needsMigration(.madeOptional, "has been made optional.")
            } else {
                needsMigration(.madeRequired, "has been made required.")
            }
        } else {
            let old = table.typeName(column, source)
            needsMigration(.type, "has been changed from '\(old)' to '\(property.typeName)'.")
        }
        return true
    }

    private mutating func compareAbsent(_ info: ClassInfo, _ table: Table) {
        guard mode == .automatic else { return }
        let wanted = Set(info.properties.map(\.columnName))
        for column in table.publicColumns where !wanted.contains(column.name) {
            needingMigration.append(
                SchemaChange(
                    .removed, of: info.name, column: column.name,
                    "Property '\(info.name).\(column.name)' has been removed."))
        }
    }

    private mutating func comparePrimaryKey(_ info: ClassInfo, _ table: Table) {
        let old = table.primaryKey.flatMap { table.column($0)?.name }
        let new = info.primaryKey?.columnName
        guard old != new else { return }
        let change =
            switch (old, new) {
            case (let old?, let new?): "changed from '\(old)' to '\(new)'."
            case (nil, _): "been added."
            case (_, nil): "been removed."
            }
        needingMigration.append(
            SchemaChange(
                .primaryKey, of: info.name, column: new, "Primary Key for class '\(info.name)' has \(change)"))
    }
}

extension TableKind {
    fileprivate var name: String {
        switch self {
        case .topLevel: "top-level"
        case .embedded: "embedded"
        case .asymmetric: "asymmetric"
        }
    }
}

extension PropertyType {
    /// Defined in content 11.5.
    var columnType: ColumnType {
        switch self {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .data: .binary
        case .date: .timestamp
        case .float: .float
        case .double: .double
        case .object: .link
        case .linkingObjects: .backlink
        case .any: .mixed
        case .objectId: .objectId
        case .decimal128: .decimal
        case .UUID: .uuid
        }
    }
}

extension PropertyInfo {
    var columnType: ColumnType { shape.type.columnType }

    var columnAttributes: ColumnAttributes {
        var attributes: ColumnAttributes =
            switch shape.collection {
            case .none: []
            case .list: .list
            case .set: .set
            case .dictionary: .dictionary
            }
        // A single link is always nullable, and so is one in a dictionary; lists and sets of links can't contain null
        // (content 11.1).
        let isNullableLink = shape.collection == .none || shape.collection == .dictionary
        if shape.type == .object ? isNullableLink : shape.isOptional { attributes.insert(.nullable) }
        return attributes
    }

    var indexKind: IndexKind? { isFullText ? .fullText : isIndexed || isPrimaryKey ? .general : nil }

    /// Whether the index of a column has to be added, changed or removed.
    ///
    /// In the additive mode, programs that share a file don't remove each other's indexes: an index that the class
    /// doesn't declare stays, and so does a full-text index if the class declares an ordinary one.
    func needsOtherIndex(than old: IndexKind?, _ mode: Realm.Configuration.SchemaMode) -> Bool {
        guard indexKind != old else { return false }
        if indexKind == .fullText || old == nil || isPrimaryKey { return true }
        return mode == .automatic
    }

    func matches(_ column: Column, in table: Table, _ source: any TableSource) -> Bool {
        guard column.key.type == columnType, column.key.attributes == columnAttributes else { return false }
        guard columnType == .link else { return true }
        let target = try? source.table(table.oppositeTables[column.leafIndex])
        return target?.className == objectClassName
    }

    func differsOnlyInNullability(from column: Column) -> Bool {
        column.key.type == columnType && shape.collection == .none
            && column.key.attributes.symmetricDifference(columnAttributes) == .nullable
    }

    /// In the original's words: `int?`, `array<Dog>`.
    var typeName: String {
        let element =
            shape.type == .object ? "<\(objectClassName ?? "")>" : shape.type.name + (shape.isOptional ? "?" : "")
        switch shape.collection {
        case .none: return element
        case .list: return "array<\(objectClassName ?? element)>"
        case .set: return "set<\(objectClassName ?? element)>"
        case .dictionary: return "dictionary<string, \(objectClassName ?? element)>"
        }
    }
}

extension Table {
    func indexKind(_ column: Column) -> IndexKind? {
        guard hasIndex(column.key) else { return nil }
        return column.isFullTextIndexed ? .fullText : .general
    }

    func typeName(_ column: Column, _ source: any TableSource) -> String {
        let names: [ColumnType: String] = [
            .int: "int", .bool: "bool", .string: "string", .binary: "data", .timestamp: "date", .float: "float",
            .double: "double", .mixed: "mixed", .objectId: "object id", .decimal: "decimal128", .uuid: "uuid",
        ]
        var name = names[column.type] ?? "object"
        if column.type == .link {
            let target = try? source.table(oppositeTables[column.leafIndex])
            name = target?.className ?? ""
        } else if column.key.isNullable {
            name += "?"
        }
        if column.key.isList { return "array<\(name)>" }
        if column.key.isSet { return "set<\(name)>" }
        if column.key.isDictionary { return "dictionary<string, \(name)>" }
        return column.type == .link ? "<\(name)>" : name
    }
}
