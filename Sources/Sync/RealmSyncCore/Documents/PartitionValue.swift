// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The value that selects the data of a file with partitions, sent as Extended JSON (§2.5).
package enum PartitionValue: Hashable, Sendable {
    case null
    case string(Text)
    case int32(Int32)
    case int64(Int64)
    case objectId(ObjectIdBytes)
    case uuid(UUIDBytes)

    package init?(path: String) {
        guard let json = try? JSON(parsing: path), let value = ExtendedJSON(json) else { return nil }
        switch value {
        case .null: self = .null
        case .string(let text): self = .string(Text(text))
        case .int32(let number): self = .int32(number)
        case .int64(let number): self = .int64(number)
        case .objectId(let id): self = .objectId(id)
        case .binary(let bytes, ExtendedJSON.uuidSubtype) where bytes.count == UUIDBytes.byteCount:
            self = .uuid(UUIDBytes(bytes: bytes))
        default: return nil
        }
    }

    package var syncValue: SyncValue {
        switch self {
        case .null: .null
        case .string(let text): .string(text)
        case .int32(let number): .int(Int64(number))
        case .int64(let number): .int(number)
        case .objectId(let id): .objectId(id)
        case .uuid(let uuid): .uuid(uuid)
        }
    }

    package var path: String {
        switch self {
        case .null: "null"
        case .string(let text): ExtendedJSON.string(text.string).description
        case .int32(let number): ExtendedJSON.int32(number).description
        case .int64(let number): ExtendedJSON.int64(number).description
        case .objectId(let id): ExtendedJSON.objectId(id).description
        case .uuid(let uuid): ExtendedJSON.uuid(uuid).description
        }
    }
}
