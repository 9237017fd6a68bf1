// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Database {
    /// Nil for a database that no other process can open.
    package func syncAgency() throws -> SyncAgency? {
        do {
            return try sharing.map { try SyncAgency(in: $0.folder) }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }
}
