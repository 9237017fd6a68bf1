// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The schema of an object class: its name, its kind, and its properties.
public struct ObjectSchema: CustomStringConvertible {
    let info: ClassInfo

    init(_ info: ClassInfo) {
        self.info = info
    }

    /// The stored properties in the order of their declaration, beginning with those of superclasses. Linking objects
    /// aren't included, but can be looked up by name.
    public var properties: [Property] { info.properties.map(Property.init) }
    /// The Swift name of the class.
    public var className: String { info.swiftName }
    /// The Swift class of the objects.
    public var objectClass: AnyClass { info.objectClass }
    /// A Boolean value that indicates whether the objects are embedded in other objects.
    public var isEmbedded: Bool { info.isEmbedded }
    /// A Boolean value that indicates whether the objects are only uploaded to the sync server, and can't be read.
    public var isAsymmetric: Bool { info.isAsymmetric }
    /// The primary key; nil if the class doesn't have one.
    public var primaryKeyProperty: Property? { info.primaryKey.map(Property.init) }

    /// Returns the property with this Swift name; nil if it doesn't exist.
    public subscript(propertyName: String) -> Property? {
        info.property(named: propertyName).map(Property.init)
    }

    public var description: String {
        let body = properties.map { "\t" + $0.description.replacing("\n", with: "\n\t") + "\n" }.joined()
        let kind = isEmbedded ? " (embedded)" : isAsymmetric ? " (asymmetric)" : ""
        return "\(className)\(kind) {\n\(body)}"
    }
}

extension ObjectSchema: Equatable {
    /// Returns whether both have the same name and the same properties.
    public static func == (lhs: ObjectSchema, rhs: ObjectSchema) -> Bool {
        lhs.info === rhs.info
            || lhs.className == rhs.className && lhs.info.kind == rhs.info.kind
                && lhs.info.allProperties.elementsEqual(rhs.info.allProperties) { $0.isEqual(to: $1) }
    }
}
