// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The metadata of a property of a class. Immutable, and shared by all objects of the class.
///
/// It is used in each access by name, so it is passed by reference. Unchecked because the types in it aren't marked
/// `Sendable`.
final class PropertyInfo: @unchecked Sendable {
    let name: String
    let columnName: String
    let shape: _PropertyShape
    let isPrimaryKey: Bool
    /// Whether equality queries use an index.
    let isIndexed: Bool
    /// Whether queries use an index of the text's words.
    let isFullText: Bool
    /// For linking objects: the property of the other class that links here.
    let originProperty: String?
    let field: PropertyField
    /// Whether access by key returns numbers as Foundation's: for a dynamic object's property, unless it is known to be
    /// declared as `Int` or `Double`.
    let boxesNumbers: Bool

    init(
        name: String, columnName: String, _ shape: _PropertyShape, _ field: PropertyField,
        isPrimaryKey: Bool, isIndexed: Bool, isFullText: Bool, originProperty: String?, boxesNumbers: Bool = false
    ) {
        self.name = name
        self.columnName = columnName
        self.shape = shape
        self.field = field
        self.isPrimaryKey = isPrimaryKey
        self.isIndexed = isIndexed
        self.isFullText = isFullText
        self.originProperty = originProperty
        self.boxesNumbers = boxesNumbers
    }

    /// Whether the value is derived from other objects' links and isn't stored.
    var isComputed: Bool { shape.type == .linkingObjects }

    /// Whether the value is an object or nil.
    var isLink: Bool { shape.collection == .none && shape.type == .object }

    /// Whether the value is an object, or may be one.
    var isReference: Bool { isLink || shape.collection == .none && shape.type == .any }

    var objectClassName: String? { shape.objectClassName }

    /// The class, among `classes`, that the property links to. If two of them share a table, this is the one that the
    /// property names.
    func target(in classes: some Sequence<ClassInfo>) -> ClassInfo? {
        let type = shape.objectType
        return classes.first { $0.objectClass == type } ?? classes.first { $0.name == objectClassName }
    }

    func isEqual(to other: PropertyInfo) -> Bool {
        name == other.name && columnName == other.columnName && shape.type == other.shape.type
            && shape.collection == other.shape.collection && shape.isOptional == other.shape.isOptional
            && isIndexed == other.isIndexed && isFullText == other.isFullText && isPrimaryKey == other.isPrimaryKey
            && objectClassName == other.objectClassName && originProperty == other.originProperty
    }
}

/// The offset and the type of a property's wrapper, within each object of its class.
struct PropertyField {
    let offset: Int
    let wrapper: any PersistedField.Type
    /// The offset of the wrapper's key within the object.
    let keyOffset: Int
    /// Whether the wrapper begins with its reference. Cached, because a call to a generic type at each opening would be
    /// slow.
    let beginsWithReference: Bool

    init(offset: Int, wrapper: any PersistedField.Type) {
        self.offset = offset
        self.wrapper = wrapper
        keyOffset = offset + wrapper.keyOffset
        beginsWithReference = wrapper.beginsWithReference
    }

    /// The wrapper inside `object`, which must be of the class that the field was found in, or of a subclass, and must
    /// outlive every use of the address.
    func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    }
}
