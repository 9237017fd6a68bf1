// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A method of finding the objects that may satisfy a condition, other than a scan of all rows of their table.
///
/// Borrows nodes, so it's valid only during the call that plans.
protocol AccessPath {
    /// The expected number of objects.
    var estimate: Double { get }
    /// The estimated time for finding the keys, in nanoseconds, without reading the objects.
    var cost: Double { get }
    /// Whether all found objects satisfy the condition.
    var isExact: Bool { get }

    /// In ascending order, each key once.
    func keys() throws -> [ObjectKey]
    /// May be faster than finding the objects.
    func count() throws -> Int
    func explain() throws -> (step: PlanStep, keys: [ObjectKey])
}

extension AccessPath {
    func count() throws -> Int { try keys().count }
}

struct AccessPathSelector {
    let source: any TableSource
    let table: Table
    let total: Int
    let plannerOptions: PlannerOptions

    func access(_ condition: Condition) throws -> (any AccessPath)? {
        switch condition {
        case .any(let parts): return try union(parts)
        case .all(let parts): return try best(of: parts)?.access
        case .chain(let chain): return try best(of: chain.conditions)?.access
        case .test(let part):
            if let lookup = try IndexLookup(condition, in: table, total: total) { return lookup }
            if let objects = KeyLookup(part, in: table) { return objects }
            return try reversal(part)
        case .subquery(let path, let inner, let test, _):
            // A count that may be zero also matches objects without links.
            guard usesSampling, !test.matches(.int(0)) else { return nil }
            return try LinkReversal(path.hops, inner, condition, in: self, isExact: test.matches(atLeast: 1))
        case .constant(false): return EmptyAccess()
        case .constant, .not, .pair, .geo, .computed: return nil
        }
    }

    /// Returns the cheapest access path to the objects that satisfy one of the conditions, and the index of that
    /// condition.
    func best(of parts: [Condition]) throws -> (access: any AccessPath, index: Int)? {
        var best: (access: any AccessPath, index: Int)?
        for (index, part) in parts.enumerated() {
            guard let access = try access(part) else { continue }
            if let best, best.access.totalCost <= access.totalCost { continue }
            best = (access, index)
        }
        return best
    }

    private var usesSampling: Bool { total >= plannerOptions.samplingThreshold || plannerOptions.alwaysUsesAccess }

    private func union(_ parts: [Condition]) throws -> (any AccessPath)? {
        var found: [any AccessPath] = []
        for part in parts {
            guard let access = try access(part) else { return nil }
            found.append(access)
            // A scan of the whole table is faster.
            if !plannerOptions.alwaysUsesAccess, access.totalCost > Double(total) * 20 { return nil }
        }
        return Union(found, isExact: zip(parts, found).allSatisfy { $0.isSingle && $1.isExact })
    }

    /// Returns an access path against the direction of links: first the linked objects that satisfy the condition, then
    /// the objects that link to them.
    private func reversal(_ part: PathTest) throws -> (any AccessPath)? {
        let (path, test, text) = (part.path, part.test, part.text)
        guard usesSampling, path.skipsNull || !test.matchesNull else { return nil }
        if path.hops.isEmpty {
            // A link that is compared with objects is an access path to these objects.
            guard case .column(let key) = path.end, let column = table.column(key), column.type == .link,
                case .objects = test.kind, !test.isNegated, !test.matchesNull, path.aspect == .value
            else { return nil }
            let hop = ResolvedPath.Hop(kind: .link, column: key, target: table.target(of: column))
            let objects = ResolvedPath(
                origin: hop.target, hops: [], end: .object, written: path.written, property: path.property, type: .link,
                target: hop.target)
            return try LinkReversal([hop], .test(objects, test, text: text), .test(part), in: self, isExact: true)
        }
        return try LinkReversal(
            path.hops, .test(path.after(path.hops.count), test, text: text), .test(part), in: self, isExact: true)
    }
}

extension AccessPath {
    /// Includes one read of each object.
    var totalCost: Double { cost + estimate * 80 }
}

extension Condition {
    fileprivate var isSingle: Bool {
        switch self {
        case .all, .chain: false
        default: true
        }
    }
}

extension ValueTest {
    fileprivate func matches(atLeast least: Int64) -> Bool {
        guard case .int(let range) = kind, !isNegated else { return false }
        return range.lowerBound <= least && range.upperBound == .max
    }
}

struct EmptyAccess: AccessPath {
    var estimate: Double { 0 }
    var cost: Double { 0 }
    var isExact: Bool { true }
    func keys() -> [ObjectKey] { [] }
    func explain() -> (step: PlanStep, keys: [ObjectKey]) {
        (PlanStep("nothing: FALSEPREDICATE", estimated: 0, actual: 0), [])
    }
}

/// The objects that a condition contains as constants.
struct KeyLookup: AccessPath {
    private let table: Table
    private let set: KeySet
    private let text: Comparison

    init?(_ part: PathTest, in table: Table) {
        let test = part.test
        guard part.path.hops.isEmpty, part.path.endsWithObject, case .objects(let set) = test.kind, !test.isNegated,
            !test.matchesNull
        else { return nil }
        self.table = table
        self.set = set
        text = part.text
    }

    var estimate: Double { Double(set.keys.count) }
    var cost: Double { estimate * 100 }
    var isExact: Bool { true }

    func keys() throws -> [ObjectKey] {
        var cursor = ObjectCursor(table)
        return try set.keys.filter { try cursor.find($0) != nil }
    }

    func explain() throws -> (step: PlanStep, keys: [ObjectKey]) {
        let keys = try keys()
        return (PlanStep("objects: \(text.planText)", estimated: estimate, actual: keys.count), keys)
    }
}

struct Union: AccessPath {
    private let parts: [any AccessPath]
    let isExact: Bool

    init(_ parts: [any AccessPath], isExact: Bool) {
        self.parts = parts
        self.isExact = isExact
    }

    var estimate: Double { parts.reduce(0) { $0 + $1.estimate } }
    /// Includes sorting the objects.
    var cost: Double { parts.reduce(0) { $0 + $1.cost } + estimate * 20 }

    func keys() throws -> [ObjectKey] { Union.merged(try parts.map { try $0.keys() }) }

    func explain() throws -> (step: PlanStep, keys: [ObjectKey]) {
        let found = try parts.map { try $0.explain() }
        let keys = Union.merged(found.map(\.keys))
        return (PlanStep("union", estimated: estimate, actual: keys.count, found.map(\.step)), keys)
    }

    /// In ascending order, each key once.
    static func merged(_ lists: [[ObjectKey]]) -> [ObjectKey] {
        if lists.count == 1 { return lists[0] }
        return KeyOrder.ascending(Array(lists.joined()))
    }
}
