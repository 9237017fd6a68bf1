// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Runs `body` with the write lock, while no other participant has the file open or can open it, and no version is
    /// pinned in this process. Returns nil, without running it, if these conditions don't hold.
    ///
    /// Until `body` returns, snapshots wait, so `body` must neither create one nor begin a write.
    package func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result? {
        guard !isReadOnly else { throw StorageError(.writeRefused, "the database was opened read-only", path: path) }
        do {
            try enterWriting()
            defer { leaveWriting() }
            try verifyInPlace()
            return try runAlone(ownPins: 0) {
                try lock.locked { try adoptForWriting() }
                return try body()
            }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    private func withoutOthers<Result>(_ body: () throws -> Result?) throws -> Result? {
        guard let sharing, let participants else { return try body() }
        return try sharing.whileNoProcessOpens { try participants.others().isEmpty ? try body() : nil }
    }

    /// Runs `body` under the conditions of `withExclusiveAccess`, but with the write lock already held, and `ownPins`
    /// versions pinned by the caller.
    func runAlone<Result>(ownPins: Int, _ body: () throws -> Result) throws -> Result? {
        try withoutOthers {
            let isAlone = lock.locked {
                isExclusive = registry.pinCount <= ownPins
                return isExclusive
            }
            guard isAlone else { return nil }
            defer { lock.locked { isExclusive = false } }
            return try body()
        }
    }
}
