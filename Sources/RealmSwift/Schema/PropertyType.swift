// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a property or the elements of a collection hold. The raw values are those of the original.
public enum PropertyType: Int32, Sendable {
    case int = 0
    case bool = 1
    case string = 2
    case data = 3
    case date = 4
    case float = 5
    case double = 6
    case object = 7
    case linkingObjects = 8
    case any = 9
    case objectId = 10
    case decimal128 = 11
    case UUID = 12

    /// The name in error texts and descriptions.
    var name: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .float: "float"
        case .double: "double"
        case .object: "object"
        case .linkingObjects: "linking objects"
        case .any: "mixed"
        case .objectId: "object id"
        case .decimal128: "decimal128"
        case .UUID: "uuid"
        }
    }

    /// Whether a property of this type can be a primary key.
    var canBePrimaryKey: Bool {
        switch self {
        case .int, .string, .objectId, .UUID: true
        default: false
        }
    }
}
