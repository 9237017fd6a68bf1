// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a client file knows of its synchronisation.
package struct ClientFileState: Hashable, Sendable {
    /// Nil until a server has given it one.
    package var file: SaltedIdent?
    package var progress: ClientProgress
    package var newestVersion: UInt64

    package init(file: SaltedIdent?, progress: ClientProgress, newestVersion: UInt64) {
        self.file = file
        self.progress = progress
        self.newestVersion = newestVersion
    }
}

/// What a client sends next.
package struct UploadBatch: Hashable, Sendable {
    package var entries: [ClientMessage.Upload.Entry]
    /// Whether nothing newer is left to upload.
    package var isComplete: Bool

    package init(entries: [ClientMessage.Upload.Entry], isComplete: Bool) {
        self.entries = entries
        self.isComplete = isComplete
    }
}

/// A client file, as a session sees it.
///
/// A session tells the server what the file has. So whatever a function here has taken is durable when it returns, and
/// `state` and `uploads` show nothing that a crash could take back.
package protocol ClientStore: AnyObject {
    var state: ClientFileState { get }

    /// Takes the ident that the server has given, and begins from nothing.
    func assign(_ file: SaltedIdent) throws(SessionError)

    /// Merges changes with own ones, applies them, and moves on to `progress`, in one version.
    ///
    /// - Parameter downloadableBytes: what the server has still to send.
    /// - Throws: `SessionError` if they cannot be applied; nothing has changed then.
    func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError)

    /// Own changes after a version, in order, until they have more than `limit` bytes.
    func uploads(after version: UInt64, limit: Int) -> UploadBatch
}
