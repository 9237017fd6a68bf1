// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Builds small files node by node, valid or hostile, in streaming form. They have one table, `class_A`.
struct FileBuilder {
    struct Column {
        var name: String
        var type: Int
        var attributes = 0
        var index = 0
    }

    private(set) var bytes: [UInt8] =
        Array(repeating: 0xFF, count: 8) + Array(repeating: 0, count: 8) + [0x54, 0x2D, 0x44, 0x42, 24, 0, 0, 0]

    var next: Int { bytes.count }

    mutating func node(_ header: UInt8, _ count: Int, _ payload: [UInt8] = []) -> Int {
        let ref = bytes.count
        bytes += [0x41, 0x41, 0x41, 0x41, header, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
        bytes += payload
        bytes += Array(repeating: 0, count: -payload.count & 7)
        return ref
    }

    /// A bit-packed node of width 64, or of 32 for index keys.
    mutating func ints(_ elements: [Int], flags: UInt8 = 0, width: Int = 64) -> Int {
        let code: UInt8 = width == 64 ? 7 : 6
        let payload = elements.flatMap { element in
            (0..<width / 8).map { UInt8(truncatingIfNeeded: element >> (8 * $0)) }
        }
        return node(flags | code, elements.count, payload)
    }

    mutating func refs(_ elements: [Int]) -> Int { ints(elements, flags: 0x40) }

    mutating func blob(_ content: [UInt8]) -> Int { node(0x11, content.count, content) }

    mutating func shortStrings(_ strings: [String]) -> Int {
        let payload = strings.flatMap { string in
            Array(string.utf8) + Array(repeating: UInt8(0), count: 15 - string.utf8.count)
                + [UInt8(15 - string.utf8.count)]
        }
        return node(0x0D, strings.count, payload)
    }

    mutating func cluster(rows: Int, _ columns: [Int]) -> Int { refs([2 * rows + 1] + columns) }

    /// The complete file. `clusters` is the root of the objects; `enumKeys` the spec's slot 4; `primaryKey` a column.
    mutating func finish(_ columns: [Column], clusters: Int, enumKeys: Int = 0, primaryKey: Int? = nil) -> [UInt8] {
        let keys = columns.enumerated().map { $0 | $1.type << 16 | ($1.attributes & 0xFE) << 22 }
        let types = ints(columns.map(\.type))
        let names = shortStrings(columns.map(\.name))
        let attributes = ints(columns.map(\.attributes))
        let columnKeys = ints(keys)
        let spec = refs([types, names, attributes, 0, enumKeys, columnKeys])
        let indexes = refs(columns.map(\.index))
        let tables = ints(columns.map { _ in 0x7FFF_FFFF })
        let opposites = ints(columns.map { _ in Int.max })
        let table = refs([
            spec, 0, clusters, 1, indexes, 1, 1, tables, opposites, 1, 0, primaryKey.map { 2 * keys[$0] + 1 } ?? 0, 1,
            0,
        ])
        let tableList = refs([table])
        let tableNames = shortStrings(["class_A"])
        let end = next + 8 + 24
        let top = refs([tableNames, tableList, 2 * end + 1])
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: top >> (8 * $0)) }
        bytes += [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
        return bytes
    }
}
