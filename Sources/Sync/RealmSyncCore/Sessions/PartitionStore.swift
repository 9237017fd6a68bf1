// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct KnownFile: Hashable, Sendable {
    package var salt: UInt64
    /// The newest integrated version of the file, and the server version on which it was based.
    package var upload: UploadCursor
    package var kept: ClosedRange<UInt64>
    package var isExpired: Bool

    package init(salt: UInt64, upload: UploadCursor, kept: ClosedRange<UInt64>, isExpired: Bool = false) {
        self.salt = salt
        self.upload = upload
        self.kept = kept
        self.isExpired = isExpired
    }
}

package struct DownloadBatch: Hashable, Sendable {
    package var entries: [ServerMessage.Download.Entry]
    package var cursor: DownloadCursor
    package var remainingBytes: UInt64

    package init(entries: [ServerMessage.Download.Entry], cursor: DownloadCursor, remainingBytes: UInt64) {
        self.entries = entries
        self.cursor = cursor
        self.remainingBytes = remainingBytes
    }
}

/// The history of one partition, as its sessions use it (§4.5).
///
/// Changes needn't be durable when these functions return. Instead, no message of a `SyncServer` may be sent before all
/// earlier writes are durable. So many changes become durable together.
package protocol PartitionStore: AnyObject {
    var newest: SaltedVersion { get }

    /// Returns the salt of a version: nil if the version doesn't exist, 0 for version 0.
    func salt(of version: UInt64) -> UInt64?

    func file(_ ident: UInt64) -> KnownFile?

    func addFile() throws(SessionError) -> SaltedIdent

    /// Merges changes of a file, which are in order, and adds each as the next version. They become durable together.
    ///
    /// - Throws: `SessionError` if a change can't be integrated; those before it are added then.
    func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError)

    /// Called when a client has received error 230, which rejects objects of its versions up to one. It uploads these
    /// versions again, and the objects are then skipped.
    func didReportRejection(through clientVersion: UInt64, to ident: UInt64)

    /// Records a file's progress, including its versions without changes.
    func advance(_ ident: UInt64, to cursor: UploadCursor)

    /// Called when a session of a file begins.
    func didIdentify(_ ident: UInt64)

    /// Returns whether the partition can be changed outside of a received message. If not, sessions are asked for
    /// messages again as soon as it can be.
    func beginWriting() -> Bool

    /// Whether another thread is using the partition. No other member may be used then.
    var isBusy: Bool { get set }

    func effort(of entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> UploadEffort

    /// Returns the files for which there are changes since the last call, or nil for all files. Sessions of the other
    /// files have nothing to send.
    func takeConcernedFiles() -> Set<UInt64>?

    /// Returns the changes for a file that has all versions up to `version`, until their size exceeds `limit` bytes.
    ///
    /// - Throws: `SessionError` if they can't be read now.
    func downloads(for ident: UInt64, after version: UInt64, limit: Int) throws(SessionError) -> DownloadBatch
}

extension PartitionStore {
    package var isBusy: Bool {
        get { false }
        set {}
    }

    package func effort(of entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> UploadEffort { .short }

    package func takeConcernedFiles() -> Set<UInt64>? { nil }

    package func didReportRejection(through clientVersion: UInt64, to ident: UInt64) {}

    package func didIdentify(_ ident: UInt64) {}

    package func beginWriting() -> Bool { true }
}

/// The expected duration of the integration of an upload.
package enum UploadEffort: Sendable {
    case short
    /// The server should serve other clients meanwhile.
    case long
    /// The merge can take much longer than the size of the upload suggests, and must not delay long uploads.
    case longMerge
}

package protocol PartitionDirectory: AnyObject {
    /// Returns the partition of a `bind`.
    ///
    /// - Throws: `SessionError` with `illegalPartition` or `permissionDenied`.
    func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore

    func isReadOnly(_ path: String, connection: UInt64) -> Bool

    /// Returns the user of a connection, whose rights apply, or an empty text if users aren't recorded.
    func user(of connection: UInt64) -> String

    /// Returns the mode of the app to which a connection belongs, or nil if it can't be read now. Then `partition`
    /// throws.
    func mode(of connection: UInt64) -> SyncMode?

    /// Returns the error that moves a client to the mode of its app, or `nil` if the app wasn't moved (§5.8).
    ///
    /// - Parameters:
    ///   - path: The text of a `bind`.
    ///   - mode: The mode of the client.
    func move(_ path: String, of mode: SyncMode, connection: UInt64) -> SessionError?
}

extension PartitionDirectory {
    package func isReadOnly(_ path: String, connection: UInt64) -> Bool { false }

    package func user(of connection: UInt64) -> String { "" }

    package func mode(of connection: UInt64) -> SyncMode? { .partition }

    package func move(_ path: String, of mode: SyncMode, connection: UInt64) -> SessionError? { nil }
}
