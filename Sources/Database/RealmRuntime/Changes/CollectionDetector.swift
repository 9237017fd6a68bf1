// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// Finds the changes of a list or set.
package struct CollectionDetector: ElementDetector {
    package let path: CollectionPath
    package let elements: TableKey?
    package let filter: KeyPathFilter?

    package init(path: CollectionPath, elements: TableKey?, filter: KeyPathFilter?) {
        self.path = path
        self.elements = elements
        self.filter = filter
    }

    private var isSet: Bool { path.steps.isEmpty && path.column.isSet }

    package func find(_ changes: VersionChanges) throws -> DetectionResult {
        guard let before = try members(in: changes.old) else { return DetectionResult(isLast: true) }
        guard try changes.new.collectionIfPresent(path) != nil else {
            let deletions = Array(0..<(before.count ?? 0))
            return DetectionResult(change: .positions(PositionChange(deletions: deletions)), isLast: true)
        }
        let diff = try isSet ? changes.diff.set(at: path) : changes.diff.list(at: path)
        var change = PositionChange(
            deletions: diff?.deletions ?? [], insertions: diff?.insertions ?? [],
            modifications: diff?.modifications ?? [])
        if case .keys = before { change.exchangeModifications() }
        if mayHoldObjects { try add(modified(before, changes), to: &change) }
        return DetectionResult(change: change.isEmpty ? nil : .positions(change))
    }

    /// Returns the visible elements, or nil if the collection doesn't exist.
    private func members(in version: Snapshot) throws -> QueryContents? {
        guard let collection = try version.collectionIfPresent(path), collection.dictionary == nil else { return nil }
        return try collection.visibleElements(of: path.column)
    }

    /// Returns the positions before the change of the elements that count as modified without having been replaced.
    private func modified(_ members: QueryContents, _ changes: VersionChanges) throws -> [Int] {
        var modified = ModifiedElements(changes, elements, filter)
        switch members {
        case .keys(let objects): return KeySet(try modified.keys()).places(in: objects)
        case .values(let values): return try values.indices.filter { try modified.contains(values[$0]) }
        case .table: return []
        }
    }

    private func add(_ modified: [Int], to change: inout PositionChange) {
        guard !modified.isEmpty else { return }
        let known = Set(change.deletions).union(change.modifications)
        change.modifications = (change.modifications + modified.filter { !known.contains($0) }).sorted()
    }
}

extension PositionChange {
    /// Turns each replaced element into a deletion and an insertion (row R73).
    fileprivate mutating func exchangeModifications() {
        guard !modifications.isEmpty else { return }
        let (gone, exchanged) = (Set(deletions), Set(modifications))
        let come = Set(insertions)
        var (before, after) = (0, 0)
        let last = modifications[modifications.count - 1]
        while before <= last {
            if gone.contains(before) {
                before += 1
            } else if come.contains(after) {
                after += 1
            } else {
                if exchanged.contains(before) {
                    deletions.append(before)
                    insertions.append(after)
                }
                before += 1
                after += 1
            }
        }
        deletions.sort()
        insertions.sort()
        modifications = []
    }
}
