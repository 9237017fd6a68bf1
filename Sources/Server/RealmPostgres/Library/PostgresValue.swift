// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A parameter of a statement, or a value of its result. Both are transferred in PostgreSQL's binary format.
package enum PostgresValue: Hashable, Sendable {
    case null
    /// `int8`; in results also `int2`, `int4`, and `oid`.
    case integer(Int64)
    /// `bool`.
    case bool(Bool)
    /// `text`; in results also `varchar` and `name`. Must not contain the character U+0000.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// `bytea[]`, only as a parameter: `= ANY($1)`, or `unnest($1)`.
    case byteArrays([[UInt8]])
    /// `int8[]`, as `byteArrays`.
    case integers([Int64])
    /// `text[]`, as `byteArrays`. The texts must not contain the character U+0000.
    case texts([String])

    /// The object identifier of the type; 0 if PostgreSQL infers it.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .integer: TypeCode.int8
        case .bool: TypeCode.bool
        case .text: TypeCode.text
        case .bytes: TypeCode.bytea
        case .byteArrays: TypeCode.byteaArray
        case .integers: TypeCode.int8Array
        case .texts: TypeCode.textArray
        }
    }

    /// An upper bound of the size of the binary form.
    var maxSize: Int {
        switch self {
        case .null, .integer, .bool: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .byteArrays(let elements): elements.reduce(20) { $0 + $1.count + 4 }
        case .integers(let elements): 20 + elements.count * 12
        case .texts(let elements): elements.reduce(20) { $0 + $1.utf8.count + 4 }
        }
    }

    /// The binary form; `nil` for null.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): PostgresValue.bigEndian(number)
        case .bool(let isTrue): [isTrue ? 1 : 0]
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .byteArrays(let elements): PostgresValue.encoded(elements, TypeCode.bytea)
        case .integers(let elements): PostgresValue.encoded(elements.map { PostgresValue.bigEndian($0) }, TypeCode.int8)
        case .texts(let elements): PostgresValue.encoded(elements.map { Array($0.utf8) }, TypeCode.text)
        }
    }

    /// The dimensions, whether there are nulls, the type; then the size and the lower bound of the only dimension.
    private static func encoded(_ elements: [[UInt8]], _ type: UInt32) -> [UInt8] {
        var bytes = bigEndian(Int32(elements.isEmpty ? 0 : 1)) + bigEndian(Int32(0)) + bigEndian(type)
        if !elements.isEmpty { bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1)) }
        for element in elements { bytes += bigEndian(Int32(element.count)) + element }
        return bytes
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// - Throws: `PostgresError` if the type isn't one of this enum's.
    init(type: UInt32, _ bytes: [UInt8]) throws(PostgresError) {
        switch (type, bytes.count) {
        case (TypeCode.int8, 8): self = .integer(PostgresValue.integer(bytes, Int64.self))
        case (TypeCode.int4, 4): self = .integer(Int64(PostgresValue.integer(bytes, Int32.self)))
        case (TypeCode.int2, 2): self = .integer(Int64(PostgresValue.integer(bytes, Int16.self)))
        case (TypeCode.oid, 4): self = .integer(Int64(PostgresValue.integer(bytes, UInt32.self)))
        case (TypeCode.bool, 1): self = .bool(bytes[0] != 0)
        case (TypeCode.bytea, _): self = .bytes(bytes)
        case (TypeCode.text, _), (TypeCode.varchar, _), (TypeCode.name, _):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw PostgresError(.other, "a text of the database isn't UTF-8")
            }
            self = .text(text)
        // The result of a function without one.
        case (TypeCode.void, _): self = .null
        default: throw PostgresError(.other, "a column has the unexpected type \(type) with \(bytes.count) bytes")
        }
    }

    private static func integer<Number: FixedWidthInteger>(_ bytes: [UInt8], _: Number.Type) -> Number {
        bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}

/// Object identifiers of PostgreSQL's types, which never change.
private enum TypeCode {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let byteaArray: UInt32 = 1001
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
    static let varchar: UInt32 = 1043
    static let void: UInt32 = 2278
}
