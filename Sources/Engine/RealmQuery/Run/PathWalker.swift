// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Follows a path from object to object.
///
/// Along a path of to-one links, an object without a target ends with null. If the path passes through a collection,
/// objects without a target contribute no values.
///
/// Through several collections, the number of paths to objects can exceed the number of objects. Each object is then
/// visited once for each step of the path.
struct PathWalker {
    let path: ResolvedPath
    private var stages: [Stage]
    let table: Table
    private(set) var linkCount = 0
    private let branches: Bool
    /// `linkCount` before the current walk.
    private var start = 0
    /// Objects from which a long walk found no match, by the number of preceding hops, at collections and at the end.
    private var visited: [Set<ObjectKey>] = []
    /// The number of paths from an object to counted objects, cached at the same hops.
    private var counts: [[ObjectKey: Int64]] = []

    private struct Stage {
        let kind: ResolvedPath.Hop.Kind
        let table: Table
        var leaves: ColumnLeaves
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
        branches = hops.count { !$0.kind.isToOne } > 1
    }

    /// Calls `body` with each object at the end of the hops until it returns true, and with nil for the null of a
    /// to-one path. Returns whether it did.
    mutating func contains(
        _ position: ClusterTree.Position, where body: (ClusterTree.Position?) throws -> Bool
    ) throws -> Bool {
        if branches {
            start = linkCount
            if !visited.isEmpty { visited = [] }
        }
        return try walk(0, position, body)
    }

    private mutating func walk(
        _ hop: Int, _ position: ClusterTree.Position, _ body: (ClusterTree.Position?) throws -> Bool
    ) throws -> Bool {
        guard let (hop, position) = try followLinks(hop, position) else {
            return path.skipsNull ? false : try body(nil)
        }
        if branches, linkCount - start > PathWalker.shortWalk, !isNew(position, hop) { return false }
        guard hop < stages.count else { return try body(position) }
        var found = false
        try forEachLinked(hop, position) { walker, next in
            found = try walker.walk(hop + 1, next, body)
            return !found
        }
        return found
    }

    /// The number of links that are followed before results are cached.
    private static let shortWalk = 500

    private mutating func isNew(_ position: ClusterTree.Position, _ hop: Int) -> Bool {
        if visited.isEmpty { visited = Array(repeating: [], count: stages.count + 1) }
        return visited[hop].insert(position.leaf.key(at: position.row)).inserted
    }

    /// Returns whether the path leads to an object for which `condition`, which must be deterministic, is true.
    mutating func leads(
        _ position: ClusterTree.Position, where condition: (ClusterTree.Position) throws -> Bool
    ) throws -> Bool {
        if branches { return try count(position, where: condition) > 0 }
        return try contains(position) { object in try object.map { try condition($0) } ?? false }
    }

    /// Returns the number of paths to objects for which `condition`, which must be deterministic, is true. An object
    /// counts as often as it is reached.
    mutating func count(
        _ position: ClusterTree.Position, where condition: (ClusterTree.Position) throws -> Bool
    ) throws -> Int64 {
        if branches { return try countWays(0, position, condition) }
        var count: Int64 = 0
        _ = try contains(position) { object in
            if let object, try condition(object) { count += 1 }
            return false
        }
        return count
    }

    private mutating func countWays(
        _ hop: Int, _ position: ClusterTree.Position, _ condition: (ClusterTree.Position) throws -> Bool
    ) throws -> Int64 {
        guard let (hop, position) = try followLinks(hop, position) else { return 0 }
        if counts.isEmpty { counts = Array(repeating: [:], count: stages.count + 1) }
        let key = position.leaf.key(at: position.row)
        if let known = counts[hop][key] { return known }
        var count: Int64 = 0
        if hop == stages.count {
            count = try condition(position) ? 1 : 0
        } else {
            try forEachLinked(hop, position) { walker, next in
                let (sum, overflow) = count.addingReportingOverflow(try walker.countWays(hop + 1, next, condition))
                count = overflow ? .max : sum
                return true
            }
        }
        counts[hop][key] = count
        return count
    }

    // MARK: Hops

    private mutating func followLinks(
        _ first: Int, _ origin: ClusterTree.Position
    ) throws -> (hop: Int, position: ClusterTree.Position)? {
        var (hop, position) = (first, origin)
        while hop < stages.count {
            let key: ObjectKey?
            switch stages[hop].kind {
            case .link: key = try stages[hop].leaves.leaf(of: position.leaf).linkedObject(at: position.row)
            case .element(let place): key = try element(place, hop, position)
            case .elements, .backlinks: return (hop, position)
            }
            guard let key else { return nil }
            position = try find(key, hop)
            hop += 1
        }
        return (hop, position)
    }

    private func element(
        _ place: PathSubscript, _ index: Int, _ position: ClusterTree.Position
    ) throws -> ObjectKey? {
        if case .key(let key) = place {
            let column = stages[index].leaves.column
            let collection = try StoredCollection(of: column.key, column.dictionaryKeyType, at: position)
            guard case .typedLink(let link)? = try collection.dictionary?.find(key)?.withoutUnresolved else {
                return nil
            }
            return link.object
        }
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

    private mutating func forEachLinked(
        _ hop: Int, _ position: ClusterTree.Position,
        _ body: (inout PathWalker, ClusterTree.Position) throws -> Bool
    ) throws {
        let (table, column) = (stages[hop].table, stages[hop].leaves.column)
        if stages[hop].kind == .backlinks {
            try table.forEachBacklink(column, at: position) { try body(&self, try follow($0, hop)) }
        } else {
            try table.forEachLinked(column, at: position) { try body(&self, try follow($0, hop)) }
        }
    }

    private mutating func follow(_ key: ObjectKey, _ hop: Int) throws -> ClusterTree.Position {
        linkCount &+= 1
        return try find(key, hop)
    }

    private mutating func find(_ key: ObjectKey, _ hop: Int) throws -> ClusterTree.Position {
        guard let position = try stages[hop].cursor.find(key) else {
            throw StorageError(.invalidDatabase, "a link to an object that does not exist; the file is damaged")
        }
        return position
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
