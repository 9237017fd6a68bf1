// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The schema of a Realm: its object classes.
public struct Schema: CustomStringConvertible {
    let classes: [ClassInfo]
    /// Whether the classes were found to be valid together.
    var isSound = false

    init(_ classes: [ClassInfo]) {
        self.classes = classes.ordered { $0.name < $1.name }
    }

    /// The schemas of the classes, sorted by name.
    public var objectSchema: [ObjectSchema] { classes.map(ObjectSchema.init) }

    /// Returns the class with this Swift name, or otherwise the class with this name in the file; nil if neither
    /// exists.
    public subscript(className: String) -> ObjectSchema? {
        (classes.first { $0.swiftName == className } ?? classes.first { $0.name == className }).map(ObjectSchema.init)
    }

    public var description: String {
        let body = objectSchema.map { "\t" + $0.description.replacing("\n", with: "\n\t") + "\n" }.joined()
        return "Schema {\n\(body)}"
    }
}

extension Schema: Equatable {
    /// Returns whether both have the same classes with the same properties.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs.objectSchema == rhs.objectSchema
    }
}
