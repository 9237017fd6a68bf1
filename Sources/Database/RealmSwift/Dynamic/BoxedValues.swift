// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Returns values in the form that the original's class type takes: Foundation's null for nil. A single value becomes
/// an array of one element.
func boxed(_ value: Any?) -> [AnyObject] {
    let values = value as? [Any?] ?? [value]
    return values.map { flattened($0).map { $0 as AnyObject } ?? NSNull() }
}

extension StoredValue {
    /// The value in its Swift type; nil for null, links and collections.
    var dynamicValue: Any? {
        switch self {
        case .null, .link, .typedLink, .list, .dictionary: nil
        case .int(let value): Int(value)
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .decimal(let value): Decimal128(bits: value)
        case .timestamp(let value): Date(value)
        case .string(let value): value
        case .binary(let value): Data(value)
        case .objectId(let value): ObjectId(bits: value)
        case .uuid(let value): UUID(value)
        }
    }
}
