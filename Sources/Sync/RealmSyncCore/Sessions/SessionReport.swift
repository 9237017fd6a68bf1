// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The state of a bound client file, for the administration of a server.
package struct SessionReport {
    package let connection: UInt64
    package let store: any PartitionStore
    package let file: UInt64
    /// The version up to which changes were sent to the client.
    package let sentVersion: UInt64

    init?(_ session: ServerSession, of connection: UInt64) {
        guard let file = session.fileIdent else { return nil }
        (self.connection, self.store, self.file) = (connection, session.store, file)
        sentVersion = session.sentVersion
    }
}
