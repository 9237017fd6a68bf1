// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The changes of an observed value between two versions, by position, key or property.
enum DetectedChange: Sendable {
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
struct PositionChange: Sendable, Equatable {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

struct KeyChange: Sendable, Equatable {
    var deletions: [String] = []
    var insertions: [String] = []
    var modifications: [String] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

struct DetectionResult: Sendable {
    var change: DetectedChange?
    /// The elements of a query in the newer version.
    var contents: ResultsCore.Contents?
    /// Whether no further changes are possible because the observed value was deleted.
    var isLast = false
}

/// Finds the changes of one observed value from versions alone, on any thread.
protocol ChangeDetector: Sendable {
    /// Whether the observer is notified of the initial state before any change.
    var hasInitialCall: Bool { get }

    /// Whether finding the elements of a version may take long.
    var isSlow: Bool { get }

    /// A quick check whether anything can have changed at all.
    func mayHaveChanged(_ changes: VersionChanges) throws -> Bool

    /// Returns the elements of a query in a version, or nil for values that need only the version.
    func contents(in version: ObservedVersion) -> ResultsCore.Contents?

    /// Returns the changes. `contents` are the elements in the older version, if available.
    func find(_ changes: VersionChanges, _ contents: ResultsCore.Contents?) throws -> DetectionResult
}

extension ChangeDetector {
    var isSlow: Bool { false }
    func contents(in version: ObservedVersion) -> ResultsCore.Contents? { nil }
}

protocol ElementDetector: ChangeDetector {
    var path: CollectionPath { get }
    /// The class of the elements; nil if they are values.
    var elements: TableKey? { get }
}

extension ElementDetector {
    var hasInitialCall: Bool { true }

    var mayHoldObjects: Bool { elements != nil || path.column.type == .mixed }

    func mayHaveChanged(_ changes: VersionChanges) throws -> Bool {
        if !changes.diff.isSame(path.table) { return true }
        return try mayHoldObjects && changes.touches(elements ?? path.table)
    }
}
