// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the changes of a map.
package struct MapDetector: ElementDetector {
    package let path: CollectionPath
    package let elements: TableKey?
    package let filter: KeyPathFilter?

    package init(path: CollectionPath, elements: TableKey?, filter: KeyPathFilter?) {
        self.path = path
        self.elements = elements
        self.filter = filter
    }

    package func find(_ changes: VersionChanges) throws -> DetectionResult {
        guard let before = try changes.old.collectionIfPresent(path)?.dictionary else {
            return DetectionResult(isLast: true)
        }
        guard try changes.new.collectionIfPresent(path)?.dictionary != nil else {
            let keys = try (0..<before.count).map(before.key)
            return DetectionResult(change: .keys(KeyChange(deletions: keys)), isLast: true)
        }
        let diff = try changes.diff.dictionary(at: path)
        var change = KeyChange(
            deletions: diff?.deletions ?? [], insertions: diff?.insertions ?? [],
            modifications: diff?.modifications ?? [])
        if mayHoldObjects { try addModified(before, changes, to: &change) }
        return DetectionResult(change: change.isEmpty ? nil : .keys(change))
    }

    private func addModified(
        _ entries: DictionaryTree, _ changes: VersionChanges, to change: inout KeyChange
    ) throws {
        var modified = ModifiedElements(changes, elements, filter)
        if elements != nil, try modified.keys().isEmpty { return }
        let known = Set(change.deletions).union(change.modifications)
        let values = try entries.values()
        var isChanged = false
        for index in values.indices where try modified.contains(values[index]) {
            let key = try entries.key(at: index)
            guard !known.contains(key) else { continue }
            change.modifications.append(key)
            isChanged = true
        }
        if isChanged { change.modifications.sort() }
    }
}
