// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct SchemaChange {
    package enum Kind {
        case added, removed, type, madeOptional, madeRequired, primaryKey, kind
    }

    package let kind: Kind
    package let className: String
    package let column: String?
    /// The change in the original's words (realm 5).
    package let text: String

    package init(_ kind: Kind, of className: String, column: String? = nil, _ text: String) {
        self.kind = kind
        self.className = className
        self.column = column
        self.text = text
    }
}

package struct SchemaDifferences {
    package private(set) var needingMigration: [SchemaChange] = []
    package private(set) var additions = false

    package var isEmpty: Bool { needingMigration.isEmpty && !additions }

    private let isAdditive: Bool
    private let mayAddColumns: Bool

    /// - Parameters:
    ///   - isAdditive: Whether tables and columns that the classes lack stay unchanged.
    ///   - mayAddColumns: Whether missing columns can be created in the additive mode.
    package init<Class: DeclaredClass>(
        _ classes: [Class], _ source: any TableSource, isAdditive: Bool, mayAddColumns: Bool = true
    ) throws {
        self.isAdditive = isAdditive
        self.mayAddColumns = mayAddColumns && isAdditive
        for info in classes {
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

    private mutating func compareKind(_ info: some DeclaredClass, _ table: Table) {
        guard info.kind != table.kind else { return }
        needingMigration.append(
            SchemaChange(
                .kind, of: info.name,
                "Class '\(info.name)' has been changed from \(table.kind.name) to \(info.kind.name).")
        )
    }

    /// Returns whether the table has the property's column, of any type.
    private mutating func comparePresent<Class: DeclaredClass>(
        _ property: Class.Property, _ info: Class, _ table: Table, _ source: any TableSource
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
            if property.needsOtherIndex(than: table.indexKind(column), isAdditive: isAdditive) { additions = true }
        } else if property.differsOnlyInNullability(from: column) {
            if property.isOptional {
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

    private mutating func compareAbsent(_ info: some DeclaredClass, _ table: Table) {
        guard !isAdditive else { return }
        let wanted = Set(info.properties.map(\.columnName))
        for column in table.publicColumns where !wanted.contains(column.name) {
            needingMigration.append(
                SchemaChange(
                    .removed, of: info.name, column: column.name,
                    "Property '\(info.name).\(column.name)' has been removed."))
        }
    }

    private mutating func comparePrimaryKey(_ info: some DeclaredClass, _ table: Table) {
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
