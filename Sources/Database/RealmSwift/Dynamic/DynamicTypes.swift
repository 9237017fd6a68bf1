// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// The Swift types in which dynamic objects present their properties.
enum DynamicTypes {
    /// Returns the field of a property: `DynamicField<List<Int?>>` for a list of optional integers.
    static func field(_ shape: _PropertyShape) -> any PersistedField.Type {
        switch shape.type {
        case .int: field(Int.self, shape)
        case .bool: field(Bool.self, shape)
        case .string: field(String.self, shape)
        case .data: field(Data.self, shape)
        case .date: field(Date.self, shape)
        case .float: field(Float.self, shape)
        case .double: field(Double.self, shape)
        case .objectId: field(ObjectId.self, shape)
        case .decimal128: field(Decimal128.self, shape)
        case .UUID: field(UUID.self, shape)
        case .any: mixedField(shape)
        case .object, .linkingObjects: objectField(shape)
        }
    }

    private static func field<Value: _PersistableInsideOptional & _RealmCollectionValueInsideOptional>(
        _: Value.Type, _ shape: _PropertyShape
    ) -> any PersistedField.Type {
        switch (shape.collection, shape.isOptional) {
        case (.none, false): DynamicField<Value>.self
        case (.none, true): DynamicField<Value?>.self
        case (.list, false): DynamicField<List<Value>>.self
        case (.list, true): DynamicField<List<Value?>>.self
        case (.set, false): DynamicField<MutableSet<Value>>.self
        case (.set, true): DynamicField<MutableSet<Value?>>.self
        case (.dictionary, false): DynamicField<Map<String, Value>>.self
        case (.dictionary, true): DynamicField<Map<String, Value?>>.self
        }
    }

    private static func mixedField(_ shape: _PropertyShape) -> any PersistedField.Type {
        switch shape.collection {
        case .none: DynamicField<AnyRealmValue>.self
        case .list: DynamicField<List<AnyRealmValue>>.self
        case .set: DynamicField<MutableSet<AnyRealmValue>>.self
        case .dictionary: DynamicField<Map<String, AnyRealmValue>>.self
        }
    }

    private static func objectField(_ shape: _PropertyShape) -> any PersistedField.Type {
        switch shape.collection {
        case .none: DynamicField<DynamicObject?>.self
        case .list: DynamicField<List<DynamicObject>>.self
        case .set: DynamicField<MutableSet<DynamicObject>>.self
        case .dictionary: DynamicField<Map<String, DynamicObject?>>.self
        }
    }
}

extension PropertyType {
    /// Creates the property type of a column's type; nil for a column that isn't a property.
    init?(_ column: ColumnType) {
        switch column {
        case .int: self = .int
        case .bool: self = .bool
        case .string: self = .string
        case .binary: self = .data
        case .mixed: self = .any
        case .timestamp: self = .date
        case .float: self = .float
        case .double: self = .double
        case .decimal: self = .decimal128
        case .link: self = .object
        case .objectId: self = .objectId
        case .uuid: self = .UUID
        case .linkList, .backlink, .typedLink, .list, .set, .dictionary: return nil
        }
    }
}
