// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmValues

/// The changes of the page's commits, as steps that can be undone and redone. A step pins the versions before and after
/// its commit.
struct UndoStack {
    private var done: [Step] = []
    private var undone: [Step] = []

    private typealias Step = (title: String, changes: VersionHistory)

    private static let maximumCount = 100

    var canUndo: String? { done.last?.title }
    var canRedo: String? { undone.last?.title }

    mutating func add(_ changes: VersionHistory, _ title: String) {
        guard !changes.isEmpty else { return }
        done.append((title, changes))
        undone = []
        if done.count > UndoStack.maximumCount { done.removeFirst() }
    }

    /// Undoes the last step, and returns its title.
    ///
    /// - Parameter revert: Reverts the changes in a commit, and returns the changes of that commit.
    mutating func undo(_ revert: (VersionHistory) throws -> VersionHistory) throws -> String {
        try UndoStack.move(from: &done, to: &undone, "undo", revert)
    }

    /// Redoes the step undone last, and returns its title.
    mutating func redo(_ revert: (VersionHistory) throws -> VersionHistory) throws -> String {
        try UndoStack.move(from: &undone, to: &done, "redo", revert)
    }

    private static func move(
        from steps: inout [Step], to others: inout [Step], _ verb: String,
        _ revert: (VersionHistory) throws -> VersionHistory
    ) throws -> String {
        guard let step = steps.last else { throw StudioError("there is nothing to \(verb)") }
        others.append((step.title, try revert(step.changes)))
        steps.removeLast()
        return step.title
    }
}
