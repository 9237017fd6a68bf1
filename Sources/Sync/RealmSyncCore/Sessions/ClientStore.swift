// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct ClientFileState: Hashable, Sendable {
    package var file: SaltedIdent?
    package var progress: ClientProgress
    package var newestVersion: UInt64

    package init(file: SaltedIdent?, progress: ClientProgress, newestVersion: UInt64) {
        self.file = file
        self.progress = progress
        self.newestVersion = newestVersion
    }
}

package struct UploadBatch: Hashable, Sendable {
    package var entries: [ClientMessage.Upload.Entry]
    package var isComplete: Bool

    package init(entries: [ClientMessage.Upload.Entry], isComplete: Bool) {
        self.entries = entries
        self.isComplete = isComplete
    }
}

/// The interface of a session to a client file.
///
/// A session reports the file's state to the server. So changes made by these functions are durable when the function
/// returns, and `state` and `uploads` return only durable data.
package protocol ClientStore: AnyObject {
    var state: ClientFileState { get }

    /// Assigns the ident that the server issued, and resets the progress.
    func assign(_ file: SaltedIdent) throws(SessionError)

    /// Merges changes with the file's own, applies them, and advances to `progress`, in one version.
    ///
    /// - Parameter downloadableBytes: The number of bytes that the server has still to send.
    /// - Throws: `SessionError` if the changes can't be applied; the file is unchanged then.
    func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError)

    /// Returns the file's own changes after a version, in order, until their size exceeds `limit` bytes.
    func uploads(after version: UInt64, limit: Int) -> UploadBatch
}
