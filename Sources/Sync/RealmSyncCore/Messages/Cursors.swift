// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A client's progress in the server's history: the client has all versions up to `serverVersion`, and the server had
/// integrated the client's versions up to `clientVersion` before that one.
package struct DownloadCursor: Hashable, Sendable {
    package var serverVersion: UInt64
    package var clientVersion: UInt64

    package init(serverVersion: UInt64 = 0, clientVersion: UInt64 = 0) {
        self.serverVersion = serverVersion
        self.clientVersion = clientVersion
    }
}

/// The server's progress in a client's history: the server has all versions up to `clientVersion`, and the client had
/// integrated the server's versions up to `serverVersion` before that one.
package struct UploadCursor: Hashable, Sendable {
    package var clientVersion: UInt64
    package var serverVersion: UInt64

    package init(clientVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        self.clientVersion = clientVersion
        self.serverVersion = serverVersion
    }
}

/// A server version with the random number by which both peers detect that a server lost part of its history.
package struct SaltedVersion: Hashable, Sendable {
    package var version: UInt64
    package var salt: UInt64

    package init(version: UInt64 = 0, salt: UInt64 = 0) {
        self.version = version
        self.salt = salt
    }
}

/// The ident of a client file, with the random number that authenticates the file.
package struct SaltedIdent: Hashable, Sendable {
    package var ident: UInt64
    package var salt: UInt64

    package init(ident: UInt64, salt: UInt64) {
        self.ident = ident
        self.salt = salt
    }
}

/// A set of subscriptions in its encoded form: its version, and the JSON of its queries.
package struct VersionedQuery: Hashable, Sendable {
    package var version: UInt64
    package var text: String

    package init(version: UInt64, text: String) {
        self.version = version
        self.text = text
    }
}
