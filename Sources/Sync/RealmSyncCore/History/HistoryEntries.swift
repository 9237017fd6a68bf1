// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct UploadedChange: Sendable {
    package let clientVersion: UInt64
    /// The last server version that the client had integrated before the change.
    package let serverVersion: UInt64
    package let order: ChangeOrder
    package let changeset: Changeset
    /// The size of the changeset as sent by the client, in bytes. It counts for progress.
    package let originalSize: Int
    /// The user of the client; empty if it isn't recorded.
    package let user: String
    /// The former partition of a file that was moved to subscriptions (§5.8). Its new objects belong to it.
    package let migratedPartition: PartitionValue?

    package init(
        clientVersion: UInt64, serverVersion: UInt64, order: ChangeOrder, changeset: Changeset, originalSize: Int = 0,
        user: String = "", migratedPartition: PartitionValue? = nil
    ) {
        (self.user, self.migratedPartition) = (user, migratedPartition)
        self.clientVersion = clientVersion
        self.serverVersion = serverVersion
        self.order = order
        self.changeset = changeset
        self.originalSize = originalSize
    }
}

package struct DownloadedChange: Sendable {
    package let serverVersion: UInt64
    /// The last version of the receiver that the server had integrated before the change.
    package let clientVersion: UInt64
    package let order: ChangeOrder
    package let changeset: Changeset
    /// The size in bytes that counts for progress, as reported by the server.
    package let originalSize: UInt64

    package init(
        serverVersion: UInt64, clientVersion: UInt64, order: ChangeOrder, changeset: Changeset, originalSize: UInt64 = 0
    ) {
        self.serverVersion = serverVersion
        self.clientVersion = clientVersion
        self.order = order
        self.changeset = changeset
        self.originalSize = originalSize
    }
}
