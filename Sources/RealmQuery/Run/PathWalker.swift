// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Follows a path from object to object.
///
/// Along a path of to-one links an object without target ends with null. Where the path leads through a collection,
/// objects without target contribute nothing.
struct PathWalker {
    let path: ResolvedPath
    private var stages: [Stage]
    /// The table of the objects that the hops reach.
    let table: Table

    private struct Stage {
        let kind: ResolvedPath.Hop.Kind
        let table: Table
        var leaves: ColumnLeaves
        /// Finds the objects that the hop leads to.
        var cursor: ObjectCursor
    }

    init(_ path: ResolvedPath, hops: [ResolvedPath.Hop], in source: any TableSource) throws {
        self.path = path
        var table = try source.require(path.origin)
        stages = []
        for hop in hops {
            let next = try source.require(hop.target)
            stages.append(
                Stage(
                    kind: hop.kind, table: table, leaves: ColumnLeaves(try table.require(hop.column)),
                    cursor: ObjectCursor(next)))
            table = next
        }
        self.table = table
    }

    /// Calls `body` with each object at the end of the hops until it returns true, and with nil for the null of a
    /// to-one path. Returns whether it did.
    mutating func contains(
        _ position: ClusterTree.Position, where body: (ClusterTree.Position?) throws -> Bool
    ) throws -> Bool {
        try walk(0, position, body)
    }

    private mutating func walk(
        _ index: Int, _ position: ClusterTree.Position, _ body: (ClusterTree.Position?) throws -> Bool
    ) throws -> Bool {
        guard index < stages.count else { return try body(position) }
        switch stages[index].kind {
        case .link:
            let leaf = try stages[index].leaves.leaf(of: position.leaf)
            guard let key = try leaf.linkedObject(at: position.row) else {
                return path.skipsNull ? false : try body(nil)
            }
            return try enter(index, key, body)
        case .elements, .backlinks: return try walkCollection(index, position, body)
        case .element(let place):
            guard let key = try element(place, index, position) else { return path.skipsNull ? false : try body(nil) }
            return try enter(index, key, body)
        }
    }

    /// The object at a place in a list; nil if there is none.
    private func element(
        _ place: PathSubscript, _ index: Int, _ position: ClusterTree.Position
    ) throws -> ObjectKey? {
        var (number, found) = (0, ObjectKey?.none)
        try stages[index].table.forEachLinked(stages[index].leaves.column, at: position) { key in
            if case .index(let wanted) = place, number < wanted {
                number += 1
                return true
            }
            found = key
            return place == .last
        }
        return found
    }

    private mutating func walkCollection(
        _ index: Int, _ position: ClusterTree.Position, _ body: (ClusterTree.Position?) throws -> Bool
    ) throws -> Bool {
        let (table, column) = (stages[index].table, stages[index].leaves.column)
        var found = false
        if stages[index].kind == .backlinks {
            try table.forEachBacklink(column, at: position) {
                found = try enter(index, $0, body)
                return !found
            }
        } else {
            try table.forEachLinked(column, at: position) {
                found = try enter(index, $0, body)
                return !found
            }
        }
        return found
    }

    private mutating func enter(
        _ index: Int, _ key: ObjectKey, _ body: (ClusterTree.Position?) throws -> Bool
    ) throws -> Bool {
        guard let next = try stages[index].cursor.find(key) else {
            throw StorageError(.invalidDatabase, "a link to an object that does not exist; the file is damaged")
        }
        return try walk(index + 1, next, body)
    }
}

extension TableSource {
    func require(_ key: TableKey) throws -> Table {
        guard let table = try table(key) else {
            throw StorageError.absent("\(key) is not in the file (any more)")
        }
        return table
    }
}
