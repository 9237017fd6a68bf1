// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct SpaceStatistics {
    let path: String
    let fileByteCount: Int
    let logicalByteCount: Int
    let freeByteCount: Int
    let freeBlockCount: Int
    let historyByteCount: Int
    let tables: [TableSpace]

    init(_ file: OpenFile, spent: @escaping (Int) -> Void = { _ in }) throws {
        try self.init(file.snapshot, path: file.path, byteCount: file.byteCount, spent: spent)
    }

    /// Returns the approximate number of bytes to visit: those of the tables once as a whole and once by column.
    static func work(on file: OpenFile) throws -> Int {
        2 * max(0, (file.snapshot.top?.logicalSize ?? 0) - (try file.snapshot.freeList().byteCount))
    }

    /// - Parameters:
    ///   - byteCount: The size of the file on disk.
    ///   - spent: Called with the number of bytes visited.
    package init(
        _ snapshot: Snapshot, path: String, byteCount: Int, spent: @escaping (Int) -> Void = { _ in }
    ) throws {
        let size = SubtreeSize(space: snapshot.space, budget: .init(snapshot, byteCount: byteCount, spent: spent))
        let free = try snapshot.freeList()
        self.path = path
        fileByteCount = byteCount
        logicalByteCount = snapshot.top?.logicalSize ?? 0
        freeByteCount = free.byteCount
        freeBlockCount = free.entries.count
        historyByteCount = try size(snapshot.top?.history() ?? 0)
        tables = try snapshot.allTables().map { table in
            try TableSpace(table, byteCount: size(snapshot.tableRef(slot: table.key.slot)), size)
        }
    }

    /// The bytes that are neither in tables nor free: names, free lists, history, header.
    var otherByteCount: Int {
        max(0, logicalByteCount - freeByteCount - tables.reduce(0) { $0 + $1.byteCount })
    }
}

struct TableSpace {
    let name: String
    let objectCount: Int
    let byteCount: Int
    /// The fraction of the leaves' row capacity that's in use; 1 for an empty table.
    let fill: Double
    let columns: [Part]
    let backlinkByteCount: Int
    let indexes: [Part]

    struct Part {
        let name: String
        let byteCount: Int
    }

    init(_ table: Table, byteCount: Int, _ size: SubtreeSize) throws {
        name = table.className ?? table.name
        self.byteCount = byteCount
        var counts = [Int](repeating: 0, count: (table.columns.map(\.leafIndex).max() ?? -1) + 1)
        var (objects, leaves) = (0, 0)
        try table.clusters.forEachLeaf { leaf in
            objects += leaf.count
            leaves += 1
            for column in table.columns where column.leafIndex + 1 < leaf.node.count {
                counts[column.leafIndex] += try size(leaf.node.child(column.leafIndex + 1))
            }
            return true
        }
        objectCount = objects
        fill = objects == 0 ? 1 : Double(objects) / Double(leaves * FileFormat.clusterCapacity)
        columns = table.publicColumns.map { Part(name: $0.name, byteCount: counts[$0.leafIndex]) }
        backlinkByteCount = table.backlinkColumns.reduce(0) { $0 + counts[$1.leafIndex] }
        indexes = try table.publicColumns.filter { table.hasIndex($0.key) }.map {
            Part(name: $0.name, byteCount: try size(table.indexRoot($0.leafIndex)))
        }
    }

    /// The inner nodes, the schema, and remains of older versions' columns.
    var otherByteCount: Int {
        max(0, byteCount - (columns + indexes).reduce(backlinkByteCount) { $0 + $1.byteCount })
    }
}
