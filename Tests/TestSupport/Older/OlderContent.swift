// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The content of a snapshot in the form of `OlderExpectation`: objects by row, with those of subtables nested.
package struct OlderContent {
    private let source: any TableSource

    /// Throws at the first difference, since the whole would be too long.
    package static func requireEqual(_ snapshot: Snapshot, to expected: [String]) throws {
        let lines = try lines(of: snapshot)
        if let difference = zip(lines, expected).first(where: { $0 != $1 }) {
            throw Failure("is       \(difference.0.prefix(1000))\nshall be \(difference.1.prefix(1000))")
        }
        if lines.count != expected.count { throw Failure("\(lines.count) lines instead of \(expected.count)") }
    }

    package static func lines(of source: some TableSource) throws -> [String] {
        let content = OlderContent(source: source)
        return try source.tableKeys().flatMap { key in
            guard let table = try source.table(key) else { throw Failure("\(key) is not there") }
            return table.isEmbedded ? [] : try content.lines(of: table)
        }
    }

    private func lines(of table: Table) throws -> [String] {
        let primary = table.primaryKey.flatMap { table.column($0)?.name }
        var lines = ["\(table.name) \(try table.count()) \(primary ?? "-")"]
        for column in table.publicColumns {
            let index = table.hasIndex(column.key) ? " indexed" : ""
            lines.append("\(column.name): \(try type(of: column, in: table))" + index)
        }
        var row: Int64 = 0
        try table.clusters.forEachLeaf { leaf in
            for number in 0..<leaf.count {
                let position = ClusterTree.Position(leaf: leaf, row: number)
                guard leaf.key(at: number).rawValue == row else {
                    throw Failure("\(leaf.key(at: number)) in row \(row)")
                }
                lines.append("\(row): " + (try cells(of: table, at: position)).joined(separator: " | "))
                row += 1
            }
            return true
        }
        return lines
    }

    private func type(of column: Column, in table: Table) throws -> String {
        let optional = column.key.isNullable && column.type != .mixed && column.type != .link ? "?" : ""
        guard column.type == .link else {
            return (column.key.isList ? "list of " : "") + "\(column.type)" + optional
        }
        guard let target = try source.table(table.oppositeTables[column.leafIndex]) else {
            throw Failure("\(column.name) links nowhere")
        }
        guard target.isEmbedded else { return (column.key.isList ? "list of " : "") + "link to \(target.name)" }
        let columns = try target.publicColumns.map { try "\($0.name): " + type(of: $0, in: target) }
        return "rows of (" + columns.joined(separator: ", ") + ")"
    }

    private func cells(of table: Table, at position: ClusterTree.Position) throws -> [String] {
        try table.publicColumns.map { column in
            guard column.key.isList else {
                return try text(try position.leaf.column(column.leafIndex, column.leafKind), position.row)
            }
            let list = try table.list(column, at: position)
            let target = try source.table(table.oppositeTables[column.leafIndex])
            var elements: [String] = []
            try list.forEachLeaf { leaf in
                for row in 0..<leaf.leaf.count {
                    if let target, target.isEmbedded {
                        elements.append(try embedded(ObjectKey(try leaf.leaf.ref(at: row)), in: target))
                    } else {
                        elements.append(try text(leaf.leaf, row))
                    }
                }
                return true
            }
            return "[" + elements.joined(separator: ", ") + "]"
        }
    }

    private func embedded(_ key: ObjectKey, in table: Table) throws -> String {
        "(" + (try cells(of: table, at: try table.requireObject(key))).joined(separator: ", ") + ")"
    }

    private func text(_ leaf: ColumnLeaf, _ row: Int) throws -> String {
        switch leaf.kind {
        case .string, .enumeratedString, .mixed:
            if let bytes = try leaf.text(at: row) { return OlderText.string(bytes) }
        default: break
        }
        return try text(try leaf.value(at: row), leaf.space)
    }

    private func text(_ value: StoredValue, _ space: NodeSpace) throws -> String {
        switch value {
        case .null: "null"
        case .int(let number): String(number)
        case .bool(let bool): String(bool)
        case .string(let text): OlderText.string(Array(text.utf8))
        case .binary(let bytes): OlderText.data(bytes)
        case .float(let number): OlderText.float(UInt64(number.bitPattern), 8)
        case .double(let number): OlderText.float(number.bitPattern, 16)
        case .timestamp(let date): OlderText.date(date.seconds, Int64(date.nanoseconds))
        case .link(let key): "@\(key.rawValue)"
        case .list(let root, _): try list(root, space)
        case .dictionary(let root, _): try dictionary(root, space)
        default: throw Failure("a value of a type that old files do not have: \(value)")
        }
    }

    private func list(_ root: Ref, _ space: NodeSpace) throws -> String {
        guard root != 0 else { return "[]" }
        return "[" + (try texts(try BPlusTree(space, root, .mixed))).joined(separator: ", ") + "]"
    }

    private func dictionary(_ root: Ref, _ space: NodeSpace) throws -> String {
        let tree = try DictionaryTree(space, root)
        guard let keys = tree.keys, let values = tree.valuesTree else { return "{}" }
        return "{" + zip(try texts(keys), try texts(values)).map { "\($0): \($1)" }.joined(separator: ", ") + "}"
    }

    private func texts(_ tree: BPlusTree) throws -> [String] {
        var result: [String] = []
        try tree.forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count { result.append(try text(leaf.leaf, row)) }
            return true
        }
        return result
    }
}

/// The notation of values in comparisons with files of formats 2 to 9.
enum OlderText {
    static func string(_ bytes: some Sequence<UInt8>) -> String { "s" + hex(bytes) }
    static func data(_ bytes: some Sequence<UInt8>) -> String { "d" + hex(bytes) }
    static func date(_ seconds: Int64, _ nanoseconds: Int64) -> String { "\(seconds)s\(nanoseconds)" }

    static func float(_ bits: UInt64, _ digits: Int) -> String {
        let text = String(bits, radix: 16)
        return "f" + String(repeating: "0", count: digits - text.count) + text
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
