// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How far a client has followed the server: it has all up to `serverVersion`, before which the server had all of the
/// client up to `clientVersion`.
package struct DownloadCursor: Hashable, Sendable {
    package var serverVersion: UInt64
    package var clientVersion: UInt64

    package init(serverVersion: UInt64 = 0, clientVersion: UInt64 = 0) {
        self.serverVersion = serverVersion
        self.clientVersion = clientVersion
    }
}

/// How far the server has followed a client: it has all up to `clientVersion`, before which the client had all of the
/// server up to `serverVersion`.
package struct UploadCursor: Hashable, Sendable {
    package var clientVersion: UInt64
    package var serverVersion: UInt64

    package init(clientVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        self.clientVersion = clientVersion
        self.serverVersion = serverVersion
    }
}

/// A server version with the random number by which both ends notice that a server lost some of its history.
package struct SaltedVersion: Hashable, Sendable {
    package var version: UInt64
    package var salt: UInt64

    package init(version: UInt64 = 0, salt: UInt64 = 0) {
        self.version = version
        self.salt = salt
    }
}

/// The ident of a client file, with the random number that proves that it is the file's own.
package struct SaltedIdent: Hashable, Sendable {
    package var ident: UInt64
    package var salt: UInt64

    package init(ident: UInt64, salt: UInt64) {
        self.ident = ident
        self.salt = salt
    }
}

/// A set of subscriptions as it travels: its version, and the JSON of its queries.
package struct VersionedQuery: Hashable, Sendable {
    package var version: UInt64
    package var text: String

    package init(version: UInt64, text: String) {
        self.version = version
        self.text = text
    }
}
