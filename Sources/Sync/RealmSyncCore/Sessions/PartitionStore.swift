// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a server has of a client file.
package struct KnownFile: Hashable, Sendable {
    package var salt: UInt64
    /// Its newest version that was integrated, and what it had of the server then.
    package var upload: UploadCursor
    /// The server versions from which it can go on.
    package var kept: ClosedRange<UInt64>
    /// Whether it was away for so long that nothing is kept for it.
    package var isExpired: Bool

    package init(salt: UInt64, upload: UploadCursor, kept: ClosedRange<UInt64>, isExpired: Bool = false) {
        self.salt = salt
        self.upload = upload
        self.kept = kept
        self.isExpired = isExpired
    }
}

/// What a client file is sent next.
package struct DownloadBatch: Hashable, Sendable {
    package var entries: [ServerMessage.Download.Entry]
    /// Where the file is when it has these.
    package var cursor: DownloadCursor
    /// The size of what is left.
    package var remainingBytes: UInt64

    package init(entries: [ServerMessage.Download.Entry], cursor: DownloadCursor, remainingBytes: UInt64) {
        self.entries = entries
        self.cursor = cursor
        self.remainingBytes = remainingBytes
    }
}

/// The history of one partition, as its sessions see it (§4.5).
///
/// What a function here has taken need not be durable when it returns. Instead nothing that a `SyncServer` wants sent
/// may leave before everything that it wrote so far is: so many changes become durable together.
package protocol PartitionStore: AnyObject {
    var newest: SaltedVersion { get }

    /// The salt of a version, nil if there is no such version; 0 of version 0.
    func salt(of version: UInt64) -> UInt64?

    func file(_ ident: UInt64) -> KnownFile?

    /// Takes in a new client file.
    func addFile() throws(SessionError) -> SaltedIdent

    /// Merges changes of a file, which are in order, and adds each as the next version. They become durable together.
    ///
    /// - Throws: `SessionError` if one cannot be; those before it are added then.
    func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError)

    /// Takes note of what a file has, and of versions of it without changes.
    func advance(_ ident: UInt64, to cursor: UploadCursor)

    /// Whether another thread has the partition. Nothing else of it may be used then.
    var isBusy: Bool { get set }

    /// Whether changes of a file take so long to be integrated that the server should go on with others meanwhile.
    func isLong(_ entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> Bool

    /// What a file has to get that has all up to a version, until that is more than `limit` bytes.
    func downloads(for ident: UInt64, after version: UInt64, limit: Int) -> DownloadBatch
}

extension PartitionStore {
    package var isBusy: Bool {
        get { false }
        set {}
    }

    package func isLong(_ entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> Bool { false }
}

/// Where a server finds its partitions.
package protocol PartitionDirectory: AnyObject {
    /// The partition of a `bind`.
    ///
    /// - Throws: `SessionError` with `illegalPartition` or `permissionDenied`.
    func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore

    /// Whether a connection that got a partition may only read it.
    func isReadOnly(_ path: String, connection: UInt64) -> Bool
}

extension PartitionDirectory {
    package func isReadOnly(_ path: String, connection: UInt64) -> Bool { false }
}
