// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension Migration {
    /// Renames a property: the values of a property that the models no longer have become the values of its
    /// replacement.
    ///
    /// `oldName` is the name of the old column; `newName` is the name of the new property or of its column. Call this
    /// before enumerating objects of the class.
    ///
    /// - Precondition: The class and both properties exist, the models no longer have the old property, and the types
    ///   are equal.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
        new.verifyThread()
        let tableName = new.coordinator.tableName(ofClass: typeName)
        guard let table = new.reading(nil, { try new.source?.table(named: tableName) }) else {
            throwRealmException("Cannot rename properties for type '\(typeName)' because it does not exist.")
        }
        guard let info = newSchema[typeName]?.info else {
            throwRealmException(
                "Cannot rename properties for type '\(typeName)' because it has been removed from the Realm.")
        }
        let place = "Cannot rename property '\(typeName).\(oldName)'"
        if info.properties.contains(where: { $0.columnName == oldName }) {
            throwRealmException("\(place) to '\(newName)' because the source property still exists.")
        }
        guard let column = table.column(named: oldName) else {
            throwRealmException("\(place) because it does not exist.")
        }
        let property = info.properties.first { $0.columnName == newName } ?? info.property(named: newName)
        guard let property, !property.isComputed else {
            throwRealmException("Renamed property '\(typeName).\(newName)' does not exist.")
        }
        verifySameType(column, property, in: table, "\(place) to '\(newName)' because it would change from")
        rename(column, to: property, in: table)
        noteRename(info.name, from: oldName, to: property.columnName)
    }

    private func verifySameType(_ column: Column, _ property: PropertyInfo, in table: Table, _ problem: String) {
        guard let source = new.source else { return }
        if property.matches(column, in: table, source) { return }
        guard property.differsOnlyInNullability(from: column) else {
            throwRealmException(
                "\(problem) type '\(table.typeName(column, source))' to '\(property.typeName)'.")
        }
        if !property.shape.isOptional { throwRealmException("\(problem) optional to required.") }
    }

    /// The column replaces the one that was added for the property, which is still empty.
    private func rename(_ column: Column, to property: PropertyInfo, in table: Table) {
        new.change { transaction in
            if let added = table.column(named: property.columnName) {
                try transaction.schema.removeColumn(added.key, of: table.key)
            }
            try transaction.schema.renameColumn(column.key, of: table.key, to: property.columnName)
            var key = column.key
            if property.differsOnlyInNullability(from: column) {
                key = try transaction.schema.setNullable(true, key, of: table.key)
            }
            try installer.tables.installIndex(property, key, in: table, transaction)
            new.coordinator.replaceClasses(by: try installer.managedClasses(in: transaction))
        }
    }
}
