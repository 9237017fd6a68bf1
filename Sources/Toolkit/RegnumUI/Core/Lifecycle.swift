// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct Lifecycle {
    var onAppear: (() -> Void)?
    var onDisappear: (() -> Void)?
    /// Restarted when `workID` changes.
    var work: (@MainActor () async -> Void)?
    var workID: AnyHashable?
    private var isShown = false
    private var task: Task<Void, Never>?
    private var startedID: AnyHashable?

    @MainActor mutating func show() {
        guard !isShown else { return }
        isShown = true
        onAppear?()
    }

    @MainActor mutating func hide() {
        guard isShown else { return }
        isShown = false
        task?.cancel()
        task = nil
        onDisappear?()
    }

    @MainActor mutating func startTask(of node: Node) {
        guard isShown, let work, task == nil || startedID != workID else { return }
        task?.cancel()
        startedID = workID
        task = Task { [weak graph = node.graph] in
            graph?.runningActionCount += 1
            await work()
            graph?.runningActionCount -= 1
        }
    }
}

nonisolated struct LifecycleModification: Modification {
    var onAppear: (() -> Void)?
    var onDisappear: (() -> Void)?
    var work: (@MainActor () async -> Void)?
    var workID: AnyHashable?

    @MainActor func evaluate(_ node: Node) {
        node.lifecycle.onAppear = onAppear
        node.lifecycle.onDisappear = onDisappear
        node.lifecycle.work = work
        node.lifecycle.workID = workID
        node.graph.follow(lifecycleOf: node)
    }
}

nonisolated struct ChangeModification<Value: Equatable>: Modification {
    let value: Value
    let isInitial: Bool
    let action: (Value, Value) -> Void

    private final class Previous {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    @MainActor func evaluate(_ node: Node) {
        guard let previous = node.memory as? Previous else {
            node.memory = Previous(value)
            if isInitial { node.graph.afterPass { action(value, value) } }
            return
        }
        let old = previous.value
        previous.value = value
        if old != value { node.graph.afterPass { action(old, value) } }
    }
}

extension View {
    /// Runs an action when the view appears.
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        modifier(LifecycleModification(onAppear: action))
    }

    /// Runs an action when the view disappears.
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        modifier(LifecycleModification(onDisappear: action))
    }

    /// Starts a task when the view appears, and cancels it when the view disappears. `priority` has no effect.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        modifier(LifecycleModification(work: { await action() }))
    }

    /// Starts a task when the view appears, restarts it when `value` changes, and cancels it when the view disappears.
    /// `priority` has no effect.
    nonisolated public func task<T>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View where T: Equatable {
        modifier(TaskModification(value: value, action: action))
    }

    /// Runs an action with the new value when `value` changes.
    nonisolated public func onChange<V>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View
    where V: Equatable {
        modifier(ChangeModification(value: value, isInitial: false) { action($1) })
    }

    /// Runs an action with the old and new value when `value` changes, and when the view is created if `initial` is
    /// true.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View where V: Equatable {
        modifier(ChangeModification(value: value, isInitial: initial, action: action))
    }

    /// Runs an action when `value` changes, and when the view is created if `initial` is true.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View where V: Equatable {
        modifier(ChangeModification(value: value, isInitial: initial) { _, _ in action() })
    }
}

/// Numbers the values, because they are only `Equatable`.
nonisolated struct TaskModification<Value: Equatable>: Modification {
    let value: Value
    let action: @Sendable () async -> Void

    private final class Numbered {
        var value: Value
        var number = 0
        init(_ value: Value) { self.value = value }
    }

    @MainActor func evaluate(_ node: Node) {
        let numbered = node.memory as? Numbered ?? Numbered(value)
        if numbered.value != value { numbered.number += 1 }
        numbered.value = value
        node.memory = numbered
        let action = action
        LifecycleModification(work: { await action() }, workID: numbered.number).evaluate(node)
    }
}
