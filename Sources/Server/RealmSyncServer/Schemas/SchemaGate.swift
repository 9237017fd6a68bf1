// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Compares the changes of clients with the schema of their app, which can learn additions. Used from any thread.
protocol SchemaGate: AnyObject, Sendable {
    /// - Throws: `SessionError` with `badSchemaChange` for instructions that the schema doesn't allow.
    func admit(_ instructions: [Instruction]) throws(SessionError)

    /// - Throws: `SessionError` with `badSchemaVersion` for an unknown version of the schema.
    func admit(version: UInt64) throws(SessionError)

    /// Whether a file with the objects of one version of the schema must download its objects again for another one.
    func migrates(from version: UInt64, to newVersion: UInt64) -> Bool
}
