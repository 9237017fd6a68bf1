// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension QueryNode {
    /// Converts a comparison with a value that is stored as an embedded object to comparisons of its properties.
    /// Returns nil for any other comparison (model 5).
    static func memberwise(_ left: QueryNode, _ operation: Operator, _ value: Any?) -> QueryNode? {
        guard case .path(let path) = left, let value, !isPlain(value) else { return nil }
        if let condition = mixedCollection(path, operation, value) { return condition }
        guard operation == .equal || operation == .notEqual,
            let custom = flattened(value) as? any _CustomPersistable,
            let object = custom._rlmDynamicValue as? EmbeddedObject
        else { return nil }
        let exists = QueryNode.comparison(.notEqual, left, .constant(nil), [])
        let isEqual = object.classInfo.properties.reduce(exists) { condition, property in
            verifyComparable(property, of: object.classInfo)
            let value = object.dynamicValue(of: property)
            return .and(condition, .comparison(.equal, .path(path.appending(property)), .constant(value), []))
        }
        return .memberwise(path, operation, object, operation == .equal ? isEqual : .not(isEqual))
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

/// Comparisons of mixed values with lists and dictionaries, which can't be constants. They compare the kind of
/// collection, the number of elements, and each element (row S5).
extension QueryNode {
    fileprivate static func mixedCollection(_ path: QueryPath, _ operation: Operator, _ value: Any) -> QueryNode? {
        if path.needsAny { return nil }
        switch (operation, value) {
        case (.equal, let value as AnyRealmValue): return equality(path, value)
        case (.notEqual, let value as AnyRealmValue): return equality(path, value).map { .not($0) }
        case (.in, let values as [AnyRealmValue]) where values.contains(where: \.isCollection):
            let conditions = values.map { equality(path, $0) ?? element(path, $0) }
            return conditions.dropFirst().reduce(conditions[0]) { .or($0, $1) }
        default: return nil
        }
    }

    private static func equality(_ path: QueryPath, _ value: AnyRealmValue) -> QueryNode? {
        switch value {
        case .list(let list):
            let shape = hasShape(path, "list", list.count)
            return list.enumerated().reduce(shape) { .and($0, element(path.appending(.index($1.offset)), $1.element)) }
        case .dictionary(let map):
            let shape = hasShape(path, "dictionary", map.count)
            return map.reduce(shape) { .and($0, element(path.appending(.key($1.key)), $1.value)) }
        default: return nil
        }
    }

    private static func element(_ path: QueryPath, _ value: AnyRealmValue) -> QueryNode {
        equality(path, value) ?? .comparison(.equal, .path(path), .constant(storing: value), [])
    }

    private static func hasShape(_ path: QueryPath, _ type: String, _ count: Int) -> QueryNode {
        .and(
            .comparison(.equal, .path(path.asking(.type)), .constant(type), []),
            .comparison(.equal, .path(path.asking(.count)), .constant(count), []))
    }
}

extension AnyRealmValue {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }
}
