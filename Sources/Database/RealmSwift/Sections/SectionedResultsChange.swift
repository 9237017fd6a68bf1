// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// The changes of sections since their observer was last notified.
///
/// The index paths can be passed to a table view with sections: deletions and modifications are index paths before the
/// change, insertions are index paths after it, all in ascending order. The elements of a deleted section aren't
/// listed; those of a new section are. An element that moved, within a section or to another one, is both deleted and
/// inserted. So is an element that was modified by a write that also changed its index path: a modification has the
/// same index path before and after.
@frozen public enum SectionedResultsChange<Collection> {
    /// The current sections, in the first call of the block.
    case initial(Collection)

    /// The sections or their elements have changed.
    case update(
        Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// The name of ``SectionedResultsChange`` in Realm's SDK.
@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange

struct SectionChange: Equatable {
    var deletions: [IndexPath] = []
    var insertions: [IndexPath] = []
    var modifications: [IndexPath] = []
    var sectionsToInsert = IndexSet()
    var sectionsToDelete = IndexSet()

    var isEmpty: Bool { self == SectionChange() }

    init() {}

    /// `change` contains the changes of all elements. The cost is proportional to the number of changes and runs.
    init<Key>(_ change: PositionChange, from old: SectionLayout<Key>, to new: SectionLayout<Key>) {
        let sections = PositionChange(from: old.keys, to: new.keys) { _ in false }
        sectionsToDelete = IndexSet(sections.deletions)
        sectionsToInsert = IndexSet(sections.insertions)
        delete(change.deletions.map(old.path))
        insertions = change.insertions.map(new.path)
        let kept = SectionChange.numbers(of: old.keys.count, after: sections)
        var modified = change.modifications[...]
        change.forEachStay(in: old, new) { positions, after, shift in
            let moved: [Int]
            if kept[old.run(at: positions.lowerBound).section] != new.run(at: after).section {
                moved = Array(positions)
            } else {
                while let first = modified.first, first < positions.lowerBound { modified.removeFirst() }
                moved = Array(modified.prefix { $0 < positions.upperBound })
            }
            for position in moved {
                let (source, target) = (old.path(position), new.path(position + shift))
                if source == target, kept[source.section] == target.section {
                    modifications.append(source)
                } else {
                    delete([source])
                    insertions.append(target)
                }
            }
        }
        deletions.sort()
        insertions.sort()
        modifications.sort()
    }

    /// Returns the number that each of `count` sections has after a change; -1 for deleted sections.
    private static func numbers(of count: Int, after change: PositionChange) -> [Int] {
        var numbers = [Int](repeating: -1, count: count)
        let (deleted, inserted) = (Set(change.deletions), Set(change.insertions))
        var next = 0
        for section in 0..<count where !deleted.contains(section) {
            while inserted.contains(next) { next += 1 }
            numbers[section] = next
            next += 1
        }
        return numbers
    }

    /// Elements of deleted sections aren't listed as deletions.
    private mutating func delete(_ paths: [IndexPath]) {
        deletions += paths.filter { !sectionsToDelete.contains($0.section) }
    }

    func limited(to old: Int?, _ new: Int?) -> SectionChange {
        var part = SectionChange()
        part.deletions = deletions.filter { $0.section == old }
        part.insertions = insertions.filter { $0.section == new }
        part.modifications = modifications.filter { $0.section == old }
        if let new, sectionsToInsert.contains(new) { part.sectionsToInsert = [new] }
        if let old, sectionsToDelete.contains(old) { part.sectionsToDelete = [old] }
        return part
    }
}

extension SectionedResultsChange {
    init(_ collection: Collection, _ change: SectionChange) {
        self = .update(
            collection, deletions: change.deletions, insertions: change.insertions,
            modifications: change.modifications, sectionsToInsert: change.sectionsToInsert,
            sectionsToDelete: change.sectionsToDelete)
    }
}

extension PositionChange {
    /// Calls `body` with ranges of unchanged elements, each in one run before and after the change. The arguments are
    /// the positions before, the first position after, and the difference of the two.
    fileprivate func forEachStay<Key>(
        in old: SectionLayout<Key>, _ new: SectionLayout<Key>, _ body: (Range<Int>, Int, Int) -> Void
    ) {
        var (deleted, inserted) = (deletions[...], insertions[...])
        var (before, after) = (0, 0)
        var (oldRuns, newRuns) = (old.runs[...], new.runs[...])
        while true {
            if deleted.first == before {
                deleted.removeFirst()
                before += 1
            } else if inserted.first == after {
                inserted.removeFirst()
                after += 1
            } else {
                while let run = oldRuns.first, run.end <= before { oldRuns.removeFirst() }
                while let run = newRuns.first, run.end <= after { newRuns.removeFirst() }
                guard let oldEnd = oldRuns.first?.end, let newEnd = newRuns.first?.end else { return }
                let count = min(
                    min(deleted.first ?? oldEnd, oldEnd) - before, min(inserted.first ?? newEnd, newEnd) - after)
                body(before..<before + count, after, after - before)
                (before, after) = (before + count, after + count)
            }
        }
    }
}

extension SectionLayout {
    fileprivate func path(_ position: Int) -> IndexPath {
        let run = run(at: position)
        return IndexPath(item: run.row + position - run.position, section: run.section)
    }
}
