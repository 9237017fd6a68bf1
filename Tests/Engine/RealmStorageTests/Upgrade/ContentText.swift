// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

/// The content of a snapshot as text, including sets and dictionaries. It excludes indexes and the order of backlinks,
/// which an upgrade may choose.
enum ContentText {
    static func lines(of source: some TableSource) throws -> [String] {
        try source.tableKeys().flatMap { key in
            guard let table = try source.table(key) else { throw Failure("\(key) is not there") }
            return try ["\(table.name) \(table.key) \(table.kind)"] + lines(of: table)
        }
    }

    private static func lines(of table: Table) throws -> [String] {
        var lines = table.columns.map { "\($0.key) \($0.name) \($0.attributes.rawValue)" }
        lines += try objects(of: table, table.clusters)
        if let tombstones = table.tombstones { lines += try objects(of: table, tombstones) }
        return lines
    }

    private static func objects(of table: Table, _ clusters: ClusterTree) throws -> [String] {
        var lines: [String] = []
        try clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let position = ClusterTree.Position(leaf: leaf, row: row)
                let cells = try table.columns.map { try text(of: $0, in: table, at: position) }
                lines.append("\(leaf.key(at: row)): " + cells.joined(separator: " | "))
            }
            return true
        }
        return lines
    }

    private static func text(of column: Column, in table: Table, at position: ClusterTree.Position) throws -> String {
        if column.isBacklink { return "\(try table.backlinks(column, at: position).map(\.rawValue).sorted())" }
        if column.key.isDictionary {
            let root = try table.collectionRoot(column, at: position)
            return "\(try DictionaryTree(table.space, root).entries())"
        }
        if column.key.isCollection { return "\(try table.list(column, at: position).values())" }
        return "\(try table.value(column, at: position))"
    }
}
