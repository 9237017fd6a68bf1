// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension ClassInfo {
    /// Discovers the properties of a class from the compiler's metadata and from the wrappers of a new instance.
    ///
    /// Traps, with the texts of the original, for declarations that the original rejects (model 2).
    convenience init(discovering objectClass: ObjectBase.Type) {
        let fields = Self.fields(of: objectClass)
        // Only the wrappers of an instance contain the index and primary key options.
        let prototype = objectClass.init()
        let properties = withExtendedLifetime(prototype) { Self.properties(fields, prototype) }
        let className = objectClass.className()
        Self.verifyNames(of: properties, className: className)
        Self.verifyPrimaryKey(of: properties, className: className)
        // The field of type `RowState` belongs to the library.
        let ownFields = fields.filter { $0.type != RowState.self }
        self.init(
            objectClass: objectClass, properties: properties, hasOnlyProperties: ownFields.count == properties.count)
    }

    private struct Field {
        let name: String
        let type: Any.Type
        /// nil for a field that isn't stored in the database.
        let property: PropertyField?
    }

    /// In the order of their declaration, those of superclasses first.
    private static func fields(of objectClass: ObjectBase.Type) -> [Field] {
        var fields: [Field] = []
        unsafe StoredProperties.forEach(of: objectClass) { name, offset, type in
            if let wrapper = type as? any PersistedField.Type {
                // The compiler stores the wrapper of `age` as `_age`.
                let property = PropertyField(offset: offset, wrapper: wrapper)
                unsafe fields.append(Field(name: String(cString: name + 1), type: type, property: property))
            } else {
                let property = legacyField(of: type).map { PropertyField(offset: offset, wrapper: $0) }
                unsafe fields.append(Field(name: String(cString: name), type: type, property: property))
            }
        }
        return fields
    }

    /// Returns the stored properties: those declared `@Persisted`, or if there aren't any, those in the style from
    /// before Realm 10.10 (model 2 and 6). Overrides in that style apply to both.
    private static func properties(_ fields: [Field], _ prototype: ObjectBase) -> [PropertyInfo] {
        let columnNames = type(of: prototype).propertiesMapping()
        let found = fields.compactMap { field in
            field.property.map { unsafe (field.name, $0, $0.wrapper.declaration(at: $0.address(in: prototype))) }
        }
        let persisted = found.filter { !$0.2.isLegacy }
        let overrides = LegacyDeclarations(of: type(of: prototype))
        if persisted.isEmpty {
            for field in fields { overrides.verify(field: field.name, field.type) }
        }
        let stored = (persisted.isEmpty ? found : persisted).filter { !overrides.ignores($0.0) }
        if persisted.isEmpty { overrides.verifyFamilies(of: stored.map(\.0)) }
        overrides.verifyPrimaryKey(among: stored.map(\.0))
        return stored.map { name, field, declaration in
            PropertyInfo(
                name, columnName: columnNames[name] ?? name, field, overrides.completed(declaration, of: name))
        }
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
        if let key = keys.first, !key.shape.type.canBePrimaryKey || key.shape.collection != .none {
            throwRealmException(
                """
                Property '\(key.name)' cannot be made the primary key of '\(className)' because it is not a 'string', \
                'int', 'objectId', or 'uuid' property.
                """)
        }
    }
}

extension PropertyInfo {
    fileprivate convenience init(
        _ name: String, columnName: String, _ field: PropertyField, _ declaration: PersistedDeclaration
    ) {
        self.init(
            name: name, columnName: columnName, field.wrapper.shape, field, isPrimaryKey: declaration.isPrimaryKey,
            isIndexed: declaration.isIndexed || declaration.isPrimaryKey, isFullText: declaration.isFullText,
            originProperty: declaration.originProperty)
        verifyShape()
    }

    /// Traps for declarations that compile but are invalid: full-text indexes of types other than strings, links that
    /// aren't optional, lists of optional links, linking objects without a property.
    private func verifyShape() {
        if isFullText, shape.type != .string || shape.collection != .none {
            throwRealmException(
                "Property '\(name)' cannot have a full-text index because it is not a 'string' property.")
        }
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
