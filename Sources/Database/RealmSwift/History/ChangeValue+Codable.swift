// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmValues

/// Types that JSON has are encoded directly: null, Booleans, integers, strings, lists. All others are objects with one
/// member that names the type: `{"$date": [0, 500000000]}`, `{"$link": {…}}`. A decoded value equals the encoded one.
extension Realm.ChangeValue: Codable {
    private enum Tag: String, CodingKey, CaseIterable {
        case float = "$float"
        case double = "$double"
        /// In Base64.
        case data = "$data"
        /// Seconds since 1970, and nanoseconds.
        case date = "$date"
        case decimal128 = "$decimal128"
        case objectId = "$objectId"
        case uuid = "$uuid"
        case link = "$link"
        case embedded = "$embedded"
        case set = "$set"
        case dictionary = "$dictionary"
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .int(let value): try value.encode(to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .list(let values): try values.encode(to: encoder)
        default:
            var container = encoder.container(keyedBy: Tag.self)
            try encodeTagged(&container)
        }
    }

    private func encodeTagged(_ container: inout KeyedEncodingContainer<Tag>) throws {
        switch self {
        // As texts, because JSON has no infinity, and 1.0 would be decoded as an integer.
        case .float(let value): try container.encode(value.exactText, forKey: .float)
        case .double(let value): try container.encode(value.exactText, forKey: .double)
        case .data(let value): try container.encode(value.base64EncodedString(), forKey: .data)
        case .date(let value):
            let moment = Timestamp(value)
            try container.encode([moment.seconds, Int64(moment.nanoseconds)], forKey: .date)
        case .decimal128(let value): try container.encode(value.bits.exactText, forKey: .decimal128)
        case .objectId(let value): try container.encode(value.stringValue, forKey: .objectId)
        case .uuid(let value): try container.encode(value, forKey: .uuid)
        case .link(let value): try container.encode(value, forKey: .link)
        case .embedded(let values): try container.encode(values, forKey: .embedded)
        case .set(let values): try container.encode(values, forKey: .set)
        case .dictionary(let values): try container.encode(values, forKey: .dictionary)
        case .null, .bool, .int, .string, .list: break
        }
    }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Tag.self), let tag = container.allKeys.first {
            self = try Self.decodeTagged(tag, container)
        } else if let values = try? [Self](from: decoder) {
            self = .list(values)
        } else {
            self = try Self.decodePlain(try decoder.singleValueContainer())
        }
    }

    private static func decodePlain(_ container: any SingleValueDecodingContainer) throws -> Self {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .int(value) }
        return .string(try container.decode(String.self))
    }

    private static func decodeTagged(_ tag: Tag, _ container: KeyedDecodingContainer<Tag>) throws -> Self {
        switch tag {
        case .float: return .float(try number(tag, container))
        case .double: return .double(try number(tag, container))
        case .data:
            let text = try container.decode(String.self, forKey: tag)
            return .data(try required(Data(base64Encoded: text), tag, container))
        case .date:
            let parts = try container.decode([Int64].self, forKey: tag)
            guard parts.count == 2, let nanoseconds = Int32(exactly: parts[1]) else {
                return .date(try required(nil, tag, container))
            }
            return .date(Date(Timestamp(seconds: parts[0], nanoseconds: nanoseconds)))
        case .decimal128: return .decimal128(Decimal128(bits: try number(tag, container)))
        case .objectId: return .objectId(try ObjectId(string: try container.decode(String.self, forKey: tag)))
        case .uuid: return .uuid(try container.decode(UUID.self, forKey: tag))
        case .link: return .link(try container.decode(Realm.ObjectReference.self, forKey: tag))
        case .embedded: return .embedded(try container.decode([String: Self].self, forKey: tag))
        case .set: return .set(try container.decode([Self].self, forKey: tag))
        case .dictionary: return .dictionary(try container.decode([String: Self].self, forKey: tag))
        }
    }

    private static func number<Number: ExactlyWritten>(
        _ tag: Tag, _ container: KeyedDecodingContainer<Tag>
    ) throws -> Number {
        try required(Number(exactText: try container.decode(String.self, forKey: tag)), tag, container)
    }

    private static func required<Value>(
        _ value: Value?, _ tag: Tag, _ container: KeyedDecodingContainer<Tag>
    ) throws -> Value {
        guard let value else {
            throw DecodingError.dataCorruptedError(
                forKey: tag, in: container, debugDescription: "The value isn't of the type that the member names.")
        }
        return value
    }
}
