// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A file of format 9 in streaming form, assembled by byte: for content that no fixture has, and for environments
/// without fixtures.
package struct RowFile {
    package enum Values {
        case ints([Int64])
        case optionalInts([Int64?])
        case doubles([Double])
        /// Texts in the short form, of at most 15 bytes each.
        case strings([String?])
        /// Texts in the long form, which need not be valid UTF-8.
        case longTexts([[UInt8]])
        /// Texts in the small form.
        case binaries([[UInt8]?])
    }

    package struct Column {
        let name: String
        let values: Values
        let attributes: Int64

        /// `attributes`: 1 indexed, 16 nullable.
        package init(_ name: String, _ values: Values, attributes: Int64 = 0) {
            (self.name, self.values, self.attributes) = (name, values, attributes)
        }
    }

    private var bytes: [UInt8] = []
    private var names: [String] = []
    private var tables: [Int64] = []

    package init() {
        append(UInt64.max)
        append(UInt64(0))
        bytes += Array("T-DB".utf8) + [9, 0, 0, 0]
    }

    package mutating func add(_ name: String, _ columns: [Column]) {
        var roots: [Int64] = []
        for column in columns {
            roots.append(root(of: column.values))
            if column.attributes & 1 != 0 { roots.append(integers([], flags: 0x40)) }
        }
        let spec = [
            integers(columns.map { type(of: $0.values) }), short(columns.map(\.name)),
            integers(columns.map(\.attributes)),
        ]
        let parts = [integers(spec, flags: 0x40), integers(roots, flags: 0x40)]
        names.append(name)
        tables.append(integers(parts, flags: 0x40))
    }

    package mutating func finish() -> [UInt8] {
        let parts = [short(names), integers(tables, flags: 0x40)]
        // A top array of 64 bits each: header and three elements.
        let top = Int64(bytes.count)
        let size = top + 8 + 3 * 8
        _ = node(flags: 0x40, code: 7, count: 3, words(parts + [2 * size + 1], byteCount: 8))
        append(UInt64(top))
        append(0x3034_1252_37E5_26C8 as UInt64)
        return bytes
    }

    private func type(of values: Values) -> Int64 {
        switch values {
        case .ints, .optionalInts: 0
        case .strings, .longTexts: 2
        case .binaries: 4
        case .doubles: 10
        }
    }

    private mutating func root(of values: Values) -> Int64 {
        switch values {
        case .ints(let values): tree(values) { $0.integers(Array($1)) }
        case .optionalInts(let values):
            tree(values) { $0.integers([Int64.max] + $1.map { $0 ?? .max }) }
        case .doubles(let values):
            tree(values) { file, values in
                let bits = values.map { Int64(bitPattern: $0.bitPattern) }
                return file.node(flags: 0x08, code: 4, count: bits.count, file.words(bits, byteCount: 8))
            }
        case .strings(let values): tree(values) { $0.short(Array($1)) }
        case .longTexts(let values):
            tree(values) { file, values in
                let texts = values.map { file.node(flags: 0x10, code: 1, count: $0.count + 1, $0 + [0]) }
                return file.integers(texts, flags: 0x60)
            }
        case .binaries(let values): tree(values) { $0.spans(Array($1)) }
        }
    }

    // MARK: Nodes

    /// Leaves of a thousand values, below a branch in compact form if there are several.
    private mutating func tree<Value>(_ values: [Value], _ leaf: (inout RowFile, ArraySlice<Value>) -> Int64) -> Int64 {
        let capacity = 1000
        guard values.count > capacity else { return leaf(&self, values[...]) }
        var elements = [Int64(2 * capacity + 1)]
        for start in stride(from: 0, to: values.count, by: capacity) {
            elements.append(leaf(&self, values[start..<min(start + capacity, values.count)]))
        }
        return integers(elements + [Int64(2 * values.count + 1)], flags: 0xC0)
    }

    private mutating func integers(_ values: [Int64], flags: UInt8 = 0) -> Int64 {
        let code = values.allSatisfy { Int64(Int8(truncatingIfNeeded: $0)) == $0 } ? 4 : 7
        return node(flags: flags, code: code, count: values.count, words(values, byteCount: code == 4 ? 1 : 8))
    }

    private mutating func short(_ values: [String?]) -> Int64 {
        let longest = values.map { $0?.utf8.count ?? 0 }.max() ?? 0
        var (width, code) = (1, 1)
        while width <= longest { (width, code) = (2 * width, code + 1) }
        let payload = values.flatMap { value -> [UInt8] in
            guard let value else { return Array(repeating: 0, count: width - 1) + [UInt8(width)] }
            let padding = width - 1 - value.utf8.count
            return Array(value.utf8) + Array(repeating: 0, count: padding) + [UInt8(padding)]
        }
        return node(flags: 0x08, code: code, count: values.count, payload)
    }

    private mutating func spans(_ values: [[UInt8]?]) -> Int64 {
        let blob = values.flatMap { $0 ?? [] }
        let ends = values.indices.map { index in Int64(values[...index].reduce(0) { $0 + ($1?.count ?? 0) }) }
        let parts = [
            integers(ends), node(flags: 0x10, code: 1, count: blob.count, blob),
            integers(values.map { $0 == nil ? 1 : 0 }),
        ]
        return integers(parts, flags: 0x40)
    }

    private mutating func node(flags: UInt8, code: Int, count: Int, _ payload: [UInt8]) -> Int64 {
        let ref = Int64(bytes.count)
        bytes += Array("AAAA".utf8) + [flags | UInt8(code)]
        bytes += [UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8)]
        bytes += [UInt8(truncatingIfNeeded: count)] + payload
        while bytes.count % 8 != 0 { bytes.append(0) }
        return ref
    }

    private func words(_ values: [Int64], byteCount: Int) -> [UInt8] {
        values.flatMap { value in (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) } }
    }

    private mutating func append(_ number: UInt64) {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
