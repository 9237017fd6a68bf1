// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The metadata of a property. Immutable, and shared by all objects of the class.
///
/// A class, so that each access by name passes only a reference. Unchecked, because the types in it aren't marked
/// `Sendable`.
final class PropertyInfo: @unchecked Sendable {
    let name: String
    let columnName: String
    let shape: _PropertyShape
    let isPrimaryKey: Bool
    let isIndexed: Bool
    let isFullText: Bool
    /// For linking objects: the property of the other class that contains the links.
    let originProperty: String?
    let field: PropertyField
    /// Whether access by key returns Foundation's numbers. True for a dynamic object's property, unless it is known to
    /// be declared as `Int` or `Double`.
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

    var isComputed: Bool { shape.type == .linkingObjects }

    var isLink: Bool { shape.collection == .none && shape.type == .object }

    var isReference: Bool { isLink || shape.collection == .none && shape.type == .any }

    var objectClassName: String? { shape.objectClassName }

    /// Returns the class in `classes` that the property links to. If two of them share a table, this is the one that
    /// the property names.
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

struct PropertyField {
    let offset: Int
    let wrapper: any PersistedField.Type
    let keyOffset: Int
    /// Cached, because a call to a generic type at each opening would be slow.
    let beginsWithReference: Bool

    init(offset: Int, wrapper: any PersistedField.Type) {
        self.offset = offset
        self.wrapper = wrapper
        keyOffset = offset + wrapper.keyOffset
        beginsWithReference = wrapper.beginsWithReference
    }

    /// Returns the address of the wrapper in `object`. The object must be an instance of the field's class or a
    /// subclass, and must outlive every use of the address.
    func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    }
}
