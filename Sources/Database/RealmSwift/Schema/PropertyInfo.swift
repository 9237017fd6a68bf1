// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What the library knows about one property of a class. Immutable, and shared by all objects of the class.
///
/// It is looked up at each access through a name, so it is handed around by reference. The compiler does not know that
/// the types in it may be shared.
final class PropertyInfo: @unchecked Sendable {
    let name: String
    let columnName: String
    let shape: _PropertyShape
    let isPrimaryKey: Bool
    /// Whether equal values are found by an index.
    let isIndexed: Bool
    /// Whether the words of the text are found by an index.
    let isFullText: Bool
    /// For linking objects: the property of the other class that leads here.
    let originProperty: String?
    let field: PropertyField
    /// Whether numbers are Foundation's where they are asked for by key: those of a dynamic object's property that is
    /// not known to be declared as `Int` or `Double`.
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

    /// Whether the value follows from other objects' links and is not stored.
    var isComputed: Bool { shape.type == .linkingObjects }

    /// Whether the value is an object or nil.
    var isLink: Bool { shape.collection == .none && shape.type == .object }

    /// Whether the value is an object, or may be one.
    var isReference: Bool { isLink || shape.collection == .none && shape.type == .any }

    var objectClassName: String? { shape.objectClassName }

    /// The class among some that the property leads to: of two classes of one table, the one that the property names.
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

/// Where the wrapper of a property lies within each object of its class, and what type it has.
struct PropertyField {
    let offset: Int
    let wrapper: any PersistedField.Type
    /// Where in the object the wrapper has its key.
    let keyOffset: Int
    /// What the wrapper says of itself; asking a generic type for it at each opening would take long.
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
