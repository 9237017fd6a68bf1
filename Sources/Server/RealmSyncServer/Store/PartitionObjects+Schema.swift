// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Changes of classes and properties.
extension PartitionObjects {
    mutating func addTable(_ definition: TableDefinition) throws(StateError) -> Undo? {
        if let refusal = definition.refusal { throw StateError(refusal) }
        if let present = tables[definition.name]?.definition {
            guard present == definition else { throw StateError("class \(definition.name) is another one already") }
            return nil
        }
        guard tables.count < PartitionObjects.maximumTableCount else { throw StateError("there are too many classes") }
        tables[definition.name] = ObjectClass(definition, generation: generation)
        return .table(nil)
    }

    mutating func eraseTable(_ name: Text) throws(StateError) -> Undo? {
        let table = try requireTable(name)
        guard table.linksFromOthers == 0, table.mixedOrigins.isEmpty else {
            throw StateError("the class \(name) cannot be erased: another one links to it")
        }
        for column in table.columns.values { count(column.definition, by: -1) }
        return .table(tables.removeValue(forKey: name))
    }

    mutating func addColumn(_ definition: ColumnDefinition) throws(StateError) -> Undo? {
        if let refusal = definition.refusal { throw StateError(refusal) }
        let (name, property) = (definition.column.table, definition.column.name)
        guard let kind = tables[name]?.definition.kind else {
            throw StateError("the class \(name.short) doesn't exist")
        }
        if let present = present(property, of: name) {
            guard present.isSame(as: definition) else {
                throw StateError("\(name).\(property) is another property already")
            }
            return nil
        }
        guard tables[name]?.hasRoom == true else { throw StateError("\(name) has too many properties") }
        try requireTarget(definition, kind)
        let number = (tables[name]?.lastNumber ?? 0) + 1
        let slot = PartitionObjects.slot(of: property, after: tables[name]?.erased[property] ?? 0)
        tables[name]?.columns[property] = ObjectClass.Column(
            definition: definition, slot: slot, number: number, generation: generation)
        tables[name]?.lastNumber = number
        count(definition, by: 1)
        return .column(nil)
    }

    /// The property can be the primary key.
    func present(_ property: Text, of table: Text) -> ColumnDefinition? {
        if let column = tables[table]?.columns[property] { return column.definition }
        guard let key = tables[table]?.primaryKey, key.name == property else { return nil }
        return ColumnDefinition(ColumnReference(table, property), key.type, isNullable: key.isNullable, .single)
    }

    /// The slot is unique, because names are shorter.
    static func slot(of property: Text, after erased: Int) -> Text {
        guard erased > 0 else { return property }
        return Text(property.string + String(repeating: " ", count: FileFormat.maximumNameByteCount + 1) + "\(erased)")
    }

    func requireTarget(_ definition: ColumnDefinition, _ origin: TableDefinition.Kind) throws(StateError) {
        guard definition.type == .link else { return }
        guard let target = tables[definition.target ?? ""] else {
            throw StateError("\(definition.column) links to a class that is not there")
        }
        switch (target.definition.kind, origin) {
        case (.asymmetric, _), (.topLevel, .asymmetric):
            throw StateError("\(definition.column) cannot link to \(target.definition.name)")
        case (.embedded, _) where definition.collection == .set:
            throw StateError("\(definition.column) cannot be a set of embedded objects")
        default: break
        }
        guard target.hasRoom else { throw StateError("too many properties link to \(target.definition.name)") }
    }

    /// Counts the links of the property's target.
    mutating func count(_ definition: ColumnDefinition, by amount: Int) {
        guard definition.type == .link, let target = definition.target else { return }
        if target == definition.column.table {
            tables[target]?.linksFromItself += amount
        } else {
            tables[target]?.linksFromOthers += amount
        }
    }

    /// The property's contents in rows can't be reached afterwards.
    mutating func eraseColumn(_ name: ColumnReference) throws(StateError) -> Undo? {
        guard let column = tables[name.table]?.columns.removeValue(forKey: name.name) else {
            throw StateError("the property \(name.table.short).\(name.name.short) doesn't exist")
        }
        tables[name.table]?.erased[name.name, default: 0] += 1
        count(column.definition, by: -1)
        return .column(column)
    }
}
