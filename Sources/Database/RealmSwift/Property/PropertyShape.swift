// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A number that identifies a property's storage in a managed object.
public typealias PropertyKey = UInt16

extension PropertyKey {
    /// Marks a property of an unmanaged object. No table has this many columns.
    @usableFromInline static var unmanaged: PropertyKey { @inlinable get { .max } }
}

/// The schema's description of a property, derived from its Swift type.
public struct _PropertyShape {
    enum Collection {
        case none, list, set, dictionary
    }

    var type: PropertyType
    var collection = Collection.none
    /// Whether the value, or the elements of the collection, may be null.
    var isOptional = false
    /// Whether the Swift type is a custom type, stored as `type`.
    var isMapped = false
    /// The target class of a link, or the origin class of linking objects.
    var objectType: ObjectBase.Type?
    /// The name of the class if `objectType` doesn't specify it: for objects without a Swift class.
    var objectName: String?

    /// The name of the class in the file.
    var objectClassName: String? { objectName ?? objectType?.tableClassName }

    /// The name of the class in the program.
    var shownClassName: String? { objectName ?? objectType?.className() }

    var optional: _PropertyShape {
        var shape = self
        shape.isOptional = true
        return shape
    }

    func collected(_ collection: Collection) -> _PropertyShape {
        var shape = self
        shape.collection = collection
        return shape
    }

    /// For error messages: `'int?' array`, including the quotation marks.
    var quotedName: String {
        "'\(type.name)\(showsOptional ? "?" : "")'" + (collection.name.map { " " + $0 } ?? "")
    }

    var elementName: String {
        shownClassName ?? type.name + (showsOptional ? "?" : "")
    }

    /// The name of a mixed type already implies null.
    private var showsOptional: Bool { isOptional && type != .any }
}

extension _PropertyShape.Collection {
    var name: String? {
        switch self {
        case .none: nil
        case .list: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}
