// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The differences between two versions that observers see, with the frozen readers of these versions.
package struct ObservedChanges: Sendable {
    package let old: ObservedVersion
    package let new: ObservedVersion
    package let versions: VersionChanges

    package init(from old: ObservedVersion, to new: ObservedVersion) throws {
        self.old = old
        self.new = new
        versions = try VersionChanges(from: old.snapshot, to: new.snapshot)
    }
}

/// Finds the changes of one observed value, on any thread: those of a query, or what a `ValueDetector` finds.
package protocol ChangeDetector: Sendable {
    /// Whether the observer is notified of the initial state before any change.
    var hasInitialCall: Bool { get }

    /// Whether finding the elements of a version may take long.
    var isSlow: Bool { get }

    /// A quick check whether anything can have changed at all.
    func mayHaveChanged(_ changes: ObservedChanges) throws -> Bool

    /// Returns the elements of a query in a version, or nil for values that need only the version.
    func contents(in version: ObservedVersion) -> QueryContents?

    /// Returns the changes. `contents` are the elements in the older version, if available.
    func find(_ changes: ObservedChanges, _ contents: QueryContents?) throws -> DetectionResult
}

extension ChangeDetector {
    package var isSlow: Bool { false }
    package func contents(in version: ObservedVersion) -> QueryContents? { nil }
}

extension ChangeDetector where Self: ValueDetector {
    package func mayHaveChanged(_ changes: ObservedChanges) throws -> Bool { try mayHaveChanged(changes.versions) }

    package func find(_ changes: ObservedChanges, _ contents: QueryContents?) throws -> DetectionResult {
        try find(changes.versions)
    }
}

extension CollectionDetector: ChangeDetector {}
extension MapDetector: ChangeDetector {}
extension ObjectDetector: ChangeDetector {}
extension ReachDetector: ChangeDetector {}
