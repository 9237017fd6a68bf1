// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What has changed of something between two versions, by position, key or property.
enum DetectedChange: Sendable {
    /// Of a collection with positions.
    case positions(PositionChange)
    /// Of a map.
    case keys(KeyChange)
    /// Of an object: the places of its properties in the order of the class.
    case properties([Int])
    /// The object was deleted.
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

/// What looking for changes came to.
struct DetectionResult: Sendable {
    /// nil if nothing has changed that counts.
    var change: DetectedChange?
    /// The elements in the newer version, of a query.
    var contents: ResultsCore.Contents?
    /// Whether nothing more can ever change: what was observed is gone.
    var isLast = false
}

/// Finds out what has changed of one thing, from versions alone: on any thread.
protocol ChangeDetector: Sendable {
    /// Whether the observer is notified of what it observes before any change.
    var hasInitialCall: Bool { get }

    /// Whether finding the elements of a version may take long.
    var isSlow: Bool { get }

    /// Whether anything can have changed at all, which is quickly said.
    func mayHaveChanged(_ changes: VersionChanges) throws -> Bool

    /// The elements in a version, of a query; nil for what needs no more than the version.
    func contents(in version: ObservedVersion) -> ResultsCore.Contents?

    /// What has changed. `contents` are those of the older version, if they are known.
    func find(_ changes: VersionChanges, _ contents: ResultsCore.Contents?) throws -> DetectionResult
}

extension ChangeDetector {
    var isSlow: Bool { false }
    func contents(in version: ObservedVersion) -> ResultsCore.Contents? { nil }
}

/// A finder of what has changed in a stored collection.
protocol ElementFinder: ChangeDetector {
    var path: CollectionPath { get }
    /// The class of the elements; nil where they are values.
    var elements: TableKey? { get }
}

extension ElementFinder {
    var hasInitialCall: Bool { true }

    var mayHoldObjects: Bool { elements != nil || path.column.type == .mixed }

    func mayHaveChanged(_ changes: VersionChanges) throws -> Bool {
        if !changes.diff.isSame(path.table) { return true }
        return try mayHoldObjects && changes.touches(elements ?? path.table)
    }
}
