// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension QueryNode {
    /// A comparison with a value that is stored as an embedded object: of each of its properties. nil for any other
    /// comparison (model 5).
    static func memberwise(_ left: QueryNode, _ operation: Operator, _ value: Any?) -> QueryNode? {
        guard operation == .equal || operation == .notEqual, case .path(let path) = left,
            value.map({ !isPlain($0) }) ?? false,
            let custom = flattened(value) as? any _CustomPersistable,
            let object = custom._rlmDynamicValue as? EmbeddedObject
        else { return nil }
        let exists = QueryNode.comparison(.notEqual, left, .constant(nil), [])
        let isEqual = object.classInfo.properties.reduce(exists) { condition, property in
            verifyComparable(property, of: object.classInfo)
            let value = object.dynamicValue(of: property)
            return .and(condition, .comparison(.equal, .path(path.appending(property)), .constant(value), []))
        }
        return operation == .equal ? isEqual : .not(isEqual)
    }

    private static func verifyComparable(_ property: PropertyInfo, of info: ClassInfo) {
        let subject = "Unsupported property '\(info.name).\(property.name)' for memberwise equality query: "
        if property.shape.collection != .none {
            throwRealmException(subject + "equality on collections is not implemented.")
        }
        if property.shape.type == .object {
            throwRealmException(subject + "object links are not implemented.")
        }
    }
}
