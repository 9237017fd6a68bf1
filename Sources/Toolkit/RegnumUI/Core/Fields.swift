// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@_spi(Reflection) import Swift

@MainActor enum Fields {
    struct Field {
        let offset: Int
        let type: Any.Type
        let kind: _MetadataKind
    }

    private static var known: [ObjectIdentifier: [Field]] = [:]

    /// Returns the fields of a struct or tuple in the order of declaration.
    static func of(_ type: Any.Type) -> [Field] {
        if let fields = known[ObjectIdentifier(type)] { return fields }
        var fields: [Field] = []
        // `_EachFieldOptions.ignoreUnknown`, which the standard library declares as a global variable.
        _forEachField(of: type, options: _EachFieldOptions(rawValue: 2)) { _, offset, type, kind in
            fields.append(Field(offset: offset, type: type, kind: kind))
            return true
        }
        known[ObjectIdentifier(type)] = fields
        return fields
    }
}
