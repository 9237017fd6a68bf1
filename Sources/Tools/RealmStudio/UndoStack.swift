// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmValues

/// The changes of the page's commits, as steps that can be undone and redone. A step pins the versions before and after
/// its commit.
final class UndoStack {
    private var done: [Step] = []
    private var undone: [Step] = []

    private struct Step {
        let title: String
        let changes: VersionHistory
    }

    private static let maximumCount = 100

    var canUndo: String? { done.last?.title }
    var canRedo: String? { undone.last?.title }

    func add(_ changes: VersionHistory, _ title: String) {
        guard !changes.isEmpty else { return }
        done.append(Step(title: title, changes: changes))
        undone = []
        if done.count > UndoStack.maximumCount { done.removeFirst() }
    }

    /// Undoes the last step, and returns its title.
    ///
    /// - Parameter body: Reverts the changes in a commit, and returns the changes of that commit.
    func undo(_ body: (VersionHistory) throws -> VersionHistory) throws -> String {
        guard let step = done.last else { throw StudioError("there is nothing to undo") }
        undone.append(Step(title: step.title, changes: try body(step.changes)))
        done.removeLast()
        return step.title
    }

    /// Redoes the step undone last, and returns its title.
    func redo(_ body: (VersionHistory) throws -> VersionHistory) throws -> String {
        guard let step = undone.last else { throw StudioError("there is nothing to redo") }
        done.append(Step(title: step.title, changes: try body(step.changes)))
        undone.removeLast()
        return step.title
    }
}
