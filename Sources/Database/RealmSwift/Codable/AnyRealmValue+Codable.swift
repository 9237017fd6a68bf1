// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A mixed value is encoded as the value that it holds, without its case: an addition to Realm's API.
///
/// Null, Booleans, numbers, strings, arrays and dictionaries are decoded from JSON unchanged. Values that JSON can't
/// represent are encoded as their own type is, and decoded as the resulting string or number: dates and data by the
/// encoder's strategy, identifiers and decimals as strings. Numbers without a fraction are decoded as `int`. Objects
/// are encoded if their class is `Encodable`, and decoded as dictionaries.
extension AnyRealmValue: Codable {
    /// Decodes null, a Boolean, a number, a string, an array or a dictionary.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .list(try List(from: decoder))
        } else {
            self = .dictionary(try Map(from: decoder))
        }
    }

    /// Encodes the value.
    ///
    /// - Throws: An error if the value is an object whose class isn't `Encodable`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .none: try container.encodeNil()
        case .int(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .objectId(let value): try container.encode(value)
        case .decimal128(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value):
            guard let value = value as? any Encodable else {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "Objects of class '\(type(of: value).className())' are not Encodable."))
            }
            try container.encode(value)
        }
    }
}
