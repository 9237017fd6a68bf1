// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A number that identifies the storage of a property in a managed object.
public typealias PropertyKey = UInt16

extension PropertyKey {
    /// Marks a property of an unmanaged object. No table has this many columns.
    @usableFromInline static var unmanaged: PropertyKey { @inlinable get { .max } }
}

/// The schema's description of a property, derived from its Swift type.
public struct _PropertyShape {
    /// The kind of collection that the property holds.
    enum Collection {
        case none, list, set, dictionary
    }

    var type: PropertyType
    var collection = Collection.none
    /// Whether the value, or the elements of the collection, may be null.
    var isOptional = false
    /// Whether the Swift type is a custom one, stored as `type`.
    var isMapped = false
    /// The class that a link points to, or the origin of linking objects.
    var objectType: ObjectBase.Type?
    /// The name of that class if `objectType` doesn't have it: for objects without a Swift class.
    var objectName: String?

    /// The name in the file of the class that a link points to.
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

    /// The name of an element type of this shape: `Dog`, or `int?`.
    var elementName: String {
        shownClassName ?? type.name + (showsOptional ? "?" : "")
    }

    /// A mixed value already includes null.
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
