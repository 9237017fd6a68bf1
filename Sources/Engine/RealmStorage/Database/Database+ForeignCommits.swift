// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The registration of a handler that is called after commits of other processes. Deallocation removes the handler.
package final class ForeignCommitToken: Sendable {
    private let database: Database
    private let handler: UInt64

    fileprivate init(_ database: Database, _ handler: UInt64) {
        self.database = database
        self.handler = handler
    }

    deinit { database.removeForeignCommitHandler(handler) }

    /// The system error because of which the file is polled; nil if the kernel reports changes.
    package var pollingReason: String? { database.lock.locked { database.foreign.signal?.pollingReason } }
}

extension Database {
    /// Calls `handler`, on a separate thread, soon after another process, or another `Database` for the same file, has
    /// committed. Several commits may cause one call; commits by this object cause none.
    ///
    /// The kernel reports writes to the file; nothing runs while no process writes, unless the system can't watch
    /// another file (`ForeignCommitToken.pollingReason`). A handler must not wait for a thread that releases the last
    /// token.
    package func onForeignCommit(_ handler: @escaping @Sendable () -> Void) throws -> ForeignCommitToken {
        let identifier = lock.locked {
            foreign.nextHandler += 1
            if foreign.handlers.isEmpty { foreign.notified = foreign.version }
            foreign.handlers[foreign.nextHandler] = handler
            return foreign.nextHandler
        }
        let token = ForeignCommitToken(self, identifier)
        guard sharing != nil, lock.locked({ foreign.signal == nil }) else { return token }
        try watch()
        return token
    }

    /// Watches the file that is now at the path. Called after compaction has replaced the file.
    func rewatch() throws {
        let old = lock.locked { () -> ChangeSignal? in
            defer { foreign.signal = nil }
            return foreign.signal
        }
        // Not under the lock, because the deinitialiser waits for the watching thread.
        if old != nil { try watch() }
        withExtendedLifetime(old) {}
    }

    private func watch() throws {
        do {
            let signal = try ChangeSignal(path: path) { [weak self] in self?.notifyOfForeignCommits() }
            let surplus = lock.locked {
                if foreign.signal != nil { return signal as ChangeSignal? }
                foreign.signal = signal
                return nil
            }
            withExtendedLifetime(surplus) {}
        } catch let error as SystemError {
            throw StorageError(error)
        }
        // A commit between the last check and the start of the watch caused no signal.
        notifyOfForeignCommits()
    }

    private func notifyOfForeignCommits() {
        let handlers = lock.locked { () -> [@Sendable () -> Void] in
            // If this fails, the next read throws the same error.
            try? adoptNewest()
            guard foreign.version > foreign.notified else { return [] }
            foreign.notified = foreign.version
            return Array(foreign.handlers.values)
        }
        for handler in handlers { handler() }
    }

    fileprivate func removeForeignCommitHandler(_ identifier: UInt64) {
        let signal = lock.locked { () -> ChangeSignal? in
            foreign.handlers[identifier] = nil
            guard foreign.handlers.isEmpty else { return nil }
            defer { foreign.signal = nil }
            return foreign.signal
        }
        // Not under the lock, because the deinitialiser waits for the watching thread.
        withExtendedLifetime(signal) {}
    }
}
