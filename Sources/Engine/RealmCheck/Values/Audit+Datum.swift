// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Audit {
    /// A value in the audit: sufficient for comparing, indexing and following links, without copying bytes.
    enum Datum {
        case null
        case int(Int64)
        case bool(Bool)
        case string(ByteRun)
        case binary(ByteRun)
        case timestamp(seconds: Int64, nanoseconds: Int64)
        /// Bit patterns, so that NaNs are distinguished.
        case float(UInt32)
        case double(UInt64)
        case decimal(DecimalBits)
        case objectId(ByteRun)
        case uuid(ByteRun)
        case link(Int64)
        case typedLink(table: Int64, object: Int64)
        /// A collection inside Mixed. Its elements are read elsewhere.
        case list
        case dictionary

        var isNull: Bool { if case .null = self { true } else { false } }
        var isCollection: Bool {
            switch self {
            case .list, .dictionary: true
            default: false
            }
        }
        var isNumber: Bool {
            switch self {
            case .int, .float, .double, .decimal: true
            default: false
            }
        }

        var type: ColumnType? {
            switch self {
            case .null: nil
            case .int: .int
            case .bool: .bool
            case .string: .string
            case .binary: .binary
            case .timestamp: .timestamp
            case .float: .float
            case .double: .double
            case .decimal: .decimal
            case .objectId: .objectId
            case .uuid: .uuid
            case .link: .link
            case .typedLink: .typedLink
            case .list: .list
            case .dictionary: .dictionary
            }
        }
    }

    /// The required number of entries of a leaf.
    enum Rows {
        case exactly(Int)
        case upTo(Int)

        static let treeLeaf = Rows.upTo(FileFormat.treeNodeCapacity)
    }

    func require(_ ref: Int64, _ count: Int, _ rows: Rows) throws(Damage) {
        switch rows {
        case .exactly(let n) where count != n:
            throw Damage(ref, "2:5.2 M27", "leaf of \(count) entries where \(n) belong")
        case .upTo(let n) where count > n:
            throw Damage(ref, "1:4.4 W9", "leaf of \(count) elements, at most \(n) allowed")
        default: return
        }
    }
}

// MARK: - Bytes of values

extension Audit {
    func byte(_ run: ByteRun, _ i: Int) -> UInt8 {
        let at = run.start + i
        return at < bytes.count ? bytes.byte(at: at) : joined[at - bytes.count]
    }

    func array(_ run: ByteRun) -> [UInt8] {
        if run.start < bytes.count { return bytes.array(from: run.start, count: run.count) }
        return Array(joined[run.start - bytes.count..<run.start - bytes.count + run.count])
    }

    /// Byte by byte, unsigned; a proper prefix is smaller (content 8.2).
    func compare(_ a: ByteRun, _ b: ByteRun) -> Int {
        let n = min(a.count, b.count)
        var i = 0
        if a.start == b.start { return order(a.count, b.count) }
        defer { if i > 256 { _ = canWork(i) } }
        if n > 256, !canWork(0) { return 0 }
        if max(a.start + a.count, b.start + b.count) <= bytes.count {
            while i + 8 <= n {
                let x = bytes.load(UInt64.self, at: a.start + i).byteSwapped
                let y = bytes.load(UInt64.self, at: b.start + i).byteSwapped
                if x != y { return x < y ? -1 : 1 }
                i += 8
            }
        }
        while i < n {
            let x = byte(a, i)
            let y = byte(b, i)
            if x != y { return x < y ? -1 : 1 }
            i += 1
        }
        return order(a.count, b.count)
    }

    func isUTF8(_ run: ByteRun) -> Bool {
        var i = 0
        if run.start + run.count <= bytes.count {
            while i + 8 <= run.count {
                if bytes.load(UInt64.self, at: run.start + i) & 0x8080_8080_8080_8080 != 0 { break }
                i += 8
            }
        }
        while i < run.count {
            let length = sequenceLength(run, i)
            if length == 0 { return false }
            i += length
        }
        return true
    }

    /// Returns the length of the well-formed UTF-8 sequence at `i`, or 0.
    private func sequenceLength(_ run: ByteRun, _ i: Int) -> Int {
        let first = byte(run, i)
        let length: Int
        switch first {
        case ..<0x80: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return 0
        }
        guard i + length <= run.count else { return 0 }
        for k in 1..<length where byte(run, i + k) & 0xC0 != 0x80 { return 0 }
        let second = byte(run, i + 1)
        switch first {
        case 0xE0: return second < 0xA0 ? 0 : length
        case 0xED: return second > 0x9F ? 0 : length
        case 0xF0: return second < 0x90 ? 0 : length
        case 0xF4: return second > 0x8F ? 0 : length
        default: return length
        }
    }
}

func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a == b ? 0 : a < b ? -1 : 1 }
