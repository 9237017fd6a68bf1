// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The type of a property, or of the elements of a collection. Raw values are those of Realm's SDK.
public enum PropertyType: Int32, Sendable {
    /// An integer of any width.
    case int = 0
    /// A Boolean value.
    case bool = 1
    /// A string.
    case string = 2
    /// Binary data.
    case data = 3
    /// A date.
    case date = 4
    /// A `Float`.
    case float = 5
    /// A `Double`.
    case double = 6
    /// A link to an object, or an embedded object.
    case object = 7
    /// The objects that link to an object.
    case linkingObjects = 8
    /// An ``AnyRealmValue``.
    case any = 9
    /// An ``ObjectId``.
    case objectId = 10
    /// A ``Decimal128``.
    case decimal128 = 11
    /// A `UUID`.
    case UUID = 12

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

    var canBePrimaryKey: Bool {
        switch self {
        case .int, .string, .objectId, .UUID: true
        default: false
        }
    }
}
