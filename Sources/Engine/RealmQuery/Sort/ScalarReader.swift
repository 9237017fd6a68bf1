// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct ScalarReader {
    private var hops: [(leaves: ColumnLeaves, cursor: ObjectCursor)] = []
    private var leaves: ColumnLeaves
    private var end: PathValueReader?

    init(_ path: ScalarPath, in source: any TableSource) throws {
        var table = try source.require(path.origin)
        for hop in path.hops {
            let next = try source.require(hop.target)
            hops.append((ColumnLeaves(try table.require(hop.column)), ObjectCursor(next)))
            table = next
        }
        leaves = ColumnLeaves(try table.require(path.column))
        guard !path.subscripts.isEmpty else { return }
        let resolved = ResolvedPath(
            origin: table.key, hops: [], end: .subscripted(path.column, path.subscripts),
            written: PropertyPath(path.text),
            property: path.text, type: leaves.column.type)
        end = try PathValueReader(resolved, table, in: source)
    }

    mutating func value(_ position: ClusterTree.Position) throws -> StoredValue? {
        var position = position
        for index in hops.indices {
            let leaf = try hops[index].leaves.leaf(of: position.leaf)
            guard let key = try leaf.linkedObject(at: position.row) else { return nil }
            guard let next = try hops[index].cursor.find(key) else {
                throw StorageError(.invalidDatabase, "a link to an object that does not exist; the file is damaged")
            }
            position = next
        }
        if end != nil {
            var found = StoredValue.null
            _ = try end?.contains(position) { value in
                found = value
                return true
            }
            return found
        }
        return try leaves.leaf(of: position.leaf).value(at: position.row).withoutUnresolved
    }
}
