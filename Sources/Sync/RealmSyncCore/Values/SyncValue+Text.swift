// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension SyncValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null, .object, .dictionary, .list, .set, .erased: "\(type)"
        case .int(let value): String(value)
        case .bool(let value): String(value)
        case .string(let value): value.string.debugDescription
        case .binary(let bytes): "<" + Hexadecimal.text(bytes.prefix(32)) + (bytes.count > 32 ? "…" : "") + ">"
        case .timestamp(let value): "T\(value.seconds):\(value.nanoseconds)"
        case .float(let value): value.description
        case .double(let value): value.description
        case .decimal(let value): value.description
        case .link(let value): "→" + value.description
        case .objectId(let value): "oid(\(Hexadecimal.text(value.bytes)))"
        case .uuid(let value): "uuid(\(Hexadecimal.uuid(value.bytes)))"
        }
    }
}

extension PrimaryKey: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "null"
        case .int(let value): String(value)
        case .string(let value): value.string.debugDescription
        case .objectId(let value): "oid(\(Hexadecimal.text(value.bytes)))"
        case .uuid(let value): "uuid(\(Hexadecimal.uuid(value.bytes)))"
        case .globalKey(let high, let low): "{\(String(high, radix: 16))-\(String(low, radix: 16))}"
        }
    }
}

extension ObjectReference: CustomStringConvertible {
    package var description: String { "\(table)[\(key)]" }
}
