// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The progress of a client and its server in each other's histories, as recorded by the client. A download is accepted
/// only if its cursors and versions continue from there (§2.8).
package struct ClientProgress: Hashable, Sendable {
    package private(set) var download: DownloadCursor
    package private(set) var latest: SaltedVersion
    package private(set) var upload: UploadCursor

    package init(
        download: DownloadCursor = DownloadCursor(), latest: SaltedVersion = SaltedVersion(),
        upload: UploadCursor = UploadCursor()
    ) {
        self.download = download
        self.latest = latest
        self.upload = upload
    }

    /// Whether this progress follows an earlier one, in no part before it. A file that went back would receive changes
    /// twice.
    package func continues(_ earlier: ClientProgress) -> Bool {
        latest.version >= earlier.latest.version && upload.clientVersion >= earlier.upload.clientVersion
            && download.serverVersion >= earlier.download.serverVersion
            && download.clientVersion >= earlier.download.clientVersion
    }

    /// Advances the progress by a download.
    ///
    /// - Parameters:
    ///   - ownIdent: The ident of the client file, which never receives its own changes.
    ///   - newestVersion: The newest version of the client file.
    /// - Throws: `SessionError` with `badProgress` if the server contradicts itself; the progress is unchanged then.
    package mutating func take(
        _ message: ServerMessage.Download, ownIdent: UInt64, newestVersion: UInt64
    ) throws(SessionError) {
        try ClientProgress.require(message.latest.version >= latest.version, "the latest server version goes back")
        try ClientProgress.require(
            message.upload.clientVersion >= upload.clientVersion && message.upload.clientVersion <= newestVersion,
            "the upload cursor goes back, or beyond the newest version")
        try ClientProgress.require(
            message.download.serverVersion >= download.serverVersion
                && message.download.serverVersion <= message.latest.version,
            "the download cursor goes back, or beyond the latest server version")
        try ClientProgress.require(
            message.download.clientVersion >= download.clientVersion
                && message.download.clientVersion <= message.upload.clientVersion,
            "the client version of the download cursor goes back, or beyond the upload cursor")
        try ClientProgress.require(
            message.download.serverVersion >= message.upload.serverVersion,
            "the upload cursor has a server version beyond the download cursor")
        try requireEntries(of: message, ownIdent)
        download = message.download
        latest = message.latest
        upload = message.upload
    }

    private func requireEntries(of message: ServerMessage.Download, _ ownIdent: UInt64) throws(SessionError) {
        var isFlexible = false
        if case .flexible = message.stage { isFlexible = true }
        var before = DownloadCursor(
            serverVersion: isFlexible ? 0 : download.serverVersion, clientVersion: download.clientVersion)
        for entry in message.entries {
            // All changes of a bootstrap may have the same version.
            try ClientProgress.require(
                entry.serverVersion > before.serverVersion
                    || isFlexible && entry.serverVersion == before.serverVersion && entry.serverVersion > 0,
                "server version \(entry.serverVersion) follows \(before.serverVersion)")
            try ClientProgress.require(
                entry.serverVersion <= message.download.serverVersion, "a change is beyond the download cursor")
            try ClientProgress.require(
                entry.clientVersion >= before.clientVersion && entry.clientVersion <= message.download.clientVersion,
                "client version \(entry.clientVersion) follows \(before.clientVersion), or is beyond the cursor")
            try ClientProgress.require(
                entry.origin > 0 && entry.origin != ownIdent, "a change of file \(entry.origin) was sent")
            before = DownloadCursor(serverVersion: entry.serverVersion, clientVersion: entry.clientVersion)
        }
    }

    private static func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(SessionError) {
        guard condition else { throw SessionError(.badProgress, message()) }
    }
}
