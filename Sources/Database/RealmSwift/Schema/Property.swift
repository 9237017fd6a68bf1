// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The schema of a property of an object class.
public struct Property: CustomStringConvertible {
    let info: PropertyInfo

    init(_ info: PropertyInfo) {
        self.info = info
    }

    /// The name of the property in Swift.
    public var name: String { info.name }
    /// The name of the property's column in the file, which `propertiesMapping()` can change.
    public var columnName: String { info.columnName }
    /// The type of the property's value, or of the elements of a collection.
    public var type: PropertyType { info.shape.type }
    /// A Boolean value that indicates whether the property is a `List`, or the inverse of a link.
    public var isArray: Bool { info.shape.collection == .list }
    /// A Boolean value that indicates whether the property is a `MutableSet`.
    public var isSet: Bool { info.shape.collection == .set }
    /// A Boolean value that indicates whether the property is a `Map`.
    public var isMap: Bool { info.shape.collection == .dictionary }
    /// A Boolean value that indicates whether the property has an index for equality queries. True for a primary key.
    public var isIndexed: Bool { info.isIndexed }
    /// A Boolean value that indicates whether the property has a full-text index, for queries with `TEXT`. An addition
    /// to Realm's API.
    public var isFullTextIndexed: Bool { info.isFullText }
    /// A Boolean value that indicates whether the value, or the elements of the collection, may be nil. False for the
    /// type `.any`, whose values include null.
    public var isOptional: Bool { info.shape.isOptional && type != .any }
    /// The name of the class that a link points to, or of the class whose objects link to this one; nil for other
    /// properties.
    public var objectClassName: String? { info.shape.shownClassName }

    public var description: String {
        func flag(_ value: Bool) -> String { value ? "YES" : "NO" }
        var lines = ["type = \(type.name);"]
        if type == .object || type == .linkingObjects {
            lines.append("objectClassName = \(objectClassName ?? "(null)");")
            lines.append("linkOriginPropertyName = \(info.originProperty ?? "(null)");")
        }
        lines += [
            "columnName = \(columnName);", "indexed = \(flag(isIndexed));",
            "isPrimary = \(flag(info.isPrimaryKey));", "array = \(flag(isArray));", "set = \(flag(isSet));",
            "dictionary = \(flag(isMap));", "optional = \(flag(isOptional));",
        ]
        if isFullTextIndexed { lines.append("fullText = YES;") }
        return "\(name) {\n" + lines.map { "\t\($0)\n" }.joined() + "}"
    }
}

extension Property: Equatable {
    /// Returns whether both describe the same property, regardless of its class.
    public static func == (lhs: Property, rhs: Property) -> Bool {
        lhs.info.isEqual(to: rhs.info)
    }
}
