// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension ClassInfo {
    /// Creates the description of a Swift class, with its properties by their names in Swift.
    convenience init(dynamic model: ClassInfo) {
        let properties = model.allProperties.enumerated().map { index, property in
            PropertyInfo(
                dynamic: property.shape.dynamic, at: index, name: property.name, columnName: property.columnName,
                isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed,
                isFullText: property.isFullText, originProperty: property.originProperty,
                boxesNumbers: property.isNumber && !property.isPlainNumber)
        }
        self.init(
            objectClass: DynamicObject.self, properties: properties, name: model.name, swiftName: model.swiftName,
            kind: model.kind, hasOnlyProperties: true)
    }

    /// Creates the description of a table, with its properties by the names of their columns. `declared` is the
    /// program's declaration of the class now, or after a migration.
    convenience init(dynamic table: Table, in source: any TableSource, declared: ClassInfo? = nil) throws {
        let plain = Set(declared?.properties.filter(\.isPlainNumber).map(\.columnName) ?? [])
        let properties = try table.propertyColumns.enumerated().map { index, column in
            PropertyInfo(
                dynamic: try table.shape(of: column, in: source), at: index, name: column.name,
                columnName: column.name, isPrimaryKey: table.primaryKey == column.key,
                isIndexed: table.indexKind(column) == .general || table.primaryKey == column.key,
                isFullText: column.isFullTextIndexed, originProperty: nil,
                boxesNumbers: column.type.isNumber && !column.key.isCollection && !plain.contains(column.name))
        }
        self.init(
            objectClass: DynamicObject.self, properties: properties, name: table.className ?? table.name,
            kind: table.kind, hasOnlyProperties: true)
    }
}

extension PropertyInfo {
    fileprivate convenience init(
        dynamic shape: _PropertyShape, at index: Int, name: String, columnName: String, isPrimaryKey: Bool,
        isIndexed: Bool, isFullText: Bool, originProperty: String?, boxesNumbers: Bool
    ) {
        self.init(
            name: name, columnName: columnName, shape,
            PropertyField(offset: index, wrapper: DynamicTypes.field(shape)), isPrimaryKey: isPrimaryKey,
            isIndexed: isIndexed, isFullText: isFullText, originProperty: originProperty, boxesNumbers: boxesNumbers)
    }
}

extension ColumnType {
    fileprivate var isNumber: Bool { self == .int || self == .float || self == .double }
}

extension _PropertyShape {
    /// The shape with dynamic objects as its objects and with values in their stored form.
    fileprivate var dynamic: _PropertyShape {
        guard type == .object || type == .linkingObjects else {
            return _PropertyShape(type: type, collection: collection, isOptional: isOptional)
        }
        return _PropertyShape(
            type: type, collection: collection, isOptional: collection == .none || collection == .dictionary,
            objectType: DynamicObject.self, objectName: objectClassName)
    }
}

extension Table {
    var propertyColumns: [Column] { publicColumns.filter { PropertyType($0.type) != nil } }

    fileprivate func shape(of column: Column, in source: any TableSource) throws -> _PropertyShape {
        var shape = _PropertyShape(type: PropertyType(column.type) ?? .int, isOptional: column.key.isNullable)
        if column.key.isList { shape.collection = .list }
        if column.key.isSet { shape.collection = .set }
        if column.key.isDictionary { shape.collection = .dictionary }
        guard column.type == .link else { return shape }
        let target = try source.table(oppositeTables[column.leafIndex])
        shape.objectType = DynamicObject.self
        shape.objectName = target.map { $0.className ?? $0.name }
        return shape
    }
}
