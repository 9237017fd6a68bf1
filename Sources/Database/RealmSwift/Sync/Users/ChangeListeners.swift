// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

final class ChangeListeners<Subject>: Sendable {
    private struct Entries {
        var functions: [Int: @Sendable (Subject) -> Void] = [:]
        var next = 0
    }

    private let entries = Locked(Entries())

    /// Calls `function` after each change, until the returned function is called.
    func add(_ function: @escaping @Sendable (Subject) -> Void) -> @Sendable () -> Void {
        let key = entries.withLock { entries in
            entries.next += 1
            entries.functions[entries.next] = function
            return entries.next
        }
        return { [weak self] in self?.entries.withLock { $0.functions[key] = nil } }
    }

    /// The functions are called outside of the lock.
    func notify(_ subject: Subject) {
        for function in entries.withLock({ Array($0.functions.values) }) { function(subject) }
    }
}
