// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Database {
    /// Commits what `body` does in a write transaction, and rolls it back where that throws.
    func withTransaction<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        let transaction = try beginWrite()
        do {
            let result = try body(transaction)
            try transaction.commit()
            return result
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }
}
