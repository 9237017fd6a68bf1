// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The progress of a server and one client file in each other's histories, as recorded by the server. A session can
/// begin only at a valid progress of that file. An upload is accepted only if it continues from there (§2.8).
package struct ServerProgress: Hashable, Sendable {
    /// The newest integrated version of the file, and the server version on which it was based.
    package private(set) var upload: UploadCursor
    /// The last server version that was sent in this session, or that the client reported.
    package private(set) var sentVersion: UInt64
    private var lockedVersion: UInt64 = 0

    package init(upload: UploadCursor = UploadCursor(), sentVersion: UInt64 = 0) {
        self.upload = upload
        self.sentVersion = sentVersion
    }

    /// Processes the `ident` message at the beginning of a session.
    ///
    /// - Parameters:
    ///   - salt: The salt of the client file; nil if the file doesn't exist.
    ///   - kept: The versions from the oldest one that is kept for the file to the newest one.
    ///   - saltOfVersion: Returns the salt of a server version.
    /// - Throws: `SessionError` if the client's progress is invalid, so that it has to reset itself.
    package mutating func begin(
        _ ident: ClientMessage.Ident, salt: UInt64?, kept: ClosedRange<UInt64>, saltOfVersion: (UInt64) -> UInt64
    ) throws(SessionError) {
        guard let salt else { throw SessionError(.unknownIdent, "there is no client file \(ident.file.ident)") }
        guard ident.file.salt == salt else { throw SessionError(.divergingHistories, "the client file is another one") }
        guard kept.contains(ident.download.serverVersion) else {
            throw SessionError(
                .badServerVersion,
                """
                the client is at server version \(ident.download.serverVersion), the server has \(kept.lowerBound) to \
                \(kept.upperBound)
                """)
        }
        guard ident.download.clientVersion <= upload.clientVersion else {
            throw SessionError(
                .badClientVersion, "version \(ident.download.clientVersion) of the client was never integrated")
        }
        guard ident.latest.version >= ident.download.serverVersion, ident.latest.version <= kept.upperBound else {
            throw SessionError(.badServerVersion, "server version \(ident.latest.version) never was")
        }
        guard ident.latest.salt == saltOfVersion(ident.latest.version) else {
            throw SessionError(.divergingHistories, "server version \(ident.latest.version) was another one")
        }
        sentVersion = ident.download.serverVersion
        lockedVersion = 0
    }

    package mutating func send(through version: UInt64) { sentVersion = max(sentVersion, version) }

    /// Processes an upload, and returns the changes to integrate. Omits changes that were already integrated, because
    /// clients resend changes that weren't acknowledged.
    ///
    /// - Throws: `SessionError` if the upload doesn't continue from the previous one.
    package mutating func take(
        _ message: ClientMessage.Upload
    ) throws(SessionError) -> [ClientMessage.Upload.Entry] {
        guard message.progress.serverVersion <= sentVersion, message.lockedServerVersion <= sentVersion,
            message.lockedServerVersion >= lockedVersion
        else { throw SessionError(.badServerVersion, "an upload names a server version that was not sent") }
        var before = UploadCursor()
        for entry in message.entries {
            guard entry.origin == 0 else { throw SessionError(.badOrigin, "file \(entry.origin) is not the client's") }
            guard entry.clientVersion > before.clientVersion, entry.clientVersion <= message.progress.clientVersion
            else {
                throw SessionError(.badClientVersion, "client versions do not increase, or exceed the progress")
            }
            guard entry.serverVersion >= before.serverVersion, entry.serverVersion <= message.progress.serverVersion
            else { throw SessionError(.badServerVersion, "server versions go back, or exceed the progress") }
            before = UploadCursor(clientVersion: entry.clientVersion, serverVersion: entry.serverVersion)
        }
        let new = message.entries.filter { $0.clientVersion > upload.clientVersion }
        guard new.allSatisfy({ $0.serverVersion >= upload.serverVersion }) else {
            throw SessionError(.badServerVersion, "a change is based on a server version before that of another one")
        }
        upload.clientVersion = max(upload.clientVersion, message.progress.clientVersion)
        upload.serverVersion = max(upload.serverVersion, message.progress.serverVersion)
        lockedVersion = message.lockedServerVersion
        return new
    }
}
