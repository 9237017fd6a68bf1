// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@_spi(Reflection) import Swift

extension ClassInfo {
    /// Finds the properties of a class from the compiler's metadata and from the wrappers of a fresh instance.
    ///
    /// Declarations that the original refuses end the process with its texts (model 2).
    convenience init(discovering objectClass: ObjectBase.Type) {
        let fields = Self.persistedFields(of: objectClass)
        if fields.isEmpty { Self.verifyLegacyDeclarations(of: objectClass) }
        let columnNames = objectClass.propertiesMapping()
        // Nothing but the instance's own wrappers says which of them are indexed or the primary key.
        let prototype = objectClass.init()
        let properties = withExtendedLifetime(prototype) {
            fields.map { name, field in
                PropertyInfo(name: name, columnName: columnNames[name] ?? name, field: field, prototype: prototype)
            }
        }
        let className = objectClass.className()
        Self.verifyNames(of: properties, className: className)
        Self.verifyPrimaryKey(of: properties, className: className)
        self.init(objectClass: objectClass, properties: properties)
    }

    /// The stored properties of type `Persisted`, those of superclasses first.
    private static func persistedFields(of objectClass: ObjectBase.Type) -> [(name: String, field: PropertyField)] {
        var fields: [(name: String, field: PropertyField)] = []
        // `_EachFieldOptions.classType`, which the standard library declares as a global variable.
        let fieldOptions = _EachFieldOptions(rawValue: 1)
        _forEachField(of: objectClass, options: fieldOptions) { name, offset, type, _ in
            if let wrapper = type as? any PersistedField.Type {
                // The compiler stores the wrapper of `age` as `_age`.
                fields.append((String(cString: name + 1), PropertyField(offset: offset, wrapper: wrapper)))
            }
            return true
        }
        return fields
    }

    /// A class of the pre-10.10 style cannot work without Objective-C; its own mistakes are still reported first.
    private static func verifyLegacyDeclarations(of objectClass: ObjectBase.Type) {
        guard let name = (objectClass as? Object.Type)?.primaryKey() else { return }
        throwRealmException("Primary key property '\(name)' does not exist on object '\(objectClass.className())'")
    }

    private static func verifyNames(of properties: [PropertyInfo], className: String) {
        var seen: Set<String> = []
        let repeated = properties.map(\.name).filter { !seen.insert($0).inserted }
        if repeated.count == 1 {
            throwRealmException(
                "Property '\(repeated[0])' is declared multiple times in the class hierarchy of '\(className)'")
        }
        if repeated.count > 1 {
            let names = repeated.map { "'\($0)'" }.joined(separator: ", ")
            throwRealmException(
                """
                Object '\(className)' has properties that are declared multiple times in its class hierarchy: \(names)
                """)
        }
    }

    private static func verifyPrimaryKey(of properties: [PropertyInfo], className: String) {
        let keys = properties.filter(\.isPrimaryKey)
        if keys.count > 1 {
            throwRealmException(
                """
                Properties '\(keys[1].name)' and '\(keys[0].name)' are both marked as the primary key of '\(className)'
                """)
        }
        if let key = keys.first, !key.shape.type.canBePrimaryKey {
            throwRealmException(
                """
                Property '\(key.name)' cannot be made the primary key of '\(className)' because it is not a 'string', \
                'int', 'objectId', or 'uuid' property.
                """)
        }
    }
}

extension PropertyInfo {
    /// Reads the declaration from `prototype`, an instance fresh from its initialiser.
    fileprivate init(name: String, columnName: String, field: PropertyField, prototype: ObjectBase) {
        let declaration = field.wrapper.declaration(at: field.address(in: prototype))
        self.name = name
        self.columnName = columnName
        self.field = field
        shape = field.wrapper.shape
        isPrimaryKey = declaration.isPrimaryKey
        isIndexed = declaration.isIndexed || declaration.isPrimaryKey
        originProperty = declaration.originProperty
        verifyShape()
    }

    /// Refuses what compiles but has no meaning: links that are not optional, lists of optional links, linking objects
    /// of no property.
    private func verifyShape() {
        guard let objectType = shape.objectType else { return }
        switch (shape.type, shape.collection) {
        case (.linkingObjects, _) where originProperty == nil:
            throwRealmException(
                """
                LinkingObjects<\(objectType)> property '\(name)' must set the origin property name with \
                @Persisted(originProperty: \"name\").
                """)
        case (.object, .none) where !shape.isOptional:
            throwRealmException("Object property '\(name)' must be marked as optional.")
        case (.object, .list) where shape.isOptional:
            throwRealmException("List<\(objectType)> property '\(name)' must not be marked as optional.")
        case (.object, .set) where shape.isOptional:
            throwRealmException("MutableSet<\(objectType)> property '\(name)' must not be marked as optional.")
        case (.object, .dictionary) where !shape.isOptional && !shape.isMapped:
            throwRealmException("Map<String, \(objectType)> property '\(name)' must be marked as optional.")
        default: break
        }
    }
}
