// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension StoredValue {
    package var literal: String {
        switch self {
        case .null: "NULL"
        case .int(let value): value.description
        case .bool(let value): value ? "true" : "false"
        case .float(let value): value.isFinite ? "\(value)f" : "float(\(value))"
        case .double(let value): value.isNaN ? "NaN" : value.description
        case .string(let value): StoredValue.quoted(value)
        case .binary(let bytes): "binary(\(StoredValue.base64(bytes)))"
        case .timestamp(let value): "T\(value.seconds):\(value.nanoseconds)"
        case .decimal(let value): "decimal(\(value))"
        case .objectId(let value): "oid(\(Hexadecimal.text(value.bytes)))"
        case .uuid(let value): "uuid(\(Hexadecimal.uuid(value.bytes)))"
        case .link(let key): "O\(key.rawValue)"
        case .typedLink(let link): "L\(link.table.rawValue):\(link.object.rawValue)"
        case .list: "<list>"
        case .dictionary: "<dictionary>"
        }
    }

    /// Returns the text in quotes. Text that needs escapes, in which the two languages differ, becomes base 64; so does
    /// text that would form one character with a quote, because the parser reads characters.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0 == "\\" || $0 < " " }) || scalars.contains("'") && scalars.contains("\"") {
            return encoded(text)
        }
        let quote: Character = scalars.contains("'") ? "\"" : "'"
        let quoted = "\(quote)\(text)\(quote)"
        return quoted.first == quote && quoted.last == quote ? quoted : encoded(text)
    }

    private static func encoded(_ text: String) -> String { base64(Array(text.utf8)) }

    package static func base64(_ bytes: [UInt8]) -> String { "B64\"\(Base64.text(bytes))\"" }
}
