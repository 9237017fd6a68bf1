// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    private func withoutOthers<Result>(_ body: () throws -> Result?) throws -> Result? {
        guard let sharing, let participants else { return try body() }
        return try sharing.whileNoProcessOpens { try participants.others().isEmpty ? try body() : nil }
    }

    /// Runs `body` while no other participant has the file open or can open it, and only `ownPins` versions, of the
    /// caller, are pinned in this process. Returns nil, without running it, if these conditions don't hold. The caller
    /// holds the write lock.
    ///
    /// Until `body` returns, snapshots wait, so `body` must neither create one nor begin a write.
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
