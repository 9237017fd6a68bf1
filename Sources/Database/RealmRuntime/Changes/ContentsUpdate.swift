// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// The elements of a query in a version, computed from those in an older one and the changes between them: the cost is
/// proportional to the changes, except for copying keys.
///
/// For queries of all objects of a class whose filters and order depend only on each object's own properties. Then an
/// unchanged object stays included or excluded, and the remaining objects keep their order.
package struct ContentsUpdate {
    package let contents: [ObjectKey]
    package let change: PositionChange

    /// Returns nil if the query of the objects of `table` is of another kind, or if so much has changed that running it
    /// again is cheaper. `modified` contains the objects that count as modified for the observer.
    package init?(
        of table: TableKey, _ steps: [ResultsStep], _ old: [ObjectKey], _ changes: VersionChanges,
        modified: Set<ObjectKey>
    ) throws {
        guard let steps = UpdatableSteps(of: table, steps), let changed = try steps.changed(changes, old.count) else {
            return nil
        }
        let source = changes.new
        let passing = try steps.passing(changed, in: source)
        guard let order = steps.order else {
            (contents, change) = ContentsUpdate.ascending(old, changed, passing, modified)
            return
        }
        let set = KeySet(changed)
        // Objects that moved without counting as modified aren't fixed points: the search for the fewest moves has to
        // consider all objects then.
        let diff = try changes.table(steps.table)
        guard passing.allSatisfy({ modified.contains($0) || diff.isInserted($0) }) else { return nil }
        let staying = old.filter { !set.contains($0) }
        let sorted = try order.sort(passing, in: source)
        contents = ContentsUpdate.merged(staying, sorted, try order.places(of: sorted, in: staying, source))
        change = ContentsUpdate.moves(old, contents, set, KeySet(modified))
    }

    private static func ascending(
        _ old: [ObjectKey], _ changed: [ObjectKey], _ passing: [ObjectKey], _ modified: Set<ObjectKey>
    ) -> ([ObjectKey], PositionChange) {
        var change = PositionChange()
        var new: [ObjectKey] = []
        new.reserveCapacity(old.count + passing.count)
        var copied = 0
        for key in changed {
            let place = old.placeInOrder(of: key)
            new += old[copied..<place]
            let wasIn = place < old.count && old[place] == key
            copied = wasIn ? place + 1 : place
            if passing.containsInOrder(key) {
                if !wasIn { change.insertions.append(new.count) }
                new.append(key)
            } else if wasIn {
                change.deletions.append(place)
            }
        }
        new += old[copied...]
        for key in modified.sorted() where !changed.containsInOrder(key) || passing.containsInOrder(key) {
            let place = old.placeInOrder(of: key)
            if place < old.count, old[place] == key { change.modifications.append(place) }
        }
        return (new, change)
    }

    // MARK: Sorted queries

    private static func merged(_ staying: [ObjectKey], _ coming: [ObjectKey], _ places: [Int]) -> [ObjectKey] {
        var result: [ObjectKey] = []
        result.reserveCapacity(staying.count + coming.count)
        var copied = 0
        for (key, place) in zip(coming, places) {
            result += staying[copied..<place]
            copied = place
            result.append(key)
        }
        return result + staying[copied...]
    }

    /// Returns the changes of an order in which all but the `changed` objects stay. All objects between two changed
    /// ones in both orders count as one element: they stay, so the set of other objects that can stay is unaffected.
    private static func moves(
        _ old: [ObjectKey], _ new: [ObjectKey], _ changed: KeySet, _ modified: KeySet
    ) -> PositionChange {
        let (before, after) = (ChangedPlaces(old, changed), ChangedPlaces(new, changed))
        let gaps = Set(before.gaps + after.gaps).sorted()
        let (oldPieces, newPieces) = (before.pieces(gaps), after.pieces(gaps))
        let short = PositionChange(from: oldPieces.map(\.piece), to: newPieces.map(\.piece)) { piece in
            if case .one(let key) = piece { modified.contains(key) } else { false }
        }
        var change = PositionChange()
        change.deletions = short.deletions.map { oldPieces[$0].position }
        change.insertions = short.insertions.map { newPieces[$0].position }
        let standing =
            modified.keys.isEmpty
            ? []
            : old.indices.filter {
                modified.contains(old[$0]) && !changed.contains(old[$0])
            }
        change.modifications = (short.modifications.map { oldPieces[$0].position } + standing).sorted()
        return change
    }

    private struct ChangedPlaces {
        /// `gap` is the number of unchanged objects before the changed one.
        private var places: [(key: ObjectKey, position: Int, gap: Int)] = []
        var gaps: [Int] { places.map(\.gap) }

        enum Piece: Hashable {
            case one(ObjectKey)
            /// The unchanged objects between the previous gap and this one.
            case others(before: Int)
        }

        init(_ order: [ObjectKey], _ changed: KeySet) {
            for (position, key) in order.enumerated() where changed.contains(key) {
                places.append((key, position, position - places.count))
            }
        }

        /// Returns the order in pieces, with the unchanged objects split at all of the gaps.
        func pieces(_ gaps: [Int]) -> [(piece: Piece, position: Int)] {
            var pieces: [(piece: Piece, position: Int)] = []
            var rest = places[...]
            for gap in gaps {
                if gap > 0 { pieces.append((.others(before: gap), -1)) }
                while let next = rest.first, next.gap == gap {
                    pieces.append((.one(next.key), next.position))
                    rest.removeFirst()
                }
            }
            return pieces
        }
    }
}

/// The steps of a query whose elements can be computed from those in an older version.
private struct UpdatableSteps {
    let table: TableKey
    private var filters: [Query] = []
    private(set) var order: SortOrder?

    init?(of table: TableKey, _ steps: [ResultsStep]) {
        guard !steps.isEmpty else { return nil }
        self.table = table
        for step in steps {
            switch step {
            case .filter(let query) where query.readsOnlyRows: filters.append(query)
            case .sort(let order) where order.readsOnlyRows && self.order == nil: self.order = order
            default: return nil
            }
        }
    }

    /// Returns the inserted, deleted or modified objects, ascending, or nil if they are many compared with the `count`
    /// elements.
    func changed(_ changes: VersionChanges, _ count: Int) throws -> [ObjectKey]? {
        guard try changes.old.table(table) != nil, try changes.new.table(table) != nil else { return nil }
        let diff = try changes.table(table)
        let number = diff.deletions.count + diff.insertions.count + diff.modifications.count
        guard number < max(64, count / 16) else { return nil }
        return (diff.deletions + diff.insertions + diff.modifications.map(\.object)).sorted()
    }

    /// Returns the changed objects that pass the filters, ascending. Deleted objects don't pass.
    func passing(_ changed: [ObjectKey], in source: any TableSource) throws -> [ObjectKey] {
        guard let table = try source.table(table) else { return [] }
        return try filters.reduce(changed.filter { try table.find($0) != nil }) { try $1.filter($0, in: source) }
    }
}
