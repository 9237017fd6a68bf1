// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// The content of a snapshot or a write transaction as lines of text. Equal contents have equal lines.
package struct SnapshotText {
    private let space: NodeSpace
    private var rest: Int

    private init(_ space: NodeSpace, limit: Int) {
        self.space = space
        rest = limit
    }

    /// Throws if there are more than `limit` values, because a damaged file can use nodes repeatedly.
    package static func lines(of source: some TableSource, limit: Int = .max) throws -> [String] {
        var reader = SnapshotText(source.space, limit: limit)
        return try source.tableKeys().flatMap { key in
            guard let table = try source.table(key) else { throw Failure("\(key) is not there") }
            return try ["\(table.name) \(table.key) \(table.kind)"] + reader.lines(of: table)
        }
    }

    private mutating func lines(of table: Table) throws -> [String] {
        var lines = table.columns.map { "\($0.key) \($0.name) \($0.attributes.rawValue)" }
        try spend(lines.count)
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let position = ClusterTree.Position(leaf: leaf, row: row)
                var cells: [String] = []
                for column in table.columns { cells.append(try text(of: column, in: table, at: position)) }
                lines.append("\(leaf.key(at: row).rawValue): " + cells.joined(separator: " | "))
            }
            return true
        }
        return lines
    }

    private mutating func text(
        of column: Column, in table: Table, at position: ClusterTree.Position
    ) throws -> String {
        try spend(1)
        if column.isBacklink {
            try spend(try table.backlinkCount(column, at: position))
            return try table.backlinks(column, at: position).map { String($0.rawValue) }.joined(separator: ", ")
        }
        guard column.key.isCollection else {
            return try text(of: try table.value(column, at: position), depth: 0)
        }
        let root = try table.collectionRoot(column, at: position)
        if column.key.isDictionary {
            let tree = try DictionaryTree(space, root, keyType: column.dictionaryKeyType ?? .string)
            return try text(of: tree, depth: 0)
        }
        return try text(of: try BPlusTree(space, root, LeafKind(elementsOf: column.key)), depth: 0)
    }

    private mutating func text(of tree: BPlusTree, depth: Int) throws -> String {
        try spend(tree.count)
        var texts: [String] = []
        for value in try tree.values() { texts.append(try text(of: value, depth: depth)) }
        return "[\(texts.joined(separator: ", "))]"
    }

    private mutating func text(of tree: DictionaryTree, depth: Int) throws -> String {
        try spend(tree.count)
        var texts: [String] = []
        for entry in try tree.entries() { texts.append("\(entry.key): \(try text(of: entry.value, depth: depth))") }
        return "[\(texts.joined(separator: ", "))]"
    }

    /// A collection is represented by its content, not by its ref.
    private mutating func text(of value: StoredValue, depth: Int) throws -> String {
        guard depth <= 100 else { throw Failure("collections nested without end") }
        switch value {
        case .list(let root, _): return try text(of: try BPlusTree(space, root, .mixed), depth: depth + 1)
        case .dictionary(let root, _): return try text(of: try DictionaryTree(space, root), depth: depth + 1)
        // Without reflection, which takes most of the time of a test in debug.
        case .string(let text):
            try spend(text.utf8.count / 16)
            return "string \(text.utf8.count) \(text)"
        case .binary(let bytes):
            try spend(bytes.count / 16)
            return "binary " + Data(bytes).base64EncodedString()
        case .null: return "null"
        case .int(let number): return "int \(number)"
        case .bool(let flag): return flag ? "true" : "false"
        case .link(let key): return "link \(key.rawValue)"
        default: return "\(value)"
        }
    }

    private mutating func spend(_ count: Int) throws {
        rest -= count
        guard rest >= 0 else { throw Failure("more values than may be read") }
    }
}
