// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// What has happened to sections since their observer was last notified of them.
///
/// The positions suit a table view with sections: deletions and modifications are positions before the change,
/// insertions those after it, all ascending. The elements of a section that is gone are not listed, those of a new one
/// are. What moved, within a section or to another one, is deleted and inserted.
@frozen public enum SectionedResultsChange<Collection> {
    /// The first call, with the sections as they are.
    case initial(Collection)

    /// The sections or their elements have changed.
    case update(
        Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// The name that Realm had for it at first.
@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange

/// What has happened to sections, from what has happened to their elements.
struct SectionChange: Equatable {
    var deletions: [IndexPath] = []
    var insertions: [IndexPath] = []
    var modifications: [IndexPath] = []
    var sectionsToInsert = IndexSet()
    var sectionsToDelete = IndexSet()

    var isEmpty: Bool { self == SectionChange() }

    init() {}

    /// `change` is that of all elements in their order.
    init<Key>(_ change: PositionChange, from old: SectionLayout<Key>, to new: SectionLayout<Key>) {
        let sections = PositionChange(from: old.keys, to: new.keys) { _ in false }
        sectionsToDelete = IndexSet(sections.deletions)
        sectionsToInsert = IndexSet(sections.insertions)
        let (before, after) = (old.paths, new.paths)
        let (deleted, inserted) = (IndexSet(change.deletions), IndexSet(change.insertions))
        let modified = IndexSet(change.modifications)
        delete(change.deletions.map { before[$0] })
        insertions = change.insertions.map { after[$0] }
        var position = 0
        for (source, path) in before.enumerated() where !deleted.contains(source) {
            while inserted.contains(position) { position += 1 }
            guard position < after.count else { break }
            defer { position += 1 }
            let target = after[position]
            let isInPlace =
                old.keys[path.section] == new.keys[target.section] && !sectionsToDelete.contains(path.section)
            if !isInPlace {
                delete([path])
                insertions.append(target)
            } else if modified.contains(source) {
                modifications.append(path)
            }
        }
        deletions.sort()
        insertions.sort()
        modifications.sort()
    }

    /// The elements of sections that are gone go with them.
    private mutating func delete(_ paths: [IndexPath]) {
        deletions += paths.filter { !sectionsToDelete.contains($0.section) }
    }

    /// The part of one section, by its number before the change and after it.
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

extension SectionLayout {
    /// Where the elements are, by their positions among all.
    fileprivate var paths: [IndexPath] {
        let count = keys.indices.reduce(0) { $0 + rows(of: $1).count }
        var paths = [IndexPath](repeating: IndexPath(), count: count)
        for number in keys.indices {
            for (row, position) in rows(of: number).enumerated() {
                paths[position] = IndexPath(item: row, section: number)
            }
        }
        return paths
    }
}
