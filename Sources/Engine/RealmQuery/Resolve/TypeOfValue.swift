// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The possible results of `.@type` after a mixed property.
enum TypeOfValue: String, CaseIterable {
    case null, bool, int, float, double, string, data, date, link, uuid, array, dictionary
    case decimal = "decimal128"
    case objectId = "objectid"

    init(_ value: StoredValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .bool
            case .int: .int
            case .float: .float
            case .double: .double
            case .decimal: .decimal
            case .string: .string
            case .binary: .data
            case .timestamp: .date
            case .objectId: .objectId
            case .uuid: .uuid
            case .link, .typedLink: .link
            case .list: .array
            case .dictionary: .dictionary
            }
    }

    static func named(_ text: String) -> [TypeOfValue]? {
        let name = text.lowercased()
        switch name {
        case "numeric", "number": return [.int, .float, .double, .decimal]
        case "integer", "int16", "int32", "int64": return [.int]
        case "boolean": return [.bool]
        case "binary": return [.data]
        case "timestamp": return [.date]
        case "decimal": return [.decimal]
        case "objectlink", "typedlink": return [.link]
        case "list": return [.array]
        case "object": return [.dictionary]
        case "collection": return [.array, .dictionary]
        default: return TypeOfValue(rawValue: name).map { [$0] }
        }
    }

    static func test(_ comparison: Comparison) throws(PredicateError) -> ValueTest {
        let constants: [StoredValue]
        switch (comparison.operation, comparison.left, comparison.right) {
        case (.equal, .value(let name), _), (.notEqual, .value(let name), _): constants = [name]
        case (.equal, _, .value(let name)), (.notEqual, _, .value(let name)): constants = [name]
        case (.in, _, .values(let names)): constants = names
        default:
            throw PredicateError(
                .invalidOperator, "Operator '\(comparison.operation.rawValue)' not supported for @type")
        }
        var names: [[UInt8]] = []
        for constant in constants {
            guard case .string(let text) = constant, let types = named(text) else {
                let known = TypeOfValue.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
                throw PredicateError(
                    .invalidValue,
                    "'\(TypeNames.text(constant))' isn't a result of @type: expected 'numeric', \(known)")
            }
            names += types.map { Array($0.rawValue.utf8) }
        }
        return ValueTest(
            kind: .byteSet(ByteSet(names)), isNegated: comparison.operation == .notEqual
        )
    }
}
