// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The tables of a file as an application's classes: the output of `realm schema`.
package struct SchemaDescription {
    package let tables: [TableDescription]
    /// Notes on values whose interpretation is ambiguous.
    package let notes: [String]

    package init(tables: [TableDescription], notes: [String] = []) { (self.tables, self.notes) = (tables, notes) }
}

package struct TableDescription {
    package let name: String
    /// nil for a table that isn't a class (content 2.3).
    package let className: String?
    package let kind: TableKind
    package let properties: [PropertyDescription]
    /// "Person.dogs" for each property that links here.
    package let origins: [String]

    package init(className: String, kind: TableKind = .topLevel, properties: [PropertyDescription]) {
        self.init(name: "class_" + className, className: className, kind: kind, properties: properties, origins: [])
    }

    package init(
        name: String, className: String?, kind: TableKind, properties: [PropertyDescription], origins: [String]
    ) {
        self.name = name
        self.className = className
        self.kind = kind
        self.properties = properties
        self.origins = origins
    }
}

package struct PropertyDescription {
    /// The raw values are the names in the dump format.
    package enum Collection: String {
        case list
        case set
        case dictionary
    }

    package let name: String
    package let type: ColumnType
    package let isOptional: Bool
    /// nil for a single value.
    package let collection: Collection?
    package let keyType: ColumnType?
    package let isPrimaryKey: Bool
    package let index: IndexKind?
    package let targetTable: String?
    package let targetClass: String?

    package init(
        name: String, type: ColumnType, isOptional: Bool, collection: Collection? = nil, isPrimaryKey: Bool = false,
        index: IndexKind? = nil, targetClass: String? = nil
    ) {
        self.init(
            name: name, type: type, isOptional: isOptional, collection: collection,
            keyType: collection == .dictionary ? .string : nil, isPrimaryKey: isPrimaryKey, index: index,
            targetTable: targetClass.map { "class_" + $0 }, targetClass: targetClass)
    }

    package init(
        name: String, type: ColumnType, isOptional: Bool, collection: Collection?, keyType: ColumnType?,
        isPrimaryKey: Bool, index: IndexKind?, targetTable: String?, targetClass: String?
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.collection = collection
        self.keyType = keyType
        self.isPrimaryKey = isPrimaryKey
        self.index = index
        self.targetTable = targetTable
        self.targetClass = targetClass
    }
}

extension Column {
    /// nil for a single value.
    package var collection: PropertyDescription.Collection? {
        key.isList ? .list : key.isSet ? .set : key.isDictionary ? .dictionary : nil
    }

    /// Whether the column has single numbers.
    package var isNumeric: Bool { [.int, .float, .double, .decimal].contains(type) && !key.isCollection }
}
