// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The standalone encoding of a primary key, with the string in place of an index (§2.6).
extension PrimaryKey {
    package var inlineEncoding: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .null: writer.value(.null)
        case .int(let value): writer.value(.int(value))
        case .string(let value): writer.value(.string(value))
        case .objectId(let value): writer.value(.objectId(value))
        case .uuid(let value): writer.value(.uuid(value))
        case .globalKey(let high, let low):
            writer.int(Int64(ValueType.globalKey.rawValue))
            writer.int(Int64(bitPattern: high))
            writer.int(Int64(bitPattern: low))
        }
        return writer.bytes
    }

    package init?(inline bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let key = try? PrimaryKey(inline: &reader), reader.isAtEnd else { return nil }
        self = key
    }

    private init(inline reader: inout ByteReader) throws(ChangesetError) {
        let start = reader.offset
        switch Int8(exactly: try reader.int()).flatMap(ValueType.init) {
        case .null: self = .null
        case .int: self = .int(try reader.int())
        case .string: self = .string(try reader.text())
        case .objectId: self = .objectId(ObjectIdBytes(bytes: try reader.slice(ObjectIdBytes.byteCount)))
        case .uuid: self = .uuid(UUIDBytes(bytes: try reader.slice(UUIDBytes.byteCount)))
        case .globalKey:
            self = .globalKey(high: UInt64(bitPattern: try reader.int()), low: UInt64(bitPattern: try reader.int()))
        default: throw ChangesetError("this isn't a primary key", at: start)
        }
    }
}
