// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The steps that can be undone and redone.
final class UndoStack {
    private var done: [(title: String, step: UndoStep)] = []
    private var undone: [(title: String, step: UndoStep)] = []

    private static let most = 100

    var canUndo: String? { done.last?.title }
    var canRedo: String? { undone.last?.title }

    func add(_ step: UndoStep, _ title: String) {
        guard !step.isEmpty else { return }
        done.append((title, step))
        undone = []
        if done.count > UndoStack.most { done.removeFirst() }
    }

    /// Undoes the last step. Returns its title.
    func undo(_ body: (UndoStep) throws -> Void) throws -> String {
        guard let last = done.last else { throw StudioError("there is nothing to undo") }
        try body(last.step)
        undone.append(done.removeLast())
        return last.title
    }

    /// Redoes the step undone last. Returns its title.
    func redo(_ body: (UndoStep) throws -> Void) throws -> String {
        guard let last = undone.last else { throw StudioError("there is nothing to redo") }
        try body(last.step)
        done.append(undone.removeLast())
        return last.title
    }
}
