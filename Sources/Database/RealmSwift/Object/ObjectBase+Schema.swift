// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension ObjectBase {
    var classInfo: ClassInfo {
        if let dynamic = self as? DynamicObject { return dynamic.info }
        return ClassRegistry.shared.info(for: type(of: self))
    }
}

extension Object {
    /// The schema of the object's class.
    public var objectSchema: ObjectSchema { ObjectSchema(classInfo) }
}

extension EmbeddedObject {
    /// The schema of the object's class.
    public var objectSchema: ObjectSchema { ObjectSchema(classInfo) }
}
