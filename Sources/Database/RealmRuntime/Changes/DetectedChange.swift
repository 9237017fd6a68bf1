// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The changes of an observed value between two versions, by position, key or property.
package enum DetectedChange: Sendable {
    case positions(PositionChange)
    /// The changes of a collection with positions, where some modifications aren't reported: those that the filter of
    /// the observer excludes.
    case elements(PositionChange, unreported: Set<Int>)
    case keys(KeyChange)
    /// The changes of an object: the indexes of its properties in the order of the class.
    case properties([Int])
    case deleted
}

/// Deletions and modifications are positions before the change, insertions those after it; all ascending.
package struct PositionChange: Sendable, Equatable {
    package var deletions: [Int] = []
    package var insertions: [Int] = []
    package var modifications: [Int] = []

    package init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
        self.deletions = deletions
        self.insertions = insertions
        self.modifications = modifications
    }

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

package struct KeyChange: Sendable, Equatable {
    package var deletions: [String] = []
    package var insertions: [String] = []
    package var modifications: [String] = []

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

package struct DetectionResult: Sendable {
    package var change: DetectedChange?
    /// The elements of a query in the newer version.
    package var contents: QueryContents?
    /// Whether no further changes are possible because the observed value was deleted.
    package var isLast = false

    package init(change: DetectedChange? = nil, contents: QueryContents? = nil, isLast: Bool = false) {
        self.change = change
        self.contents = contents
        self.isLast = isLast
    }
}

/// Finds the changes of one observed value from two snapshots alone, on any thread.
package protocol ValueDetector: Sendable {
    /// Whether the observer is notified of the initial state before any change.
    var hasInitialCall: Bool { get }

    /// A quick check whether anything can have changed at all.
    func mayHaveChanged(_ changes: VersionChanges) throws -> Bool

    func find(_ changes: VersionChanges) throws -> DetectionResult
}

package protocol ElementDetector: ValueDetector {
    var path: CollectionPath { get }
    /// The class of the elements; nil if they are values.
    var elements: TableKey? { get }
}

extension ElementDetector {
    package var hasInitialCall: Bool { true }

    package var mayHoldObjects: Bool { elements != nil || path.column.type == .mixed }

    package func mayHaveChanged(_ changes: VersionChanges) throws -> Bool {
        if !changes.diff.isSame(path.table) { return true }
        return try mayHoldObjects && changes.touches(elements ?? path.table)
    }
}
