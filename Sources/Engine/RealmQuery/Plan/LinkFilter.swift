// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The sets of objects that the threads of one scan share, by number. `lock` guards `sets`. While one thread creates a
/// set, other threads that need it wait.
final class SharedKeySets: @unchecked Sendable {
    private let lock = Lock()
    private var sets: [Int: KeySet] = [:]

    func set(_ number: Int, make: () throws -> KeySet) throws -> KeySet {
        try lock.locked {
            if let set = sets[number] { return set }
            let set = try make()
            sets[number] = set
            return set
        }
    }
}

/// A condition on the values at the end of a path, split into the first hop and a condition on the objects that it
/// reaches.
struct LinkedSet {
    let path: ResolvedPath
    private let test: ValueTest
    private let text: Comparison
    /// Whether an object without a link satisfies the condition.
    let matchesNull: Bool
    let origin: Table
    let target: Table
    let column: Column
    let source: any TableSource

    /// Returns nil if the path doesn't begin with a link or a collection of links.
    init?(_ path: ResolvedPath, _ test: ValueTest, _ text: Comparison, in source: any TableSource) throws {
        guard let hop = path.hops.first else { return nil }
        switch hop.kind {
        case .link, .elements, .backlinks: break
        case .element: return nil
        }
        guard !(path.hops.count == 1 && path.endsWithObject) else { return nil }
        self.path = path
        self.source = source
        origin = try source.require(path.origin)
        target = try source.require(hop.target)
        column = try origin.require(hop.column)
        self.test = test
        self.text = text
        matchesNull = !path.skipsNull && test.matchesNull
    }

    /// Returns the objects after the first hop that satisfy the condition.
    ///
    /// Finding them may recursively need such a set for each of the other hops. A long path is therefore split into
    /// pieces, beginning with the last one, which limits the recursion.
    func find() throws -> KeySet {
        var (path, test) = (path.after(1), test)
        while path.hops.count > LinkedSet.longestPiece {
            let cut = path.hops.count - LinkedSet.longestPiece
            let set = try find(path.after(cut), test)
            path = path.first(cut)
            test = ValueTest(kind: .objects(set), matchesNull: matchesNull)
        }
        return try find(path, test)
    }

    private static let longestPiece = 8

    private func find(_ path: ResolvedPath, _ test: ValueTest) throws -> KeySet {
        let condition = Condition.test(path, test, text: text)
        return KeySet(try QueryPlan(condition, source.require(path.origin), in: source, PlannerOptions()).objects())
    }
}

/// A condition on the values at the end of a path. It follows links object by object while few objects are tested, and
/// then uses the set of the linked objects that satisfy it.
///
/// The set is created when following the links has cost as much as creating it. So a query takes at most twice as long
/// as with the better method. Creating the set reads each object of the linked tables once, regardless of the number of
/// paths to it.
final class LinkFilter: RowFilter {
    private let forward: PathFilter
    private let link: LinkedSet
    private let sets: SharedKeySets?
    private let number: Int
    private var leaves: ColumnLeaves
    private var set: KeySet?
    /// The remaining cost that may be spent on following links.
    private var budget: Double

    init(_ forward: PathFilter, _ link: LinkedSet, _ sets: SharedKeySets?, number: Int) {
        self.forward = forward
        self.link = link
        self.sets = sets
        self.number = number
        leaves = ColumnLeaves(link.column)
        let rest = link.path.hops.dropFirst().reduce(10.0) { $0 + ($1.kind.isToOne ? 30 : 190) }
        budget = Double((try? link.target.count()) ?? .max) * rest + 2_000
    }

    override var cost: Double { forward.cost }
    override var selectivity: Double { forward.selectivity }
    override var text: String { forward.text }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        if set == nil {
            if let found = try follow(block, rows) { return found }
            set = try sets?.set(number) { try link.find() } ?? link.find()
        }
        guard let set else { return try forward.filter(block, rows) }
        return try filter(block, rows, set)
    }

    /// Returns the matching rows; nil if following the links exceeds the budget, for example because objects have more
    /// links than estimated.
    private func follow(_ block: RowBlock, _ rows: RowSet) throws -> RowSet? {
        let expected = Double(rows.count) * forward.cost
        guard budget >= expected else { return nil }
        let link = 20.0
        let (found, links) = try forward.filter(block, rows, following: Int(min(budget / link, 1e12)) + 100)
        budget -= max(expected, Double(links) * link)
        return found
    }

    private func filter(_ block: RowBlock, _ rows: RowSet, _ set: KeySet) throws -> RowSet {
        switch link.path.hops[0].kind {
        case .link:
            let leaf = try leaves.leaf(of: block.leaf)
            return try leaf.filterLinks(from: block.start, rows) { key in
                key.map { set.contains($0) } ?? link.matchesNull
            }
        case .backlinks: return try rows.filter { try leads(link.origin.forEachBacklink, block, $0, to: set) }
        case .elements, .element: return try rows.filter { try leads(link.origin.forEachLinked, block, $0, to: set) }
        }
    }

    @inline(__always)
    private func leads(
        _ forEach: (Column, ClusterTree.Position, (ObjectKey) throws -> Bool) throws -> Void, _ block: RowBlock,
        _ row: Int, to set: KeySet
    ) throws -> Bool {
        var found = false
        try forEach(link.column, block.position(of: row)) { key in
            found = set.contains(key)
            return !found
        }
        return found
    }
}

extension ResolvedPath {
    var endsWithObject: Bool { if case .object = end { true } else { false } }

    func after(_ count: Int) -> ResolvedPath {
        guard count > 0 else { return self }
        var rest = ResolvedPath(
            origin: hops[count - 1].target, hops: Array(hops.dropFirst(count)), end: end, written: written,
            property: property, type: type, target: target, aspect: aspect)
        rest.inheritsSkip = skipsNull
        return rest
    }

    func first(_ count: Int) -> ResolvedPath {
        var part = ResolvedPath(
            origin: origin, hops: Array(hops.prefix(count)), end: .object, written: written, property: property,
            type: .link, target: hops[count - 1].target)
        part.inheritsSkip = skipsNull
        return part
    }
}
