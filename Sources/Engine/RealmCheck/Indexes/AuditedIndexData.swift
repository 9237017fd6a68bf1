// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The byte string that represents a value in a search index, divided into chunks of four bytes (content 9.1, 9.2).
struct AuditedIndexData {
    private enum Content {
        case none
        case few(UInt64, UInt64, count: Int)
        case run(ByteRun)
    }

    private let content: Content

    init(_ datum: Audit.Datum) {
        content =
            switch datum {
            case .null, .link: .none
            case .int(let value): .few(UInt64(bitPattern: value), 0, count: 8)
            case .bool(let value): .few(value ? 1 : 0, 0, count: 8)
            case .string(let run), .binary(let run), .objectId(let run), .uuid(let run): .run(run)
            case .timestamp(let seconds, let nanoseconds):
                .few(UInt64(bitPattern: seconds), UInt64(UInt32(truncatingIfNeeded: nanoseconds)), count: 12)
            case .float(let bits): Self.number(Double(Float(bitPattern: bits)), UInt64(bits), count: 4)
            case .double(let bits): Self.number(Double(bitPattern: bits), bits, count: 8)
            case .decimal(let bits): Self.decimal(bits)
            case .typedLink(let table, let object): Self.link(table, object)
            case .list: .few(0x5F5F_7473_694C_5F5F, 0, count: 8)  // "__List__"
            case .dictionary: .few(0x6F69_7463_6944_5F5F, 0x5F5F_7972_616E, count: 14)  // "__Dictionary__"
            }
    }

    private static func number(_ value: Double, _ bits: UInt64, count: Int) -> Content {
        if value >= -0x1p31, value < 0x1p31, Double(Int32(value)) == value {
            return .few(UInt64(bitPattern: Int64(value)), 0, count: 8)
        }
        return .few(bits, 0, count: count)
    }

    private static func decimal(_ bits: DecimalBits) -> Content {
        if let whole = DecimalNumber(bits).truncated { return .few(UInt64(bitPattern: whole), 0, count: 8) }
        return .few(bits.low, bits.high, count: 16)
    }

    private static func link(_ table: Int64, _ object: Int64) -> Content {
        if object < ObjectKey.null.rawValue { return .none }
        let key = UInt64(bitPattern: object)
        let tableBits = UInt64(UInt32(truncatingIfNeeded: table))
        return .few(tableBits | key << 32, key >> 32, count: 12)
    }

    var isNone: Bool { if case .none = content { true } else { false } }

    /// `offset` is a multiple of 4.
    func chunk(at offset: Int, _ audit: Audit) -> Int32 {
        switch content {
        case .none: 0
        case .few(let low, let high, let count):
            Self.chunk(at: offset, count: count) { i in
                UInt8(truncatingIfNeeded: i < 8 ? low >> UInt64(8 * i) : high >> UInt64(8 * (i - 8)))
            }
        case .run(let run):
            Self.chunk(at: offset, count: run.count) { audit.byte(run, $0) }
        }
    }

    static func chunk(of word: [UInt8], at offset: Int) -> Int32 {
        chunk(at: offset, count: word.count) { word[$0] }
    }

    private static func chunk(at offset: Int, count: Int, _ byte: (Int) -> UInt8) -> Int32 {
        if offset > count { return 0 }
        var bits: UInt32 = 0
        for i in offset..<offset + 4 {
            let next = i < count ? byte(i) : i == count ? UInt8(ascii: "X") : 0
            bits = bits << 8 | UInt32(next)
        }
        return Int32(bitPattern: bits)
    }

    func equals(_ other: AuditedIndexData, _ audit: Audit) -> Bool {
        switch (content, other.content) {
        case (.none, .none): true
        case (.few(let a, let b, let n), .few(let c, let d, let m)): a == c && b == d && n == m
        case (.run(let a), .run(let b)): audit.compare(a, b) == 0
        default: isNone == other.isNone && !isNone && sameBytes(other, audit)
        }
    }

    /// Data of two forms can be equal: an eight-byte string may equal a number.
    private func sameBytes(_ other: AuditedIndexData, _ audit: Audit) -> Bool {
        guard count == other.count else { return false }
        return stride(from: 0, to: count, by: 4).allSatisfy { chunk(at: $0, audit) == other.chunk(at: $0, audit) }
    }

    private var count: Int {
        switch content {
        case .none: 0
        case .few(_, _, let count): count
        case .run(let run): run.count
        }
    }
}
