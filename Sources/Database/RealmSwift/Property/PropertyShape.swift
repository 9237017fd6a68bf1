// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The number by which a managed object finds the storage of a property.
public typealias PropertyKey = UInt16

extension PropertyKey {
    /// Marks a property of an unmanaged object. No table has this many columns.
    @usableFromInline static var unmanaged: PropertyKey { @inlinable get { .max } }
}

/// What the Swift type of a property says about it in the schema.
public struct _PropertyShape {
    /// How many values the property holds, and in what order.
    enum Collection {
        case none, list, set, dictionary
    }

    var type: PropertyType
    var collection = Collection.none
    /// Whether the value, or the elements of the collection, may be null.
    var isOptional = false
    /// Whether the Swift type is one of the user's own, which `type` stores.
    var isMapped = false
    /// The class that a link leads to, or that linking objects come from.
    var objectType: ObjectBase.Type?
    /// The name of that class where `objectType` does not say it: for objects without a Swift class.
    var objectName: String?

    /// The name in the file of the class that a link leads to.
    var objectClassName: String? { objectName ?? objectType?.tableClassName }

    /// The name of that class in the program.
    var shownClassName: String? { objectName ?? objectType?.className() }

    var optional: _PropertyShape {
        var shape = self
        shape.isOptional = true
        return shape
    }

    /// The shape of a collection whose elements have this shape.
    func collected(_ collection: Collection) -> _PropertyShape {
        var shape = self
        shape.collection = collection
        return shape
    }

    /// The shape as error texts print it: `'int?' array`, the quotes included.
    var quotedName: String {
        "'\(type.name)\(showsOptional ? "?" : "")'" + (collection.name.map { " " + $0 } ?? "")
    }

    /// What a collection of this shape's values is called to hold: `Dog`, or `int?`.
    var elementName: String {
        shownClassName ?? type.name + (showsOptional ? "?" : "")
    }

    /// A mixed value is its own null.
    private var showsOptional: Bool { isOptional && type != .any }
}

extension _PropertyShape.Collection {
    /// The name in error texts; nil for a single value.
    var name: String? {
        switch self {
        case .none: nil
        case .list: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}
