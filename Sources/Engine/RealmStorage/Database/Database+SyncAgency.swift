// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Database {
    /// Nil for a database that no other process can open.
    package func syncAgency() -> SyncAgency? { sharing.map { SyncAgency(in: $0.folder) } }
}
