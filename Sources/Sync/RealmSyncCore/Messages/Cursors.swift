// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A client's progress in the server's history. The client has all versions up to `serverVersion`, which is based on
/// the client's version `clientVersion`.
package struct DownloadCursor: Hashable, Sendable {
    package var serverVersion: UInt64
    package var clientVersion: UInt64

    package init(serverVersion: UInt64 = 0, clientVersion: UInt64 = 0) {
        self.serverVersion = serverVersion
        self.clientVersion = clientVersion
    }
}

/// The server's progress in a client's history. The server has all versions up to `clientVersion`, which is based on
/// the server's version `serverVersion`.
package struct UploadCursor: Hashable, Sendable {
    package var clientVersion: UInt64
    package var serverVersion: UInt64

    package init(clientVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        self.clientVersion = clientVersion
        self.serverVersion = serverVersion
    }
}

/// A server version with a random number. Both peers use the number to detect that a server lost part of its history.
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

/// The version of a set of subscriptions, and the JSON of its queries.
package struct VersionedQuery: Hashable, Sendable {
    package var version: UInt64
    package var text: String

    package init(version: UInt64, text: String) {
        self.version = version
        self.text = text
    }
}
