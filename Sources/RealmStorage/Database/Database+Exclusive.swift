// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Runs `body` with the right to write, while no other participant has the file open and none can open it, and
    /// nobody in this process holds a version; returns nil, without running it, if that is not so now.
    ///
    /// Whoever wants a snapshot meanwhile waits; so `body` must not take one, nor begin a write.
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

    /// Runs `body`, for whoever has the right to write already, while no other participant has the file open and none
    /// can open it; returns nil, without running it, if that is not so now.
    private func withoutOthers<Result>(_ body: () throws -> Result?) throws -> Result? {
        guard let sharing, let participants else { return try body() }
        return try sharing.whileNobodyOpens { try participants.others().isEmpty ? try body() : nil }
    }

    /// As `withExclusiveAccess`, for whoever has the right to write already and holds `ownPins` versions.
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
