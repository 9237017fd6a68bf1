// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One property of an object class, as `ObjectSchema` lists it.
public struct Property: CustomStringConvertible {
    let info: PropertyInfo

    init(_ info: PropertyInfo) {
        self.info = info
    }

    /// The name in Swift.
    public var name: String { info.name }
    /// The name in the file, which `propertiesMapping()` may set apart from `name`.
    public var columnName: String { info.columnName }
    /// What the property holds; for a collection, what its elements are.
    public var type: PropertyType { info.shape.type }
    /// Whether the property is a `List`, or the inverse of a link.
    public var isArray: Bool { info.shape.collection == .list }
    /// Whether the property is a `MutableSet`.
    public var isSet: Bool { info.shape.collection == .set }
    /// Whether the property is a `Map`.
    public var isMap: Bool { info.shape.collection == .dictionary }
    /// Whether queries for equality find values through an index. True for a primary key.
    public var isIndexed: Bool { info.isIndexed }
    /// Whether queries with `TEXT` find the words of the text through an index (ours).
    public var isFullTextIndexed: Bool { info.isFullText }
    /// Whether the value, or the elements of the collection, may be nil. A mixed value is its own null, and is not.
    public var isOptional: Bool { info.shape.isOptional && type != .any }
    /// The class that a link leads to.
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
    /// Whether both describe the same property, in whatever class.
    public static func == (lhs: Property, rhs: Property) -> Bool {
        lhs.info.isEqual(to: rhs.info)
    }
}
